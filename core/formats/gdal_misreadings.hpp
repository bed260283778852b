#pragma once
// Files that GDAL 3.6 decodes to wrong values without a word, by their headers. Found by comparing
// its values with those of independent readers. Pure; any thread.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::formats {

struct Misreading {
  std::string problem{};  ///< "it is an interlaced PNG of 16 bits, …"
  std::string remedy{};
};

/// What makes GDAL's driver of this short name misread the file; nothing for all other files, and
/// for those that are too short to tell, which it refuses.
[[nodiscard]] std::optional<Misreading> find_misreading(const std::filesystem::path& file,
                                                        std::string_view driver);

}  // namespace headroom::formats
