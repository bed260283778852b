#include "core/formats/gdal_palette.hpp"

#include <gdal_priv.h>

#include <cstddef>

#include "core/base/image.hpp"

namespace headroom::formats {

namespace {

constexpr std::uint32_t kIgnoreColour = 0x808080;

}  // namespace

void set_palette(GDALDataset& dataset, std::span<const std::uint32_t> colours) {
  if (colours.empty()) return;
  GDALColorTable table;
  for (int id = 0; id < 256; ++id) {
    const auto at = static_cast<std::size_t>(id);
    const std::uint32_t colour = at < colours.size()        ? colours[at]
                                 : id == base::kIgnoreLabel ? kIgnoreColour
                                                            : 0;
    const GDALColorEntry entry{static_cast<short>(colour >> 16 & 255),
                               static_cast<short>(colour >> 8 & 255),
                               static_cast<short>(colour & 255), 255};
    table.SetColorEntry(id, &entry);
  }
  dataset.GetRasterBand(1)->SetColorInterpretation(GCI_PaletteIndex);
  dataset.GetRasterBand(1)->SetColorTable(&table);
}

}  // namespace headroom::formats
