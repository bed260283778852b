#include "core/formats/volume_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/dicom_segmentation.hpp"
#include "core/formats/folder_listing.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/nifti_file.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/stem_index.hpp"
#include "core/formats/volume_match.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

/// By extension, else by the mark behind the preamble: files of archives have names without one.
bool is_dicom_file(const fs::path& file) {
  constexpr std::array<std::string_view, 3> kExtensions = {".dcm", ".dicom", ".ima"};
  if (std::ranges::find(kExtensions, lower_extension(file)) != kExtensions.end()) return true;
  std::error_code failure;
  if (has_raster_extension(file) || !fs::is_regular_file(file, failure)) return false;
  constexpr std::string_view kMark = "DICM";
  std::array<char, 132> begin{};
  std::ifstream(file, std::ios::binary)
      .read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return std::string_view(begin.data() + begin.size() - kMark.size(), kMark.size()) == kMark;
}

bool is_volume_file(const fs::path& file) { return is_nifti_name(file) || is_dicom_file(file); }

/// By its own name, else by the nearest folder that says anything.
bool names_labels(const fs::path& file) {
  if (role_of_folder(stem_of(file)).role == FolderRole::masks) return true;
  for (fs::path folder = file.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    const FolderRole role = role_of_folder(folder.filename().string()).role;
    if (role != FolderRole::none) return role == FolderRole::masks;
  }
  return false;
}

class Search {
 public:
  Search(const fs::path& root, std::stop_token stop) : root_(root), stop_(std::move(stop)) {}

  VolumeSearch run(std::optional<SliceAxis> wanted) {
    FolderListing listing = list_files(root_, is_volume_file, stop_);
    found_.findings = std::move(listing.findings);
    std::vector<fs::path> dicom;
    for (const ListedFolder& folder : listing.folders) {
      for (const fs::path& name : folder.names) {
        if (is_nifti_name(name)) {
          add_nifti(folder.path / name);
        } else {
          dicom.push_back(folder.path / name);
        }
      }
    }
    add_dicom(dicom);
    std::ranges::sort(images_, {}, &VolumeImage::name);
    found_.images = static_cast<std::int64_t>(images_.size());
    found_.label_volumes = static_cast<std::int64_t>(labels_.size());
    VolumeMatch match = match_volumes(images_, labels_, wanted);
    append(std::move(match.findings));
    found_.pairs = std::move(match.pairs);
    found_.unlabelled = std::move(match.unlabelled);
    report_pairs();
    found_.has_dicom_pair = std::ranges::any_of(found_.pairs, [](const VolumePair& pair) {
      return pair.image.series || pair.labels.segmentation;
    });
    return std::move(found_);
  }

 private:
  void append(std::vector<base::Finding> findings) {
    found_.findings.insert(found_.findings.end(), std::make_move_iterator(findings.begin()),
                           std::make_move_iterator(findings.end()));
  }

  void report_pairs() {
    if (found_.pairs.empty()) return;
    const VolumePair& first = found_.pairs.front();
    found_.findings.push_back(
        {base::Severity::info, "volumes-paired", base::display_path(first.labels.file),
         fmt::format("{} of {} volumes have labels that lie where they lie, such as {} with this "
                     "file",
                     found_.pairs.size(), found_.images, first.image.name)});
  }

  void add_nifti(const fs::path& file) {
    try {
      const NiftiShape shape = read_nifti_shape(root_ / file);
      if (names_labels(file)) {
        labels_.push_back({.file = file, .geometry = shape.geometry});
      } else {
        images_.push_back({.path = file,
                           .name = base::display_path(file),
                           .geometry = shape.geometry,
                           .has_direct_slices = !shape.is_compressed && shape.further == 1});
      }
    } catch (const base::Error& error) {
      found_.findings.push_back(
          {base::Severity::error, "image-unreadable", base::display_path(file),
           fmt::format("{}; {}", error.parts().subject, error.parts().remedy)});
    }
  }

  void add_dicom(const std::vector<fs::path>& files) {
    DicomSeriesList list = find_dicom_series(root_, files, stop_);
    append(std::move(list.findings));
    std::map<fs::path, int> series_in;
    for (DicomSeries& series : list.series) {
      const fs::path parent = series.files.front().parent_path();
      const fs::path folder = parent.empty() ? fs::path(".") : parent;
      VolumeImage image{.path = folder, .name = base::display_path(folder)};
      const int number = ++series_in[folder];
      if (number > 1) image.name += fmt::format(" ({})", number);
      image.geometry = series.geometry;
      image.has_direct_slices =
          std::ranges::all_of(series.frames, [](std::int64_t frame) { return frame == 0; });
      image.series = std::move(series);
      images_.push_back(std::move(image));
    }
    for (DicomHeader& segmentation : list.segmentations) {
      VolumeLabels labels{.file = segmentation.file, .geometry = frame_geometry(segmentation, 0)};
      labels.segmentation = std::move(segmentation);
      labels_.push_back(std::move(labels));
    }
  }

  const fs::path& root_;
  const std::stop_token stop_;
  std::vector<VolumeImage> images_;
  std::vector<VolumeLabels> labels_;
  VolumeSearch found_;
};

}  // namespace

VolumeSearch find_volumes(const std::filesystem::path& root, std::optional<SliceAxis> wanted,
                          const std::stop_token& stop) {
  return Search(root, stop).run(wanted);
}

void fail_without_volume_pairs(const std::filesystem::path& root, const VolumeSearch& found) {
  const auto is_reason = [](const base::Finding& finding) {
    return finding.severity == base::Severity::error || finding.code == "image-missing" ||
           finding.code == "mask-missing";
  };
  const auto reason = std::ranges::find_if(found.findings, is_reason);
  throw base::Error(
      base::ErrorKind::unusable_data,
      {"scanning the data folder",
       fmt::format("'{}' holds {} volumes and {} label volumes, but no labels of a volume{}",
                   base::display_path(root), found.images, found.label_volumes,
                   reason == found.findings.end()
                       ? ""
                       : fmt::format(" ({}: {})", reason->file, reason->message)),
       "put DICOM SEG or NIfTI labels (with 'seg', 'labels' or 'mask' in their name) beside the "
       "volumes that they were drawn on"});
}

}  // namespace headroom::formats
