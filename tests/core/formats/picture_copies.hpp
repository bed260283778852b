// Copies of pictures as they turn up in data sets: stored again, brightened, cut, made smaller.
// Written and read back with GDAL and not with the code under test.
#pragma once

#include <filesystem>

#include "core/base/image.hpp"

namespace headroom::tests {

/// What another encoder makes of an 8-bit picture of 1 or 3 bands.
[[nodiscard]] base::Image recoded_as_jpeg(const base::Image& image, int quality);
/// Every value times `factor`, at most 255.
[[nodiscard]] base::Image brightened(const base::Image& image, double factor);
/// Without `share` of its rows and columns, taken from the four edges alike.
[[nodiscard]] base::Image cropped(const base::Image& image, double share);
/// Half as high and wide, each pixel the mean of four.
[[nodiscard]] base::Image halved(const base::Image& image);
/// The picture as PNG.
void write_png(const std::filesystem::path& file, const base::Image& image);

}  // namespace headroom::tests
