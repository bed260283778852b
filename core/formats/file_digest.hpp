#pragma once
// Hashes of file contents and texts (XXH3, 128 bits): quick fingerprints, no protection against
// forgery. Any thread.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct XXH3_state_s;

namespace headroom::formats {

/// Hashes what comes in parts.
class ContentHasher {
 public:
  ContentHasher();
  void add(std::string_view bytes);
  /// Of all so far: 32 hexadecimal digits.
  [[nodiscard]] std::string hex() const;

 private:
  std::unique_ptr<XXH3_state_s, void (*)(XXH3_state_s*)> state_;
};

struct FileDigest {
  std::string name{};  ///< path relative to the data folder
  std::int64_t size_bytes = 0;
  std::string hash{};  ///< 32 hexadecimal digits
};

/// Reads the whole file. Throws Error (io).
[[nodiscard]] FileDigest digest_file(const std::filesystem::path& file, std::string name);

/// 32 hexadecimal digits.
[[nodiscard]] std::string digest_text(std::string_view text);

/// One hash over names, sizes and contents of files, in their order.
[[nodiscard]] std::string combine_digests(const std::vector<FileDigest>& files);

}  // namespace headroom::formats
