#include "core/formats/volume_match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/dicom_segmentation.hpp"

namespace headroom::formats {

namespace {

using base::Severity;

using Words = std::vector<std::string>;

/// In lower case, cut at folders, dots, blanks, '_' and '-'.
Words words_of(const std::filesystem::path& path) {
  Words words(1);
  for (const char c : path.generic_string()) {
    if (c == '/' || c == '.' || c == ' ' || c == '_' || c == '-') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return words;
}

/// How close two names are: words that both begin with, then whether they stand in one folder.
struct Closeness {
  std::int64_t words = 0;
  bool is_same_folder = false;
  friend auto operator<=>(const Closeness&, const Closeness&) = default;
};

class Matching {
 public:
  Matching(const std::vector<VolumeImage>& images, const std::vector<VolumeLabels>& labels)
      : images_(images), labels_(labels), fits_(images.size() * labels.size()) {
    for (const VolumeImage& image : images) {
      image_words_.push_back(words_of(image.path));
      if (image.series) series_.insert(image.series->uid);
    }
    for (const VolumeLabels& each : labels) label_words_.push_back(words_of(each.file));
    for (std::size_t image = 0; image < images.size(); ++image) {
      for (std::size_t label = 0; label < labels.size(); ++label) {
        auto& map = fits_[image * labels.size() + label];
        map = fit(images[image], labels[label]);
        if (!map) continue;
        most_words_[label] = std::max(most_words_[label], closeness_of(image, label).words);
      }
    }
  }

  VolumeMatch run(std::optional<SliceAxis> wanted) {
    for (std::size_t image = 0; image < images_.size(); ++image) {
      const auto label = choose(image);
      if (!label) {
        report_unlabelled(image);
        continue;
      }
      VolumePair pair{.image = images_[image], .labels = labels_[*label]};
      pair.labels.from_image = *map_at(image, *label);
      pair.axis = slice_axis_of(pair.image, wanted);
      match_.pairs.push_back(std::move(pair));
    }
    for (std::size_t label = 0; label < labels_.size(); ++label) {
      if (most_words_[label] < 0 && !is_reported_[label]) report_stray(labels_[label]);
    }
    require_one_kind();
    return std::move(match_);
  }

 private:
  /// Values of NIfTI and names of segmentations cannot stand in one mapping.
  void require_one_kind() {
    const auto is_segmentation = [](const VolumePair& pair) {
      return pair.labels.segmentation.has_value();
    };
    const auto segmented = std::ranges::find_if(match_.pairs, is_segmentation);
    const auto valued = std::ranges::find_if_not(match_.pairs, is_segmentation);
    if (segmented == match_.pairs.end() || valued == match_.pairs.end()) return;
    match_.findings.push_back(
        {Severity::error, "labels-of-two-kinds", base::display_path(valued->labels.file),
         fmt::format("its labels are values, those of {} have names; give labels of one kind",
                     base::display_path(segmented->labels.file))});
    std::erase_if(match_.pairs, [&](const VolumePair& pair) { return !is_segmentation(pair); });
  }

  [[nodiscard]] const std::optional<AxisMap>& map_at(std::size_t image, std::size_t label) const {
    return fits_[image * labels_.size() + label];
  }

  [[nodiscard]] Closeness closeness_of(std::size_t image, std::size_t label) const {
    const Words &ours = image_words_[image], &theirs = label_words_[label];
    return {
        .words = std::ranges::mismatch(ours, theirs).in1 - ours.begin(),
        .is_same_folder = images_[image].path.parent_path() == labels_[label].file.parent_path()};
  }

  [[nodiscard]] std::optional<AxisMap> fit(const VolumeImage& image,
                                           const VolumeLabels& labels) const {
    if (!labels.segmentation) return match_grids(image.geometry, labels.geometry);
    const DicomHeader& segmentation = *labels.segmentation;
    const bool is_other_series =
        !segmentation.segmented_series.empty() && series_.contains(segmentation.segmented_series) &&
        !(image.series && image.series->uid == segmentation.segmented_series);
    if (is_other_series || !fits_grid(segmentation, image.geometry)) return std::nullopt;
    return AxisMap{};
  }

  std::optional<std::size_t> choose(std::size_t image) {
    std::optional<std::size_t> chosen;
    std::vector<std::size_t> others;
    for (std::size_t label = 0; label < labels_.size(); ++label) {
      if (!map_at(image, label)) continue;
      const Closeness closeness = closeness_of(image, label);
      // Grids may be equal for all patients: labels stay with the image whose name is closest.
      if (closeness.words < most_words_[label]) continue;
      if (!chosen) {
        chosen = label;
      } else if (closeness > closeness_of(image, *chosen)) {
        others.push_back(std::exchange(*chosen, label));
      } else {
        others.push_back(label);
      }
    }
    if (!others.empty()) {
      match_.findings.push_back(
          {Severity::warning, "other-labels", base::display_path(labels_[others.front()].file),
           fmt::format("this and {} more label volumes also fit {}; {} is used. Move the others "
                       "away, or it, if another one is wanted",
                       others.size() - 1, images_[image].name,
                       base::display_path(labels_[*chosen].file))});
    }
    return chosen;
  }

  /// With the grids of both where the image has labels by its name.
  void report_unlabelled(std::size_t index) {
    const VolumeImage& image = images_[index];
    match_.unlabelled.push_back(image.path);
    std::optional<std::size_t> near;
    for (std::size_t label = 0; label < labels_.size(); ++label) {
      if (most_words_[label] >= 0 || is_reported_[label]) continue;
      if (!near || closeness_of(index, label) > closeness_of(index, *near)) near = label;
    }
    if (!near) {
      match_.findings.push_back(
          {Severity::warning, "mask-missing", image.name,
           fmt::format("no label volume lies on its grid ({}); it is not used",
                       describe(image.geometry))});
      return;
    }
    is_reported_[*near] = true;
    const VolumeLabels& labels = labels_[*near];
    match_.findings.push_back(
        {Severity::error, "geometry-differs", base::display_path(labels.file),
         fmt::format("it has {}, the image {} has {}; resample the labels to the image's grid, or "
                     "move one of them away",
                     describe_labels(labels), image.name, describe(image.geometry))});
  }

  static std::string describe_labels(const VolumeLabels& labels) {
    if (!labels.segmentation) return describe(labels.geometry);
    const DicomHeader& segmentation = *labels.segmentation;
    std::vector<std::string> names;
    for (const DicomSegment& segment : segmentation.segments) names.push_back(segment.label);
    return fmt::format(
        "{} frames like the first of {} with the segments {}, drawn on the series {}",
        segmentation.frame_count, describe(labels.geometry), fmt::join(names, ", "),
        segmentation.segmented_series);
  }

  void report_stray(const VolumeLabels& labels) {
    match_.findings.push_back(
        {Severity::warning, "image-missing", base::display_path(labels.file),
         fmt::format("no image lies where these labels lie ({})", describe_labels(labels))});
  }

  const std::vector<VolumeImage>& images_;
  const std::vector<VolumeLabels>& labels_;
  std::vector<std::optional<AxisMap>> fits_;  ///< [image][label]
  std::vector<Words> image_words_, label_words_;
  std::set<std::string> series_;  ///< of the images
  /// That a label has in common with the closest image that it fits; -1: it fits none.
  std::vector<std::int64_t> most_words_ = std::vector<std::int64_t>(labels_.size(), -1);
  std::vector<bool> is_reported_ = std::vector<bool>(labels_.size());
  VolumeMatch match_;
};

}  // namespace

VolumeMatch match_volumes(const std::vector<VolumeImage>& images,
                          const std::vector<VolumeLabels>& labels,
                          std::optional<SliceAxis> wanted) {
  return Matching(images, labels).run(wanted);
}

}  // namespace headroom::formats
