#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/mask_reader.hpp"
#include "core/formats/scan.hpp"

namespace headroom::formats {

namespace {

/// Where every band is NaN, infinite or nodata there is nothing to learn from.
void ignore_missing_pixels(const base::Image& image, base::LabelImage& labels) {
  const bool is_real = image.type == base::PixelType::f32 || image.type == base::PixelType::f64;
  if (!is_real && !image.nodata) return;
  data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const T* value = data::values_of<T>(image);
    for (std::uint8_t& label : labels.labels) {
      bool is_missing = true;
      for (std::int64_t channel = 0; channel < image.channels; ++channel, ++value) {
        const auto number = static_cast<double>(*value);
        is_missing = is_missing && (!std::isfinite(number) || number == image.nodata);
      }
      if (is_missing) label = base::kIgnoreLabel;
    }
  });
}

void check_size(const std::filesystem::path& file, const data::Sample& sample, std::int64_t height,
                std::int64_t width) {
  if (height == sample.height && width == sample.width) return;
  throw base::Error(base::ErrorKind::unusable_data,
                    {"reading a sample",
                     fmt::format("{}: {}x{} pixels, the scan saw {}x{}", base::display_path(file),
                                 width, height, sample.width, sample.height),
                     "do not change the data while it is used; start again"});
}

/// The whole image of a sample that is a part of it.
data::Sample whole_of(data::Sample sample) {
  sample.height = sample.part->image_height;
  sample.width = sample.part->image_width;
  sample.part.reset();
  return sample;
}

/// Rows and columns of [height, width] values of `value_bytes` each.
template <typename Value>
std::vector<Value> cut_out(const std::vector<Value>& values, std::int64_t value_bytes,
                           const data::Sample& sample) {
  const std::int64_t row = sample.part->image_width * value_bytes;
  std::vector<Value> part;
  part.reserve(static_cast<std::size_t>(sample.height * sample.width * value_bytes));
  for (std::int64_t y = 0; y < sample.height; ++y) {
    const auto first =
        values.begin() + (sample.part->top + y) * row + sample.part->left * value_bytes;
    part.insert(part.end(), first, first + sample.width * value_bytes);
  }
  return part;
}

data::DecodedSample part_of(data::DecodedSample whole, const data::Sample& sample) {
  const std::int64_t pixel_bytes = whole.image.channels * base::bytes_of(whole.image.type);
  whole.image.pixels = cut_out(whole.image.pixels, pixel_bytes, sample);
  whole.labels.labels = cut_out(whole.labels.labels, 1, sample);
  whole.image.height = whole.labels.height = sample.height;
  whole.image.width = whole.labels.width = sample.width;
  return whole;
}

class RasterSampleReader final : public data::SampleReader {
 public:
  RasterSampleReader(base::ClassMapping mapping, AlphaBand alpha)
      : mapping_(std::move(mapping)), alpha_(alpha) {}

 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    if (sample.part) return part_of(do_read(whole_of(sample)), sample);
    data::DecodedSample decoded;
    decoded.image = read_image(sample.image, {.alpha = alpha_, .page = sample.page});
    check_size(sample.image, sample, decoded.image.height, decoded.image.width);
    decoded.labels = read_mask(sample.mask, mapping_, sample.page);
    check_size(sample.mask, sample, decoded.labels.height, decoded.labels.width);
    if (sample.valid_area) ignore_outside(*sample.valid_area, decoded.labels);
    ignore_missing_pixels(decoded.image, decoded.labels);
    return decoded;
  }

  const base::ClassMapping mapping_;
  const AlphaBand alpha_;
};

}  // namespace

std::shared_ptr<const data::SampleReader> make_sample_reader(const Dataset& dataset) {
  return std::make_shared<RasterSampleReader>(dataset.mapping, dataset.alpha);
}

}  // namespace headroom::formats
