#include "core/formats/gdal_file.hpp"

#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_priv.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text_number.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/gdal_misreadings.hpp"
#include "core/formats/read_error.hpp"
#include "core/formats/stored_values.hpp"

namespace headroom::formats {

namespace {

/// GDAL's drivers that may look at a file. Others reach for the network or for other files that a
/// file names.
constexpr std::array<const char*, 11> kDrivers = {
    "PNG", "JPEG", "GTiff", "BMP", "JP2OpenJPEG", "WEBP", "GIF", "BIGGIF", "PNM", "SGI", nullptr};

GDALDatasetUniquePtr open_dataset(const std::string& name) {
  return GDALDatasetUniquePtr(
      GDALDataset::Open(name.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                        kDrivers.data(), nullptr, nullptr));
}

/// TIFFs of CMYK and CIELAB colours come as RGB and opaque alpha, unless asked for as stored.
bool is_converted_to_rgb(GDALDataset& dataset) {
  const char* source = dataset.GetMetadataItem("SOURCE_COLOR_SPACE", "IMAGE_STRUCTURE");
  return std::string_view(dataset.GetDriverName()) == "GTiff" && source != nullptr &&
         (std::string_view(source) == "CMYK" || std::string_view(source) == "CIELAB");
}

GDALDatasetUniquePtr open_first_page(const std::filesystem::path& file,
                                     const GdalMessages& messages) {
  // An absolute path cannot be taken for one of GDAL's connection strings.
  const std::string absolute = std::filesystem::absolute(file).string();
  GDALDatasetUniquePtr dataset = open_dataset(absolute);
  if (dataset && is_converted_to_rgb(*dataset)) dataset = open_dataset("GTIFF_RAW:" + absolute);
  if (!dataset || dataset->GetRasterCount() < 1) {
    fail_reading(file, "it is no image that can be read, or it is damaged",
                 "give PNG, JPEG, TIFF, BMP, WebP, JPEG 2000, NIfTI, DICOM or .npy files, or "
                 "remove it",
                 messages.text());
  }
  if (const auto misreading = find_misreading(file, dataset->GetDriverName()))
    fail_reading(file, misreading->problem, misreading->remedy);
  return dataset;
}

bool is_signed_byte(GDALRasterBand& band) {
  const char* type = band.GetMetadataItem("PIXELTYPE", "IMAGE_STRUCTURE");
  return band.GetRasterDataType() == GDT_Byte && type != nullptr &&
         std::string_view(type) == "SIGNEDBYTE";
}

base::PixelType pixel_type_of(const std::filesystem::path& file, GDALRasterBand& band) {
  if (is_signed_byte(band)) return base::PixelType::i16;
  switch (band.GetRasterDataType()) {
    case GDT_Byte:
      return base::PixelType::u8;
    case GDT_UInt16:
      return base::PixelType::u16;
    case GDT_Int16:
      return base::PixelType::i16;
    case GDT_UInt32:
    case GDT_UInt64:
      return base::PixelType::u32;
    case GDT_Int32:
    case GDT_Int64:
      return base::PixelType::i32;
    case GDT_Float32:
      return base::PixelType::f32;
    case GDT_Float64:
      return base::PixelType::f64;
    default:
      fail_reading(file,
                   fmt::format("its pixels are of the type {}",
                               GDALGetDataTypeName(band.GetRasterDataType())),
                   "convert it to integers or to floating point");
  }
}

GDALDataType gdal_type_of(base::PixelType type) {
  switch (type) {
    case base::PixelType::u8:
      return GDT_Byte;
    case base::PixelType::u16:
      return GDT_UInt16;
    case base::PixelType::i16:
      return GDT_Int16;
    case base::PixelType::u32:
      return GDT_UInt32;
    case base::PixelType::i32:
      return GDT_Int32;
    case base::PixelType::f32:
      return GDT_Float32;
    case base::PixelType::f64:
      break;
  }
  return GDT_Float64;
}

std::vector<std::uint32_t> palette_of(GDALDataset& dataset) {
  std::vector<std::uint32_t> palette;
  GDALRasterBand& band = *dataset.GetRasterBand(1);
  const GDALColorTable* table = band.GetColorTable();
  // GDAL invents a grey palette for TIFFs whose 0 is white; their values are kept as stored
  // instead.
  const bool is_invented = dataset.GetMetadataItem("MINISWHITE", "IMAGE_STRUCTURE") != nullptr ||
                           band.GetMetadataItem("MINISWHITE", "IMAGE_STRUCTURE") != nullptr;
  if (table == nullptr || dataset.GetRasterCount() != 1 || is_invented) return palette;
  for (int i = 0; i < table->GetColorEntryCount(); ++i) {
    GDALColorEntry entry{};
    table->GetColorEntryAsRGB(i, &entry);
    palette.push_back(static_cast<std::uint32_t>((entry.c1 & 255) << 16 | (entry.c2 & 255) << 8 |
                                                 (entry.c3 & 255)));
  }
  return palette;
}

std::optional<GeoReference> geo_of(GDALDataset& dataset) {
  GeoReference geo;
  const bool is_placed = dataset.GetGeoTransform(geo.geotransform.data()) == CE_None;
  if (!is_placed) geo.geotransform = {0, 1, 0, 0, 0, 1};
  if (const char* crs = dataset.GetProjectionRef()) geo.crs_wkt = crs;
  if (!is_placed && geo.crs_wkt.empty()) return std::nullopt;
  return geo;
}

std::int64_t orientation_of(GDALDataset& dataset) {
  const char* text = dataset.GetMetadataItem("EXIF_Orientation");
  const auto orientation = text != nullptr ? base::parse_integer(text) : std::nullopt;
  return orientation.value_or(1);
}

/// GDAL's names of the pages; empty where there is one.
std::vector<std::string> page_names_of(GDALDataset& dataset) {
  std::vector<std::string> names;
  char** list = dataset.GetMetadata("SUBDATASETS");
  for (int i = 1; i <= CSLCount(list) / 2; ++i) {
    const char* name = CSLFetchNameValue(list, fmt::format("SUBDATASET_{}_NAME", i).c_str());
    if (name != nullptr) names.emplace_back(name);
  }
  return names;
}

/// Of these formats every window costs the rows above it or the whole picture.
constexpr std::array<std::string_view, 5> kWithoutWindows = {"PNG", "JPEG", "WEBP", "GIF",
                                                             "BIGGIF"};

base::BlockSize block_of(GDALDataset& dataset) {
  if (std::ranges::find(kWithoutWindows, dataset.GetDriverName()) != kWithoutWindows.end())
    return {};
  int width = 0, height = 0;
  dataset.GetRasterBand(1)->GetBlockSize(&width, &height);
  return {height, width};
}

RasterInfo info_of(const std::filesystem::path& file, GDALDataset& dataset) {
  RasterInfo info;
  info.height = dataset.GetRasterYSize();
  info.width = dataset.GetRasterXSize();
  info.channels = dataset.GetRasterCount();
  GDALRasterBand& first = *dataset.GetRasterBand(1);
  info.type = pixel_type_of(file, first);
  for (int band = 2; band <= dataset.GetRasterCount(); ++band) {
    if (pixel_type_of(file, *dataset.GetRasterBand(band)) != info.type) {
      fail_reading(file, "its bands are of different types", "write all bands in one type");
    }
  }
  info.palette = palette_of(dataset);
  info.kind = info.palette.empty() ? RasterKind::bands : RasterKind::palette;
  info.has_alpha =
      info.channels > 1 &&
      dataset.GetRasterBand(static_cast<int>(info.channels))->GetColorInterpretation() ==
          GCI_AlphaBand;
  int has_nodata = 0;
  const double nodata = first.GetNoDataValue(&has_nodata);
  if (has_nodata != 0) info.nodata = nodata;
  info.geo = geo_of(dataset);
  info.orientation = orientation_of(dataset);
  info.block = block_of(dataset);
  info.format = dataset.GetDriverName();
  return info;
}

/// GDAL reads signed bytes as unsigned ones; 200 means -56.
void restore_sign(base::Image& image) {
  auto* values = reinterpret_cast<std::int16_t*>(image.pixels.data());
  std::for_each(values, values + image.height * image.width * image.channels,
                [](std::int16_t& value) { value = static_cast<std::int8_t>(value); });
}

/// Where a window's pixels go: interleaved values of a type.
struct Destination {
  void* values;
  GDALDataType type;
  int channels;
};

constexpr std::int64_t kWideBytes = 8;  ///< of 64-bit integers

CPLErr read_window(GDALDataset& dataset, const PixelWindow& window, const Destination& to) {
  const GSpacing value_bytes = GDALGetDataTypeSizeBytes(to.type);
  const GSpacing pixel_bytes = value_bytes * to.channels;
  const int width = static_cast<int>(window.width), height = static_cast<int>(window.height);
  return dataset.RasterIO(GF_Read, static_cast<int>(window.left), static_cast<int>(window.top),
                          width, height, to.values, width, height, to.type, to.channels, nullptr,
                          pixel_bytes, pixel_bytes * width, value_bytes, nullptr);
}

class GdalFile final : public RasterFile {
 public:
  explicit GdalFile(std::filesystem::path path) : RasterFile(std::move(path)) {
    const GdalMessages messages;
    dataset_ = open_first_page(file(), messages);
    page_names_ = page_names_of(*dataset_);
    if (messages.failed()) opening_failure_ = messages.text();
  }

 private:
  [[nodiscard]] std::int64_t do_pages() const override {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(page_names_.size()));
  }

  [[nodiscard]] RasterInfo do_info(std::int64_t page) override {
    const GdalMessages messages;
    return info_of(file(), turn_to(page, messages));
  }

  void do_read(std::int64_t page, const PixelWindow& window, base::Image& image) override {
    const GdalMessages messages;
    GDALDataset& dataset = turn_to(page, messages);
    const GDALDataType stored = dataset.GetRasterBand(1)->GetRasterDataType();
    const bool is_wide = stored == GDT_Int64 || stored == GDT_UInt64;
    const auto channels = static_cast<int>(image.channels);
    std::vector<char> wide;
    if (is_wide) {
      wide.resize(static_cast<std::size_t>(
          require_memory(file(), window.height, window.width, kWideBytes * channels)));
    }
    const CPLErr result =
        is_wide ? read_window(dataset, window, {wide.data(), stored, channels})
                : read_window(dataset, window,
                              {image.pixels.data(), gdal_type_of(image.type), channels});
    if (opening_failure_) fail_damaged(file(), *opening_failure_);
    if (result != CE_None || messages.failed()) fail_damaged(file(), messages.text());
    if (is_wide) narrow(wide, stored == GDT_Int64 ? StoredType::i64 : StoredType::u64, image);
    if (is_signed_byte(*dataset.GetRasterBand(1))) restore_sign(image);
  }

  void narrow(const std::vector<char>& wide, StoredType type, base::Image& image) const {
    const auto count = static_cast<std::int64_t>(wide.size()) / kWideBytes;
    if (convert_values({wide.data(), type}, {}, count, {image.pixels.data(), image.type})) return;
    fail_reading(file(), "a value has more than 32 bits",
                 "save it with values of up to 32 bits, or as float64");
  }

  /// The file itself is its first page.
  GDALDataset& turn_to(std::int64_t page, const GdalMessages& messages) {
    if (page == page_) return *dataset_;
    const std::string name = page_names_.at(static_cast<std::size_t>(page));
    GDALDatasetUniquePtr dataset = open_dataset(name);
    if (!dataset || dataset->GetRasterCount() < 1) fail_damaged(file(), messages.text());
    if (is_converted_to_rgb(*dataset))
      fail_reading(file(), "a page after the first has CMYK or CIELAB colours", "save it as RGB");
    dataset_ = std::move(dataset);
    page_ = page;
    return *dataset_;
  }

  GDALDatasetUniquePtr dataset_{};
  std::int64_t page_ = 0;
  std::vector<std::string> page_names_{};
  std::optional<std::string> opening_failure_{};
};

}  // namespace

std::unique_ptr<RasterFile> open_with_gdal(const std::filesystem::path& file) {
  prepare_gdal();
  return std::make_unique<GdalFile>(file);
}

}  // namespace headroom::formats
