#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/image_stack.hpp"
#include "core/formats/label_reader.hpp"
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

class RasterSampleReader final : public data::SampleReader {
 public:
  explicit RasterSampleReader(const Dataset& dataset)
      : mapping_(dataset.mapping),
        alpha_(dataset.alpha),
        background_(dataset.background),
        annotations_(dataset.annotations),
        volumes_(dataset.volumes) {}

 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    data::DecodedSample decoded;
    if (sample.volume >= 0) {
      decoded.image = volumes_->image_slice(sample.volume, sample.page);
      decoded.labels = map_labels(volumes_->label_slice(sample.volume, sample.page), mapping_);
      ignore_missing_pixels(decoded.image, decoded.labels);
      return decoded;
    }
    decoded.image =
        read_stacked(sample.image, sample.more_images, {.alpha = alpha_, .page = sample.page});
    check_size(sample.image, sample, decoded.image.height, decoded.image.width);
    decoded.labels = read_labels(sample);
    check_size(sample.mask, sample, decoded.labels.height, decoded.labels.width);
    if (sample.valid_area) ignore_outside(*sample.valid_area, decoded.labels);
    ignore_missing_pixels(decoded.image, decoded.labels);
    return decoded;
  }

  [[nodiscard]] base::LabelImage read_labels(const data::Sample& sample) const {
    if (!sample.mask.empty()) {
      return map_labels(read_label_pixels({.mask = sample.mask,
                                           .page = sample.page,
                                           .key = sample.label_key,
                                           .image_size = {sample.height, sample.width}},
                                          annotations_.get())
                            .mask,
                        mapping_);
    }
    const auto pixels = static_cast<std::size_t>(sample.height * sample.width);
    return {.height = sample.height,
            .width = sample.width,
            .labels = std::vector<std::uint8_t>(pixels, background_)};
  }

  const base::ClassMapping mapping_;
  const AlphaBand alpha_;
  const std::uint8_t background_;
  const std::shared_ptr<const AnnotationSet> annotations_;
  const std::shared_ptr<const VolumeReader> volumes_;
};

}  // namespace

std::shared_ptr<const data::SampleReader> make_sample_reader(const Dataset& dataset) {
  return std::make_shared<RasterSampleReader>(dataset);
}

}  // namespace headroom::formats
