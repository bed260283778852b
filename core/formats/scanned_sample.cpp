#include "core/formats/scanned_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/image_stack.hpp"
#include "core/formats/label_reader.hpp"
#include "core/formats/mask_reader.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

class SampleScan {
 public:
  SampleScan(const fs::path& root, const FilePair& files, const AnnotationSet* annotations)
      : root_(root), annotations_(annotations) {
    sample_.files = files;
  }

  ScannedSample run() {
    attempt(sample_.files.image, "image-unreadable", [&] { read_first_image(); });
    for (const fs::path& file : sample_.files.more_images)
      attempt(file, "image-unreadable", [&] { read_further_image(file); });
    if (sample_.files.mask.empty()) {
      if (sample_.is_usable()) take_as_background();
    } else {
      if (!is_annotated() || sample_.is_usable())
        attempt(sample_.files.mask, "mask-unreadable", [&] { read_mask_file(); });
      if (sample_.is_usable()) compare_sizes();
    }
    return std::move(sample_);
  }

 private:
  void attempt(const fs::path& file, const char* code, const std::function<void()>& work) {
    try {
      if (!is_annotated() || file == sample_.files.image) digest(file);
      work();
    } catch (const base::Error& error) {
      const auto& parts = error.parts();
      const std::string detail = parts.detail.empty() ? "" : fmt::format(" ({})", parts.detail);
      add(base::Severity::error, code, file,
          fmt::format("{}; {}{}", parts.subject, parts.remedy, detail));
    }
  }

  [[nodiscard]] bool is_annotated() const { return !sample_.files.label_key.empty(); }
  [[nodiscard]] std::int64_t page() const { return sample_.files.page.value_or(0); }

  /// Once for all pages of a file.
  void digest(const fs::path& file) {
    if (page() > 0) return;
    sample_.digests.push_back(digest_file(root_ / file, base::display_path(file)));
  }

  void read_first_image() {
    first_ = read_image_file(sample_.files.image);
    sample_.height = first_.height;
    sample_.width = first_.width;
    sample_.type = first_.type;
    first_.pixels = {};
  }

  void read_further_image(const fs::path& file) {
    const base::Image image = read_image_file(file);
    if (first_.height == 0) return;  // the first one could not be read, which is a finding already
    const auto reason = why_not_stacked(sample_.files.image, first_, file, image);
    if (reason) {
      add(base::Severity::error, "channels-do-not-fit", file,
          *reason + "; give all channels of a sample in one size and depth");
    }
  }

  /// Counts its bands; without an alpha band.
  base::Image read_image_file(const fs::path& file) {
    RasterPixels raster = read_raster(root_ / file, page());
    const RasterInfo info = raster.info;
    base::Image image = as_image(std::move(raster), {.alpha = AlphaBand::drop_if_constant});
    sample_.channels += info.has_alpha ? info.channels - 1 : image.channels;
    if (info.has_alpha) {
      const bool was_dropped = image.channels < info.channels;
      if (!was_dropped || sample_.alpha == AlphaContent::none)
        sample_.alpha = was_dropped ? AlphaContent::constant : AlphaContent::varying;
      ++sample_.alpha_bands;
    }
    if (info.orientation != 1) {
      add(base::Severity::warning, "exif-orientation", file,
          fmt::format(
              "EXIF orientation {}: viewers show it turned; it and its mask are used as stored",
              info.orientation));
    }
    if (is_annotated() && info.pages > 1) {
      add(base::Severity::warning, "first-page-used", file,
          fmt::format("it has {} pages; the annotations are used with the first", info.pages));
    }
    return image;
  }

  void take_as_background() {
    sample_.census = {.height = sample_.height, .width = sample_.width};
    if (!sample_.files.valid_area) return;
    attempt(*sample_.files.valid_area, "valid-area-unreadable", [&] {
      base::LabelImage labels{.height = sample_.height, .width = sample_.width};
      labels.labels.resize(static_cast<std::size_t>(sample_.height * sample_.width));
      ignore_outside(root_ / *sample_.files.valid_area, labels);
      sample_.census.ignored_pixels = std::ranges::count(labels.labels, base::kIgnoreLabel);
    });
  }

  void read_mask_file() {
    std::optional<fs::path> area;
    if (sample_.files.valid_area) {
      digest(*sample_.files.valid_area);
      area = root_ / *sample_.files.valid_area;
    }
    const ImageSize size{sample_.height, sample_.width};
    if (is_annotated()) check_annotations(size);
    LabelPixels labels = read_label_pixels({.mask = root_ / sample_.files.mask,
                                            .page = page(),
                                            .key = sample_.files.label_key,
                                            .image_size = size},
                                           annotations_);
    sample_.census = take_census(std::move(labels.mask), area);
    sample_.census.overlapping_pixels = labels.overlapping_pixels;
  }

  void check_annotations(const ImageSize& size) {
    for (base::Finding& finding : annotations_->check(sample_.files.label_key, size))
      sample_.findings.push_back(std::move(finding));
  }

  void compare_sizes() {
    const MaskCensus& mask = sample_.census;
    if (mask.height == sample_.height && mask.width == sample_.width) return;
    add(base::Severity::error, "mask-size-differs", sample_.files.mask,
        fmt::format("{}: {}x{} pixels, its image {} has {}x{}; give a mask of the image's size",
                    base::display_path(sample_.files.mask), mask.width, mask.height,
                    base::display_path(sample_.files.image), sample_.width, sample_.height));
  }

  void add(base::Severity severity, const char* code, const fs::path& file, std::string message) {
    sample_.findings.push_back({severity, code, base::display_path(file), std::move(message)});
  }

  const fs::path& root_;
  const AnnotationSet* annotations_;
  base::Image first_;  ///< without pixels
  ScannedSample sample_;
};

}  // namespace

bool ScannedSample::is_usable() const {
  return std::ranges::none_of(findings, [](const base::Finding& finding) {
    return finding.severity == base::Severity::error;
  });
}

ScannedSample scan_sample(const std::filesystem::path& root, const FilePair& files,
                          const AnnotationSet* annotations) {
  return SampleScan(root, files, annotations).run();
}

}  // namespace headroom::formats
