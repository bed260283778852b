#include "tests/core/formats/picture_copies.hpp"

#include <cpl_string.h>
#include <gdal_priv.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::tests {

namespace {

/// A picture of another size whose values are computed one by one.
template <typename Value>
base::Image picture(const base::Image& like, std::int64_t height, std::int64_t width,
                    const Value& value_at) {
  base::Image image{.height = height, .width = width, .channels = like.channels};
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      for (std::int64_t c = 0; c < like.channels; ++c)
        image.pixels.push_back(static_cast<std::byte>(value_at(y, x, c)));
  return image;
}

int value_of(const base::Image& image, std::int64_t y, std::int64_t x, std::int64_t c) {
  return static_cast<int>(
      image.pixels.at(static_cast<std::size_t>((y * image.width + x) * image.channels + c)));
}

void write(const std::filesystem::path& file, const base::Image& image, const char* driver,
           const std::string& option) {
  RasterSpec spec{
      .height = image.height, .width = image.width, .channels = image.channels, .driver = driver};
  for (const std::byte value : image.pixels) spec.values.push_back(static_cast<double>(value));
  if (!option.empty()) spec.options.push_back(option);
  write_raster(in_folder(file), spec);
}

}  // namespace

base::Image recoded_as_jpeg(const base::Image& image, int quality) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "copy.jpg";
  write(file, image, "JPEG", "QUALITY=" + std::to_string(quality));
  const GDALDatasetUniquePtr dataset(GDALDataset::Open(file.c_str(), GDAL_OF_RASTER));
  if (!dataset) throw std::runtime_error("GDAL did not read " + file.string());
  base::Image copy = image;
  const auto bands = static_cast<int>(image.channels);
  const auto width = static_cast<int>(image.width), height = static_cast<int>(image.height);
  if (dataset->RasterIO(GF_Read, 0, 0, width, height, copy.pixels.data(), width, height, GDT_Byte,
                        bands, nullptr, bands, static_cast<GSpacing>(bands) * width, 1,
                        nullptr) != CE_None)
    throw std::runtime_error("GDAL did not read the pixels of " + file.string());
  return copy;
}

base::Image brightened(const base::Image& image, double factor) {
  return picture(image, image.height, image.width,
                 [&](std::int64_t y, std::int64_t x, std::int64_t c) {
                   return std::min(255, static_cast<int>(factor * value_of(image, y, x, c)));
                 });
}

base::Image cropped(const base::Image& image, double share) {
  const auto top = static_cast<std::int64_t>(share * static_cast<double>(image.height) / 2);
  const auto left = static_cast<std::int64_t>(share * static_cast<double>(image.width) / 2);
  return picture(image, image.height - 2 * top, image.width - 2 * left,
                 [&](std::int64_t y, std::int64_t x, std::int64_t c) {
                   return value_of(image, y + top, x + left, c);
                 });
}

base::Image halved(const base::Image& image) {
  return picture(image, image.height / 2, image.width / 2,
                 [&](std::int64_t y, std::int64_t x, std::int64_t c) {
                   int sum = 0;
                   for (const std::int64_t dy : {0, 1})
                     for (const std::int64_t dx : {0, 1})
                       sum += value_of(image, 2 * y + dy, 2 * x + dx, c);
                   return sum / 4;
                 });
}

void write_png(const std::filesystem::path& file, const base::Image& image) {
  write(file, image, "PNG", "");
}

}  // namespace headroom::tests
