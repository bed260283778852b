#include "tests/core/formats/raster_files.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace headroom::tests {

namespace {

void describe(GDALDataset& dataset, const RasterSpec& spec) {
  GDALRasterBand& band = *dataset.GetRasterBand(1);
  if (!spec.palette.empty()) {
    GDALColorTable table;
    for (std::size_t i = 0; i < spec.palette.size(); ++i) {
      const std::uint32_t colour = spec.palette[i];
      const GDALColorEntry entry{static_cast<short>(colour >> 16 & 255),
                                 static_cast<short>(colour >> 8 & 255),
                                 static_cast<short>(colour & 255), 255};
      table.SetColorEntry(static_cast<int>(i), &entry);
    }
    band.SetColorInterpretation(GCI_PaletteIndex);
    band.SetColorTable(&table);
  }
  if (spec.last_is_alpha) {
    dataset.GetRasterBand(static_cast<int>(spec.channels))->SetColorInterpretation(GCI_AlphaBand);
  }
  if (spec.nodata) band.SetNoDataValue(*spec.nodata);
  if (!spec.crs.empty()) {
    OGRSpatialReference crs;
    crs.SetFromUserInput(spec.crs.c_str());
    dataset.SetSpatialRef(&crs);
  }
  if (!spec.geotransform.empty())
    dataset.SetGeoTransform(const_cast<double*>(spec.geotransform.data()));
  if (!spec.metadata_name.empty()) {
    dataset.SetMetadataItem(spec.metadata_name.c_str(), spec.metadata_value.c_str());
  }
}

}  // namespace

void write_raster(const std::filesystem::path& file, const RasterSpec& spec) {
  GDALAllRegister();
  const int height = static_cast<int>(spec.height), width = static_cast<int>(spec.width);
  const int channels = static_cast<int>(spec.channels);
  GDALDriverManager& drivers = *GetGDALDriverManager();
  GDALDatasetUniquePtr memory(drivers.GetDriverByName("MEM")->Create(
      "", width, height, channels, GDALGetDataTypeByName(spec.type.c_str()), nullptr));
  const GSpacing pixel = static_cast<GSpacing>(sizeof(double)) * channels;
  if (!memory ||
      memory->RasterIO(GF_Write, 0, 0, width, height, const_cast<double*>(spec.values.data()),
                       width, height, GDT_Float64, channels, nullptr, pixel, pixel * width,
                       sizeof(double), nullptr) != CE_None) {
    throw std::runtime_error("GDAL took no pixels for " + file.string());
  }
  describe(*memory, spec);
  CPLStringList options;
  for (const std::string& option : spec.options) options.AddString(option.c_str());
  const GDALDatasetUniquePtr written(
      drivers.GetDriverByName(spec.driver.c_str())
          ->CreateCopy(file.c_str(), memory.get(), FALSE, options.List(), nullptr, nullptr));
  if (!written) throw std::runtime_error("GDAL did not write " + file.string());
}

void write_grey(const std::filesystem::path& file, std::int64_t height, std::int64_t width,
                double value) {
  write_grey(file, height, width,
             std::vector<double>(static_cast<std::size_t>(height * width), value));
}

void write_grey(const std::filesystem::path& file, std::int64_t height, std::int64_t width,
                const std::vector<double>& values) {
  write_raster(in_folder(file), {.height = height, .width = width, .values = values});
}

void truncate_file(const std::filesystem::path& file, std::int64_t bytes) {
  std::filesystem::resize_file(file, static_cast<std::uintmax_t>(bytes));
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(in_folder(file), std::ios::binary) << text;
}

std::filesystem::path in_folder(const std::filesystem::path& file) {
  std::filesystem::create_directories(file.parent_path());
  return file;
}

std::optional<std::filesystem::path> real_data(const std::string& name) {
  const char* given = std::getenv("HEADROOM_TEST_DATA");
  const std::filesystem::path root =
      given != nullptr
          ? std::filesystem::path(given)
          : std::filesystem::path(HEADROOM_SOURCE_DIR).parent_path() / "shared" / "data";
  if (!std::filesystem::exists(root / name)) return std::nullopt;
  return root / name;
}

}  // namespace headroom::tests
