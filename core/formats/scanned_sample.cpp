#include "core/formats/scanned_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/dicom_header.hpp"
#include "core/formats/image_stack.hpp"
#include "core/formats/label_reader.hpp"
#include "core/formats/mask_reader.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

/// Image and mask, which take about as long.
constexpr std::int64_t kFilesOfSample = 2;

/// Whether the last band of an image that comes in parts has one value only.
class LastBand {
 public:
  void add(const base::Image& part) {
    const auto bytes = static_cast<std::size_t>(base::bytes_of(part.type));
    const std::size_t pixel_bytes = bytes * static_cast<std::size_t>(part.channels);
    const auto value_at = [&](std::size_t pixel_end) {
      return std::span(part.pixels).subspan(pixel_end - bytes, bytes);
    };
    if (first_.empty()) {
      const auto first = value_at(pixel_bytes);
      first_.assign(first.begin(), first.end());
    }
    for (std::size_t end = pixel_bytes; is_constant_ && end <= part.pixels.size();
         end += pixel_bytes) {
      is_constant_ = std::memcmp(value_at(end).data(), first_.data(), bytes) == 0;
    }
  }
  [[nodiscard]] bool is_constant() const { return is_constant_; }

 private:
  std::vector<std::byte> first_;
  bool is_constant_ = true;
};

class SampleScan {
 public:
  SampleScan(const fs::path& root, const FilePair& files, const ScanContext& context)
      : root_(root), context_(context) {
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
      if (error.kind() == base::ErrorKind::interrupted) throw;
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
    PageReader reader(root_ / sample_.files.image, page());
    const RasterInfo& info = reader.info();
    first_ = described(info);
    sample_.height = info.height;
    sample_.width = info.width;
    sample_.type = first_.type;
    sample_.block = reading_block(info);
    sample_.geo = info.geo;
    if (info.format == "DICOM") take_origin();
    PictureDigester picture(info.height, info.width);
    read_image_file(sample_.files.image, reader, &picture);
    sample_.picture = picture.digest();
    if (is_annotated() && info.pages > 1) {
      add(base::Severity::warning, "first-page-used", sample_.files.image,
          fmt::format("it has {} pages; the annotations are used with the first", info.pages));
    }
  }

  void take_origin() {
    const auto header = read_dicom_header(root_ / sample_.files.image);
    if (!header) return;
    sample_.patient = header->patient;
    sample_.series = header->series;
  }

  void read_further_image(const fs::path& file) {
    PageReader reader(root_ / file, page());
    sample_.block = common_block(sample_.block, reading_block(reader.info()));
    read_image_file(file, reader, nullptr);
    if (first_.height == 0) return;  // the first one could not be read, which is a finding already
    const auto reason =
        why_not_stacked(sample_.files.image, first_, file, described(reader.info()));
    if (reason) {
      add(base::Severity::error, "channels-do-not-fit", file,
          *reason + "; give all channels of a sample in one size and depth");
    }
  }

  /// The image that a page becomes, without its pixels.
  static base::Image described(const RasterInfo& info) {
    const bool is_palette = info.kind == RasterKind::palette;
    return {.height = info.height,
            .width = info.width,
            .type = is_palette ? base::PixelType::u8 : info.type,
            .nodata = is_palette ? std::nullopt : info.nodata};
  }

  /// Counts its bands; without an alpha band. `picture` may be null.
  void read_image_file(const fs::path& file, PageReader& reader, PictureDigester* picture) {
    const RasterInfo& info = reader.info();
    const bool is_palette = info.kind == RasterKind::palette;
    sample_.channels += is_palette ? 3 : info.channels - (info.has_alpha ? 1 : 0);
    const AlphaContent alpha = read_parts(reader, picture);
    if (info.has_alpha) {
      if (alpha == AlphaContent::varying || sample_.alpha == AlphaContent::none)
        sample_.alpha = alpha;
      ++sample_.alpha_bands;
    }
    warn_of_slow_windows(file, info);
    note_orientation(file, info.orientation);
  }

  /// Every pixel, so that damage is found now.
  AlphaContent read_parts(PageReader& reader, PictureDigester* picture) const {
    const std::vector<base::PixelWindow> parts = parts_of(reader.info());
    LastBand alpha;
    std::int64_t done = 0;
    for (const base::PixelWindow& part : parts) {
      RasterPixels pixels = reader.read(part);
      if (reader.info().has_alpha) alpha.add(pixels.image);
      if (picture != nullptr)
        picture->add(as_image(std::move(pixels), {.alpha = AlphaBand::drop}), part);
      if (parts.size() > 1) context_.after_part(++done, kFilesOfSample * std::ssize(parts));
    }
    if (!reader.info().has_alpha) return AlphaContent::none;
    return alpha.is_constant() ? AlphaContent::constant : AlphaContent::varying;
  }

  void take_as_background() {
    sample_.census = {.height = sample_.height, .width = sample_.width};
    if (!sample_.files.valid_area) return;
    attempt(*sample_.files.valid_area, "valid-area-unreadable", [&] {
      base::LabelImage labels{.height = sample_.height, .width = sample_.width};
      labels.labels.resize(static_cast<std::size_t>(sample_.height * sample_.width));
      ignore_outside(read_mask_pixels(root_ / *sample_.files.valid_area), labels);
      sample_.census.ignored_pixels = std::ranges::count(labels.labels, base::kIgnoreLabel);
    });
  }

  void warn_of_slow_windows(const fs::path& file, const RasterInfo& info) {
    constexpr std::int64_t kLargeBytes = std::int64_t{256} << 20;
    const std::int64_t bytes = info.height * info.width * info.channels * base::bytes_of(info.type);
    if (bytes <= kLargeBytes || info.block.width < info.width) return;
    add(base::Severity::warning, "large-without-tiles", file,
        fmt::format("its {}x{} pixels are not stored in tiles, so that each training tile costs "
                    "reading much more of it; make it a tiled GeoTIFF (gdal_translate -co "
                    "TILED=YES -co COMPRESS=DEFLATE IN OUT.tif)",
                    info.width, info.height));
  }

  void read_mask_file() {
    std::optional<fs::path> area;
    if (sample_.files.valid_area) {
      digest(*sample_.files.valid_area);
      area = root_ / *sample_.files.valid_area;
    }
    if (is_annotated()) {
      read_annotations(area);
      return;
    }
    sample_.census = take_census(root_ / sample_.files.mask, area, page(),
                                 [&](std::int64_t done, std::int64_t parts) {
                                   context_.after_part(parts + done, kFilesOfSample * parts);
                                 });
    sample_.block = common_block(sample_.block, sample_.census.block);
    note_orientation(sample_.files.mask, sample_.census.orientation);
  }

  void read_annotations(const std::optional<fs::path>& area) {
    const ImageSize size{sample_.height, sample_.width};
    for (base::Finding& finding : context_.annotations->check(sample_.files.label_key, size))
      sample_.findings.push_back(std::move(finding));
    LabelPixels labels = read_label_pixels({.mask = root_ / sample_.files.mask,
                                            .page = page(),
                                            .key = sample_.files.label_key,
                                            .image_size = size},
                                           context_.annotations);
    sample_.census = take_census(std::move(labels.mask), area);
    sample_.census.overlapping_pixels = labels.overlapping_pixels;
  }

  void note_orientation(const fs::path& file, std::int64_t orientation) {
    if (orientation == 1) return;
    add(base::Severity::warning, "exif-orientation", file,
        fmt::format("EXIF orientation {}: viewers show it turned; image and mask are both used as "
                    "stored",
                    orientation));
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
  const ScanContext& context_;
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
                          const ScanContext& context) {
  return SampleScan(root, files, context).run();
}

}  // namespace headroom::formats
