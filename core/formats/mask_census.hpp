#pragma once
// What a mask holds: each code with its pixels. Any thread.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "core/base/pixel_window.hpp"
#include "core/formats/mask_pixels.hpp"
#include "core/formats/raster_parts.hpp"

namespace headroom::formats {

struct MaskCensus {
  std::int64_t height = 0;
  std::int64_t width = 0;
  MaskCoding coding = MaskCoding::value;
  std::vector<std::uint32_t> palette{};
  CodeNames names{};
  std::map<std::int64_t, std::int64_t> pixels_of{};  ///< by code, inside the valid area
  std::int64_t ignored_pixels = 0;      ///< outside the valid area, NaN, or ignored by annotations
  std::int64_t overlapping_pixels = 0;  ///< as PaintedAnnotations has it
  std::int64_t orientation = 1;         ///< as in RasterInfo
  base::BlockSize block{};              ///< of mask and valid area together; see reading_block
};

/// Reads a mask and its valid area once, large ones part by part, and calls `after_part`. Throws
/// Error (unusable_data): unreadable, of different sizes, or more different codes than any mask of
/// classes or objects has.
[[nodiscard]] MaskCensus take_census(const std::filesystem::path& mask,
                                     const std::optional<std::filesystem::path>& valid_area = {},
                                     std::int64_t page = 0, const PartFunction& after_part = {});

/// Of pixels that were read.
[[nodiscard]] MaskCensus take_census(MaskPixels mask,
                                     const std::optional<std::filesystem::path>& valid_area);

}  // namespace headroom::formats
