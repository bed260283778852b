#pragma once
// Files by sub-folder and stem, to find partners by exact names. Pure; any thread.

#include <compare>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::formats {

/// The file's name without its extension, ".nii.gz" being one; native bytes.
[[nodiscard]] std::string stem_of(const std::filesystem::path& file);

struct StemKey {
  std::string folder{};  ///< below the folder that holds the kind, native bytes
  std::string stem{};    ///< as stem_of

  friend auto operator<=>(const StemKey&, const StemKey&) = default;
};

/// One kind of files (images, masks, valid areas). Several files share a key when only their
/// extensions differ.
class StemIndex {
 public:
  /// `below` is the part of `file`'s path under the kind's folder.
  void add(const std::filesystem::path& below, const std::filesystem::path& file);

  [[nodiscard]] const std::map<StemKey, std::vector<std::filesystem::path>>& files() const {
    return files_;
  }
  [[nodiscard]] bool empty() const { return files_.empty(); }

  /// Files of the stem itself, then of the stem with each suffix, in this order.
  [[nodiscard]] std::vector<std::filesystem::path> find(
      const StemKey& key, std::span<const std::string_view> suffixes) const;

 private:
  std::map<StemKey, std::vector<std::filesystem::path>> files_;
};

/// The key without the first of `suffixes` that it ends with; the key itself when there is none.
[[nodiscard]] StemKey without_suffix(const StemKey& key,
                                     std::span<const std::string_view> suffixes);

}  // namespace headroom::formats
