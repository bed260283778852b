// Scenes of any size for tests, written block by block with GDAL itself and sparse, so that they
// take little room on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom::tests {

/// images/NAME.tif (RGB, uint8) and masks/NAME.tif of side x side pixels in tiles of 256,
/// EPSG:32633: black and class 0, but for a bright square of class 1 of 384 pixels at every
/// `spacing` pixels down and across, the first at (64, 64).
void write_large_scene(const std::filesystem::path& folder, const std::string& name,
                       std::int64_t side, std::int64_t spacing);

/// Pixels of class 1 in such a scene.
[[nodiscard]] std::int64_t bright_pixels(std::int64_t side, std::int64_t spacing);

/// A mask of side x side RGB pixels: black, but for 10 x 10 pixels of #C8C8C8 in the first and in
/// the last corner, and as many of #0A0B0C in the middle.
std::filesystem::path write_large_colours(const std::filesystem::path& file, std::int64_t side);

}  // namespace headroom::tests
