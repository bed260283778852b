#include "core/formats/reduced_picture.hpp"

#include <fmt/format.h>
#include <gdal_priv.h>

#include <algorithm>
#include <array>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/read_error.hpp"

namespace headroom::formats {
namespace {

base::Error unreadable(const std::filesystem::path& file, const std::string& detail) {
  return {base::ErrorKind::unusable_data,
          {.attempted = "reading a picture",
           .subject = base::display_path(file) + ": no 8-bit PNG of 1 or 3 channels",
           .remedy = "Remove it",
           .detail = detail}};
}

}  // namespace

base::Image read_reduced_png(const std::filesystem::path& file, std::int64_t most_width) {
  prepare_gdal();
  const GdalMessages messages;
  constexpr std::array<const char*, 2> kDrivers = {"PNG", nullptr};
  const GDALDatasetUniquePtr dataset(
      GDALDataset::Open(file.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY, kDrivers.data()));
  if (!dataset) throw unreadable(file, messages.text());
  const int width = dataset->GetRasterXSize(), height = dataset->GetRasterYSize();
  const int bands = dataset->GetRasterCount();
  const bool is_supported =
      (bands == 1 || bands == 3) && dataset->GetRasterBand(1)->GetRasterDataType() == GDT_Byte;
  if (!is_supported) throw unreadable(file, fmt::format("{} bands", bands));

  base::Image image{.height = height, .width = width, .channels = bands};
  if (width > most_width) {
    image.height = std::max<std::int64_t>(1, height * most_width / width);
    image.width = most_width;
  }
  image.pixels.resize(
      static_cast<std::size_t>(require_memory(file, image.height, image.width, bands)));
  GDALRasterIOExtraArg how;
  INIT_RASTERIO_EXTRA_ARG(how);
  how.eResampleAlg = GRIORA_Average;
  const CPLErr result =
      dataset->RasterIO(GF_Read, 0, 0, width, height, image.pixels.data(),
                        static_cast<int>(image.width), static_cast<int>(image.height), GDT_Byte,
                        bands, nullptr, bands, bands * image.width, 1, &how);
  if (result != CE_None || messages.failed()) throw unreadable(file, messages.text());
  return image;
}

}  // namespace headroom::formats
