#include "core/formats/raster_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/data/pixel_dispatch.hpp"

namespace headroom::formats {

namespace {

constexpr std::array<std::string_view, 23> kExtensions = {
    ".png", ".jpg", ".jpeg",  ".jpe", ".jfif", ".tif", ".tiff", ".bmp",
    ".dib", ".jp2", ".j2k",   ".jpx", ".webp", ".gif", ".pgm",  ".ppm",
    ".pnm", ".sgi", ".gtiff", ".btf", ".npy",  ".dcm", ".nii"};

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

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return extension;
}

bool has_raster_extension(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".gz") return lower_extension(file.stem()) == ".nii";
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

RasterInfo read_raster_info(const std::filesystem::path& file) {
  return open_raster_file(file)->info();
}

RasterPixels read_raster(const std::filesystem::path& file, std::int64_t page) {
  const std::unique_ptr<RasterFile> opened = open_raster_file(file);
  return {.info = opened->info(page), .image = opened->read(page)};
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
  return as_image(read_raster(file, options.page), options);
}

}  // namespace headroom::formats
