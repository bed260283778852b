#pragma once
// The colours of classes in files that GDAL writes. Any thread, different data sets.

#include <cstdint>
#include <span>

class GDALDataset;

namespace headroom::formats {

/// Makes the first band a palette of these colours (0xRRGGBB by index), grey for
/// base::kIgnoreLabel; leaves it as it is without colours.
void set_palette(GDALDataset& dataset, std::span<const std::uint32_t> colours);

}  // namespace headroom::formats
