#include "core/formats/sample_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/annotation_layout.hpp"
#include "core/formats/folder_listing.hpp"
#include "core/formats/mask_folder_choice.hpp"
#include "core/formats/missing_masks.hpp"
#include "core/formats/page_pairs.hpp"
#include "core/formats/volume_search.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

void append(std::vector<base::Finding>& to, std::vector<base::Finding> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

bool holds_only_volumes(const FolderListing& listing) {
  const auto is_volume = [](const fs::path& name) {
    return is_nifti_name(name) || lower_extension(name) == ".dcm";
  };
  return std::ranges::all_of(listing.folders, [&](const ListedFolder& folder) {
    return std::ranges::all_of(folder.names, is_volume);
  });
}

class FileSearch {
 public:
  FileSearch(const fs::path& root, const ScanOptions& options, const std::stop_token& stop)
      : root_(root), options_(options), stop_(stop) {}

  SampleFiles run() {
    files_.pairs = find_pairs();
    return std::move(files_);
  }

 private:
  std::vector<FilePair> find_pairs() {
    if (options_.layout != "auto" && options_.layout != "volumes")
      return pair_files(list_raster_files(root_, stop_));
    VolumeSearch found = find_volumes(root_, options_.slice_axis, stop_);
    if (options_.layout == "volumes" && found.pairs.empty())
      fail_without_volume_pairs(root_, found);
    if (options_.layout == "volumes" || found.has_dicom_pair) return take_volumes(std::move(found));
    FolderListing listing = list_raster_files(root_, stop_);
    const bool are_volumes = found.images + found.label_volumes > 0 && holds_only_volumes(listing);
    try {
      return pair_files(std::move(listing));
    } catch (const base::Error& error) {
      // No names that fit; volumes may belong together by where they lie.
      if (!are_volumes || error.kind() != base::ErrorKind::unusable_data) throw;
      if (found.pairs.empty()) fail_without_volume_pairs(root_, found);
      return take_volumes(std::move(found));
    }
  }

  std::vector<FilePair> take_volumes(VolumeSearch found) {
    append(files_.findings, std::move(found.findings));
    files_.layout = "volumes";
    files_.unlabelled = std::move(found.unlabelled);
    return cut(std::move(found.pairs));
  }

  /// Into slices.
  std::vector<FilePair> cut(std::vector<VolumePair> volumes) {
    std::vector<FilePair> slices;
    for (std::size_t volume = 0; volume < volumes.size(); ++volume) {
      const auto of_volume = slices_of(volumes[volume], static_cast<std::int64_t>(volume));
      slices.insert(slices.end(), of_volume.begin(), of_volume.end());
    }
    if (!volumes.empty())
      files_.volumes = std::make_shared<const VolumeReader>(root_, std::move(volumes));
    return slices;
  }

  std::vector<FilePair> pair_files(FolderListing listing) {
    Layout layout = layout_of(listing);
    append(files_.findings, std::move(listing.findings));
    append(files_.findings, std::move(layout.findings));
    append(files_.findings, choose_mask_folders(root_, layout, stop_));
    SettledFiles settled = settle_missing_masks(layout, options_.missing_masks);
    append(files_.findings, std::move(settled.findings));
    files_.layout = layout.name;
    files_.unlabelled = std::move(layout.unlabelled);
    files_.unlabelled.insert(files_.unlabelled.end(), settled.unlabelled.begin(),
                             settled.unlabelled.end());
    files_.meaning = std::move(layout.meaning);
    files_.listed = std::move(layout.listed);
    note_valid_areas(settled.pairs);
    if (files_.annotations) return std::move(settled.pairs);
    NamedVolumes named =
        take_named_volumes(root_, std::move(settled.pairs), options_.slice_axis, stop_);
    append(files_.findings, std::move(named.findings));
    PagePairs pages = pair_pages(root_, named.rest, stop_);
    append(files_.findings, std::move(pages.findings));
    const std::vector<FilePair> slices = cut(std::move(named.volumes));
    pages.pairs.insert(pages.pairs.end(), slices.begin(), slices.end());
    std::ranges::stable_sort(pages.pairs, {},
                             [](const FilePair& pair) { return pair.image.native(); });
    return std::move(pages.pairs);
  }

  Layout layout_of(const FolderListing& listing) {
    if (is_annotation_layout(options_.layout)) return take_annotations(listing).value();
    try {
      return recognise_layout(listing, options_.layout, root_);
    } catch (const base::Error& error) {
      // Folders without raster masks may have annotations.
      if (options_.layout != "auto" || error.kind() != base::ErrorKind::unusable_data) throw;
      std::optional<Layout> layout = take_annotations(listing);
      if (!layout) throw;
      return std::move(*layout);
    }
  }

  std::optional<Layout> take_annotations(const FolderListing& listing) {
    auto found = recognise_annotations(
        listing,
        {.root = root_, .layout = options_.layout, .threads = options_.threads, .stop = stop_});
    if (!found) return std::nullopt;
    files_.annotations = std::move(found->annotations);
    return std::move(found->layout);
  }

  void note_valid_areas(const std::vector<FilePair>& pairs) {
    const auto count = std::ranges::count_if(
        pairs, [](const FilePair& pair) { return pair.valid_area.has_value(); });
    if (count == 0) return;
    const auto first = std::ranges::find_if(
        pairs, [](const FilePair& pair) { return pair.valid_area.has_value(); });
    files_.findings.push_back(
        {.severity = base::Severity::info,
         .code = "field-of-view",
         .file = base::display_path(*first->valid_area),
         .message =
             fmt::format("{} of {} samples have a field of view like this one: what is 0 in it "
                         "is ignored",
                         count, pairs.size())});
  }

  const fs::path& root_;
  const ScanOptions& options_;
  const std::stop_token& stop_;
  SampleFiles files_;
};

}  // namespace

SampleFiles find_sample_files(const std::filesystem::path& root, const ScanOptions& options,
                              const std::stop_token& stop) {
  return FileSearch(root, options, stop).run();
}

}  // namespace headroom::formats
