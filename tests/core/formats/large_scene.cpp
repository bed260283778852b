#include "tests/core/formats/large_scene.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/formats/gdal_library.hpp"
#include "tests/core/formats/raster_files.hpp"

namespace headroom::tests {

namespace {

constexpr std::int64_t kFirst = 64;
constexpr std::int64_t kSquare = 384;

GDALDatasetUniquePtr create(const std::filesystem::path& file, std::int64_t side, int bands) {
  formats::prepare_gdal();
  CPLStringList options;
  for (const char* option : {"TILED=YES", "COMPRESS=DEFLATE", "SPARSE_OK=TRUE", "BIGTIFF=IF_SAFER"})
    options.AddString(option);
  GDALDatasetUniquePtr dataset(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
      in_folder(file).c_str(), static_cast<int>(side), static_cast<int>(side), bands, GDT_Byte,
      options.List()));
  if (!dataset) throw std::runtime_error("GDAL did not make " + file.string());
  std::array<double, 6> place = {500000, 0.5, 0, 4600000, 0, -0.5};
  dataset->SetGeoTransform(place.data());
  OGRSpatialReference reference;
  reference.importFromEPSG(32633);
  dataset->SetSpatialRef(&reference);
  return dataset;
}

/// What the image has of a square that begins at `start`.
std::int64_t visible(std::int64_t start, std::int64_t side) {
  return std::min(kSquare, side - start);
}

void fill_squares(GDALDataset& dataset, std::int64_t side, std::int64_t spacing,
                  unsigned char value) {
  const int bands = dataset.GetRasterCount();
  for (std::int64_t top = kFirst; top < side; top += spacing) {
    for (std::int64_t left = kFirst; left < side; left += spacing) {
      const auto height = static_cast<int>(visible(top, side));
      const auto width = static_cast<int>(visible(left, side));
      std::vector<unsigned char> values(static_cast<std::size_t>(bands * height * width), value);
      if (dataset.RasterIO(GF_Write, static_cast<int>(left), static_cast<int>(top), width, height,
                           values.data(), width, height, GDT_Byte, bands, nullptr, 0, 0, 0,
                           nullptr) != CE_None)
        throw std::runtime_error("GDAL did not write a square");
    }
  }
}

}  // namespace

void write_large_scene(const std::filesystem::path& folder, const std::string& name,
                       std::int64_t side, std::int64_t spacing) {
  const auto image = create(folder / "images" / (name + ".tif"), side, 3);
  fill_squares(*image, side, spacing, 200);
  const auto mask = create(folder / "masks" / (name + ".tif"), side, 1);
  fill_squares(*mask, side, spacing, 1);
}

std::int64_t bright_pixels(std::int64_t side, std::int64_t spacing) {
  std::int64_t along_a_side = 0;
  for (std::int64_t start = kFirst; start < side; start += spacing)
    along_a_side += visible(start, side);
  return along_a_side * along_a_side;
}

std::filesystem::path write_large_colours(const std::filesystem::path& file, std::int64_t side) {
  constexpr int kSpot = 10;
  const auto dataset = create(file, side, 3);
  const auto put = [&](std::int64_t at, const std::array<unsigned char, 3>& colour) {
    std::array<unsigned char, 3 * kSpot * kSpot> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values.at(i) = colour.at(i / (kSpot * kSpot));
    if (dataset->RasterIO(GF_Write, static_cast<int>(at), static_cast<int>(at), kSpot, kSpot,
                          values.data(), kSpot, kSpot, GDT_Byte, 3, nullptr, 0, 0, 0,
                          nullptr) != CE_None)
      throw std::runtime_error("GDAL did not write a spot");
  };
  put(0, {200, 200, 200});
  put(side / 2, {10, 11, 12});
  put(side - kSpot, {200, 200, 200});
  return file;
}

}  // namespace headroom::tests
