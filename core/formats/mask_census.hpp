#pragma once
// What a mask holds: each code with its pixels. Any thread.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/formats/mask_pixels.hpp"

namespace headroom::formats {

struct MaskCensus {
  std::int64_t height = 0;
  std::int64_t width = 0;
  MaskCoding coding = MaskCoding::value;
  std::vector<std::uint32_t> palette{};
  std::map<std::int64_t, std::int64_t> pixels_of{};  ///< by code, inside the valid area
  std::int64_t ignored_pixels = 0;                   ///< outside the valid area, or NaN
  std::int64_t orientation = 1;                      ///< as in RasterInfo
};

/// Reads a mask and its valid area once. Throws Error (unusable_data): unreadable, of different
/// sizes, or more different codes than any mask of classes or objects has.
[[nodiscard]] MaskCensus take_census(const std::filesystem::path& mask,
                                     const std::optional<std::filesystem::path>& valid_area = {},
                                     std::int64_t page = 0);

}  // namespace headroom::formats
