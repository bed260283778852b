#include "core/formats/raster_reader.hpp"

#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_priv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/machine_memory.hpp"
#include "core/base/text_number.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/gdal_misreadings.hpp"

namespace headroom::formats {

namespace {

constexpr std::array<std::string_view, 20> kExtensions = {
    ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".tif", ".tiff", ".bmp", ".dib",   ".jp2",
    ".j2k", ".jpx", ".webp", ".gif", ".pgm",  ".ppm", ".pnm",  ".sgi", ".gtiff", ".btf"};

/// GDAL's drivers that may look at a file. Others reach for the network or for other files that a
/// file names.
constexpr std::array<const char*, 11> kDrivers = {
    "PNG", "JPEG", "GTiff", "BMP", "JP2OpenJPEG", "WEBP", "GIF", "BIGGIF", "PNM", "SGI", nullptr};

/// Images below this size are read without asking how much memory there is.
constexpr std::int64_t kSurelyFits = std::int64_t{1} << 28;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& problem,
                       std::string remedy, std::string detail = {}) {
  throw base::Error(base::ErrorKind::unusable_data,
                    {"reading the image", fmt::format("{}: {}", base::display_path(file), problem),
                     std::move(remedy), std::move(detail)});
}

[[noreturn]] void fail_damaged(const std::filesystem::path& file, const GdalMessages& messages) {
  fail(file, "it is truncated or damaged", "replace the file with an intact copy, or remove it",
       messages.text());
}

GDALDatasetUniquePtr open_with_gdal(const std::string& name) {
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

GDALDatasetUniquePtr open_raster(const std::filesystem::path& file, const GdalMessages& messages) {
  prepare_gdal();
  if (::access(file.c_str(), R_OK) != 0) throw base::io_error("reading the image", file, errno);
  // An absolute path cannot be taken for one of GDAL's connection strings.
  const std::string absolute = std::filesystem::absolute(file).string();
  GDALDatasetUniquePtr dataset = open_with_gdal(absolute);
  if (dataset && is_converted_to_rgb(*dataset)) dataset = open_with_gdal("GTIFF_RAW:" + absolute);
  if (!dataset || dataset->GetRasterCount() < 1) {
    fail(file, "it is no image that can be read, or it is damaged",
         "give PNG, JPEG, TIFF, BMP, WebP or JPEG 2000 files, or remove it", messages.text());
  }
  if (const auto misreading = find_misreading(file, dataset->GetDriverName()))
    fail(file, misreading->problem, misreading->remedy);
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
      return base::PixelType::u32;
    case GDT_Int32:
      return base::PixelType::i32;
    case GDT_Float32:
      return base::PixelType::f32;
    case GDT_Float64:
      return base::PixelType::f64;
    default:
      fail(file,
           fmt::format("its pixels are of the type {}",
                       GDALGetDataTypeName(band.GetRasterDataType())),
           "convert it to integers of up to 32 bits or to floating point");
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

std::int64_t pages_of(GDALDataset& dataset) {
  return std::max<std::int64_t>(1, CSLCount(dataset.GetMetadata("SUBDATASETS")) / 2);
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
      fail(file, "its bands are of different types", "write all bands in one type");
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
  info.pages = pages_of(dataset);
  info.format = dataset.GetDriverName();
  return info;
}

void check_memory(const std::filesystem::path& file, std::int64_t bytes) {
  if (bytes < kSurelyFits) return;
  const std::int64_t available = base::read_machine_memory().available_bytes;
  if (bytes > available) {
    fail(file,
         fmt::format("decoded it takes {}, and {} of memory are available",
                     base::format_bytes(bytes), base::format_bytes(available)),
         "cut it into smaller images, or check whether the file is damaged");
  }
}

base::Image read_bands(const std::filesystem::path& file, GDALDataset& dataset,
                       const RasterInfo& info, const GdalMessages& messages) {
  base::Image image{
      .height = info.height, .width = info.width, .channels = info.channels, .type = info.type};
  const std::int64_t value_bytes = base::bytes_of(info.type);
  const std::int64_t pixel_bytes = value_bytes * info.channels;
  check_memory(file, pixel_bytes * info.height * info.width);
  image.pixels.resize(static_cast<std::size_t>(pixel_bytes * info.height * info.width));
  const int width = static_cast<int>(info.width), height = static_cast<int>(info.height);
  const CPLErr result =
      dataset.RasterIO(GF_Read, 0, 0, width, height, image.pixels.data(), width, height,
                       gdal_type_of(info.type), static_cast<int>(info.channels), nullptr,
                       pixel_bytes, pixel_bytes * info.width, value_bytes, nullptr);
  if (result != CE_None || messages.failed()) fail_damaged(file, messages);
  image.nodata = info.nodata;
  return image;
}

/// GDAL reads signed bytes as unsigned ones; 200 means -56.
void restore_sign(base::Image& image) {
  auto* values = reinterpret_cast<std::int16_t*>(image.pixels.data());
  std::for_each(values, values + image.height * image.width * image.channels,
                [](std::int16_t& value) { value = static_cast<std::int8_t>(value); });
}

base::Image expand_palette(const base::Image& indices, const std::vector<std::uint32_t>& palette) {
  base::Image image{
      .height = indices.height, .width = indices.width, .channels = 3, .type = base::PixelType::u8};
  image.pixels.reserve(static_cast<std::size_t>(3 * indices.height * indices.width));
  data::dispatch_pixel_type(indices.type, [&]<typename T>(std::type_identity<T>) {
    const T* index = data::values_of<T>(indices);
    for (std::int64_t i = indices.height * indices.width; i > 0; --i, ++index) {
      const auto entry = static_cast<std::size_t>(*index);
      const std::uint32_t colour = entry < palette.size() ? palette[entry] : 0;
      for (const int shift : {16, 8, 0}) {
        image.pixels.push_back(static_cast<std::byte>(colour >> shift & 255));
      }
    }
  });
  return image;
}

bool last_band_is_constant(const base::Image& image) {
  const auto bytes = static_cast<std::size_t>(base::bytes_of(image.type));
  const std::size_t pixel_bytes = bytes * static_cast<std::size_t>(image.channels);
  const std::byte* first = image.pixels.data() + pixel_bytes - bytes;
  for (std::size_t at = pixel_bytes; at < image.pixels.size(); at += pixel_bytes) {
    if (std::memcmp(first, first + at, bytes) != 0) return false;
  }
  return true;
}

void drop_last_band(base::Image& image) {
  const auto bytes = static_cast<std::size_t>(base::bytes_of(image.type));
  const std::size_t from_bytes = bytes * static_cast<std::size_t>(image.channels);
  const std::size_t to_bytes = from_bytes - bytes;
  const std::size_t pixels = image.pixels.size() / from_bytes;
  for (std::size_t i = 1; i < pixels; ++i) {
    std::memmove(image.pixels.data() + i * to_bytes, image.pixels.data() + i * from_bytes,
                 to_bytes);
  }
  image.pixels.resize(pixels * to_bytes);
  image.pixels.shrink_to_fit();
  --image.channels;
}

}  // namespace

bool has_raster_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

RasterInfo read_raster_info(const std::filesystem::path& file) {
  const GdalMessages messages;
  return info_of(file, *open_raster(file, messages));
}

RasterPixels read_raster(const std::filesystem::path& file) {
  const GdalMessages messages;
  const GDALDatasetUniquePtr dataset = open_raster(file, messages);
  RasterPixels raster{.info = info_of(file, *dataset)};
  raster.image = read_bands(file, *dataset, raster.info, messages);
  if (is_signed_byte(*dataset->GetRasterBand(1))) restore_sign(raster.image);
  return raster;
}

base::Image as_image(RasterPixels raster, const ImageReadOptions& options) {
  if (raster.info.kind == RasterKind::palette)
    return expand_palette(raster.image, raster.info.palette);
  if (raster.info.has_alpha &&
      (options.alpha == AlphaBand::drop ||
       (options.alpha == AlphaBand::drop_if_constant && last_band_is_constant(raster.image)))) {
    drop_last_band(raster.image);
  }
  return std::move(raster.image);
}

base::Image read_image(const std::filesystem::path& file, const ImageReadOptions& options) {
  return as_image(read_raster(file), options);
}

}  // namespace headroom::formats
