#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/mask_reader.hpp"
#include "core/formats/raster_parts.hpp"
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

/// A file of a sample, as large as the scan saw it.
PageReader open_page(const std::filesystem::path& file, std::int64_t page,
                     const data::Sample& sample) {
  PageReader reader(file, page);
  const RasterInfo& info = reader.info();
  if (info.height == sample.height && info.width == sample.width) return reader;
  throw base::Error(base::ErrorKind::unusable_data,
                    {"reading a sample",
                     fmt::format("{}: {}x{} pixels, the scan saw {}x{}", base::display_path(file),
                                 info.width, info.height, sample.width, sample.height),
                     "do not change the data while it is used; start again"});
}

MaskPixels read_mask_part(const std::filesystem::path& file, std::int64_t page,
                          const data::Sample& sample, const base::PixelWindow& window) {
  return mask_pixels_of(file, open_page(file, page, sample).read(window), window);
}

class RasterSampleReader final : public data::SampleReader {
 public:
  RasterSampleReader(base::ClassMapping mapping, AlphaBand alpha)
      : mapping_(std::move(mapping)), alpha_(alpha) {}

 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    return do_read_window(sample, {.width = sample.width, .height = sample.height});
  }

  [[nodiscard]] data::DecodedSample do_read_window(const data::Sample& sample,
                                                   const base::PixelWindow& window) const override {
    data::DecodedSample decoded;
    decoded.image = as_image(open_page(sample.image, sample.page, sample).read(window),
                             {.alpha = alpha_, .page = sample.page});
    decoded.labels = labels_of(read_mask_part(sample.mask, sample.page, sample, window), mapping_);
    if (sample.valid_area)
      ignore_outside(read_mask_part(*sample.valid_area, 0, sample, window), decoded.labels);
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
