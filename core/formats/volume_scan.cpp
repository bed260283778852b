#include "core/formats/volume_scan.hpp"

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

class SliceScan {
 public:
  SliceScan(const fs::path& root, const FilePair& slice, const VolumeReader& volumes)
      : root_(root), volumes_(volumes) {
    sample_.files = slice;
  }

  ScannedSample run() {
    attempt(sample_.files.image, "image-unreadable", [&] {
      if (page() == 0) digest_files();
      const base::Image image = volumes_.image_slice(sample_.files.volume, page());
      sample_.height = image.height;
      sample_.width = image.width;
      sample_.type = image.type;
      sample_.channels = image.channels;
      sample_.picture = digest_picture(image);
      const VolumePair& pair = volumes_.pair(sample_.files.volume);
      if (pair.image.series) {
        sample_.patient = pair.image.series->patient;
        sample_.series = pair.image.series->uid;
      }
    });
    attempt(sample_.files.mask, "mask-unreadable", [&] {
      sample_.census =
          take_census(volumes_.label_slice(sample_.files.volume, page()), std::nullopt);
      if (page() == 0) describe_labels();
    });
    return std::move(sample_);
  }

 private:
  [[nodiscard]] std::int64_t page() const { return sample_.files.page.value_or(0); }

  void attempt(const fs::path& file, const char* code, const std::function<void()>& work) {
    try {
      work();
    } catch (const base::Error& error) {
      const auto& parts = error.parts();
      add(base::Severity::error, code, file, fmt::format("{}; {}", parts.subject, parts.remedy));
    }
  }

  void digest_files() {
    for (const fs::path& file : files_of(volumes_.pair(sample_.files.volume)))
      sample_.digests.push_back(digest_file(root_ / file, base::display_path(file)));
  }

  void describe_labels() {
    const VolumePair& pair = volumes_.pair(sample_.files.volume);
    if (!pair.labels.segmentation) return;
    const DicomHeader& segmentation = *pair.labels.segmentation;
    const std::int64_t overlapping = volumes_.overlapping_voxels(sample_.files.volume);
    if (overlapping > 0) {
      add(base::Severity::warning, "segments-overlap", pair.labels.file,
          fmt::format("{} voxels lie in several segments; the segment that is listed last has them",
                      overlapping));
    }
    if (segmentation.segmentation_type == "FRACTIONAL") {
      add(base::Severity::info, "segments-fractional", pair.labels.file,
          fmt::format("its fractions of 0 to {} are taken as part of their segment from {} on",
                      segmentation.most_fractional, (segmentation.most_fractional + 1) / 2));
    }
    const auto described = static_cast<std::int64_t>(segmentation.frames.size());
    if (segmentation.frame_count < described) {
      add(base::Severity::warning, "frames-missing", pair.labels.file,
          fmt::format("it describes {} frames and has {}; what the others show is background",
                      described, segmentation.frame_count));
    }
  }

  void add(base::Severity severity, const char* code, const fs::path& file, std::string message) {
    sample_.findings.push_back({severity, code, base::display_path(file), std::move(message)});
  }

  const fs::path& root_;
  const VolumeReader& volumes_;
  ScannedSample sample_;
};

}  // namespace

ScannedSample scan_slice(const std::filesystem::path& root, const FilePair& slice,
                         const VolumeReader& volumes) {
  return SliceScan(root, slice, volumes).run();
}

}  // namespace headroom::formats
