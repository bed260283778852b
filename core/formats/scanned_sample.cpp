#include "core/formats/scanned_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

class SampleScan {
 public:
  SampleScan(const fs::path& root, const FilePair& files) : root_(root) { sample_.files = files; }

  ScannedSample run() {
    attempt(sample_.files.image, "image-unreadable", [&] { read_image_file(); });
    attempt(sample_.files.mask, "mask-unreadable", [&] { read_mask_file(); });
    if (sample_.is_usable()) compare_sizes();
    return std::move(sample_);
  }

 private:
  void attempt(const fs::path& file, const char* code, const std::function<void()>& work) {
    try {
      digest(file);
      work();
    } catch (const base::Error& error) {
      const auto& parts = error.parts();
      const std::string detail = parts.detail.empty() ? "" : fmt::format(" ({})", parts.detail);
      add(base::Severity::error, code, file,
          fmt::format("{}; {}{}", parts.subject, parts.remedy, detail));
    }
  }

  [[nodiscard]] std::int64_t page() const { return sample_.files.page.value_or(0); }

  /// Once for all pages of a file.
  void digest(const fs::path& file) {
    if (page() > 0) return;
    sample_.digests.push_back(digest_file(root_ / file, base::display_path(file)));
  }

  void read_image_file() {
    RasterPixels raster = read_raster(root_ / sample_.files.image, page());
    const RasterInfo info = raster.info;
    const base::Image image = as_image(std::move(raster), {.alpha = AlphaBand::drop_if_constant});
    sample_.height = info.height;
    sample_.width = info.width;
    sample_.type = image.type;
    sample_.channels = image.channels;
    sample_.picture = digest_picture(image);
    sample_.geo = info.geo;
    if (info.format == "DICOM") sample_.origin = read_dicom_origin(root_ / sample_.files.image);
    if (info.has_alpha) {
      const bool was_dropped = image.channels < info.channels;
      sample_.alpha = was_dropped ? AlphaContent::constant : AlphaContent::varying;
      sample_.channels = info.channels - 1;
    }
    if (info.orientation != 1) {
      add(base::Severity::warning, "exif-orientation", sample_.files.image,
          fmt::format(
              "EXIF orientation {}: viewers show it turned; it and its mask are used as stored",
              info.orientation));
    }
  }

  void read_mask_file() {
    std::optional<fs::path> area;
    if (sample_.files.valid_area) {
      digest(*sample_.files.valid_area);
      area = root_ / *sample_.files.valid_area;
    }
    sample_.census = take_census(root_ / sample_.files.mask, area, page());
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
  ScannedSample sample_;
};

}  // namespace

bool ScannedSample::is_usable() const {
  return std::ranges::none_of(findings, [](const base::Finding& finding) {
    return finding.severity == base::Severity::error;
  });
}

ScannedSample scan_sample(const std::filesystem::path& root, const FilePair& files) {
  return SampleScan(root, files).run();
}

}  // namespace headroom::formats
