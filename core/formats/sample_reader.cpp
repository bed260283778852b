#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/image_parts.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/annotation_set.hpp"
#include "core/formats/image_stack.hpp"
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

/// The whole image of a sample that is a part of it.
data::Sample whole_of(data::Sample sample) {
  sample.height = sample.part->image_height;
  sample.width = sample.part->image_width;
  sample.part.reset();
  return sample;
}

class DatasetReader final : public data::SampleReader {
 public:
  explicit DatasetReader(const Dataset& dataset)
      : mapping_(dataset.mapping),
        alpha_(dataset.alpha),
        background_(dataset.background),
        annotations_(dataset.annotations),
        volumes_(dataset.volumes) {}

 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    const base::PixelWindow whole = {.width = sample.width, .height = sample.height};
    if (sample.part) return do_read_window(sample, whole);
    return sample.volume >= 0 ? read_slice(sample) : read_files(sample, whole);
  }

  [[nodiscard]] data::DecodedSample do_read_window(const data::Sample& sample,
                                                   const base::PixelWindow& window) const override {
    if (sample.part) {
      return do_read_window(whole_of(sample), {.left = sample.part->left + window.left,
                                               .top = sample.part->top + window.top,
                                               .width = window.width,
                                               .height = window.height});
    }
    if (sample.volume < 0) return read_files(sample, window);
    const data::DecodedSample whole = read_slice(sample);
    return {data::crop(whole.image, window), data::crop(whole.labels, window)};
  }

  [[nodiscard]] data::DecodedSample read_slice(const data::Sample& sample) const {
    data::DecodedSample decoded;
    decoded.image = volumes_->image_slice(sample.volume, sample.page);
    decoded.labels = map_labels(volumes_->label_slice(sample.volume, sample.page), mapping_);
    ignore_missing_pixels(decoded.image, decoded.labels);
    return decoded;
  }

  [[nodiscard]] data::DecodedSample read_files(const data::Sample& sample,
                                               const base::PixelWindow& window) const {
    data::DecodedSample decoded;
    decoded.image = read_bands(sample, window);
    decoded.labels = read_labels(sample, window);
    if (sample.valid_area)
      ignore_outside(read_mask_part(*sample.valid_area, 0, sample, window), decoded.labels);
    ignore_missing_pixels(decoded.image, decoded.labels);
    return decoded;
  }

  [[nodiscard]] base::Image read_image_part(const std::filesystem::path& file,
                                            const data::Sample& sample,
                                            const base::PixelWindow& window) const {
    return as_image(open_page(file, sample.page, sample).read(window),
                    {.alpha = alpha_, .page = sample.page});
  }

  /// Of all files of the image.
  [[nodiscard]] base::Image read_bands(const data::Sample& sample,
                                       const base::PixelWindow& window) const {
    base::Image first = read_image_part(sample.image, sample, window);
    if (sample.more_images.empty()) return first;
    std::vector<base::Image> images = {std::move(first)};
    for (const std::filesystem::path& file : sample.more_images) {
      images.push_back(read_image_part(file, sample, window));
      if (auto reason = why_not_stacked(sample.image, images.front(), file, images.back())) {
        throw base::Error(base::ErrorKind::unusable_data,
                          {"reading a sample", std::move(*reason),
                           "give all channels of a sample in one size and depth"});
      }
    }
    return stack_bands(images);
  }

  [[nodiscard]] base::LabelImage read_labels(const data::Sample& sample,
                                             const base::PixelWindow& window) const {
    if (sample.mask.empty()) {
      const auto pixels = static_cast<std::size_t>(window.height * window.width);
      return {.height = window.height,
              .width = window.width,
              .labels = std::vector<std::uint8_t>(pixels, background_)};
    }
    if (sample.label_key.empty())
      return map_labels(read_mask_part(sample.mask, sample.page, sample, window), mapping_);
    const ImageSize size{sample.height, sample.width};
    return map_labels(annotations_->read(sample.label_key, size, window).mask, mapping_);
  }

  const base::ClassMapping mapping_;
  const AlphaBand alpha_;
  const std::uint8_t background_;
  const std::shared_ptr<const AnnotationSet> annotations_;
  const std::shared_ptr<const VolumeReader> volumes_;
};

}  // namespace

std::shared_ptr<const data::SampleReader> make_sample_reader(const Dataset& dataset) {
  return std::make_shared<DatasetReader>(dataset);
}

}  // namespace headroom::formats
