#include "core/formats/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/layout_recogniser.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr std::array<LayoutRecogniser, 11> kRecognisers = {{
    {"nnunet", "imagesTr, labelsTr and dataset.json", &recognise_nnunet},
    {"voc", "JPEGImages and SegmentationClass beside each other", &recognise_voc},
    {"cityscapes", "leftImg8bit and gtFine with _labelIds files", &recognise_cityscapes},
    {"ade20k", "images and annotations, 0 unlabelled", &recognise_ade20k},
    {"images-masks", "a folder of images and one of masks", &recognise_folders},
    {"split-folders", "images and masks by side: train, val", &recognise_folders},
    {"tiles", "several folders with images and masks of their own", &recognise_folders},
    {"band-folders", "a folder for each band and one of masks", &recognise_bands},
    {"carvana", "train and train_masks", &recognise_carvana},
    {"cellpose", "NAME.tif and NAME_masks.tif in one folder", &recognise_cellpose},
    {"suffix-pairs", "NAME.png and NAME_mask.png in one folder", &recognise_suffixes},
}};

[[noreturn]] void fail(const fs::path& root, const std::string& problem, std::string remedy) {
  throw base::Error(base::ErrorKind::unusable_data,
                    {"scanning the data folder",
                     fmt::format("'{}' {}", base::display_path(root), problem), std::move(remedy)});
}

[[noreturn]] void fail_without_pairs(const DataFolder& folder) {
  constexpr const char* kRemedy =
      "put images into a folder 'images' and masks of the same names into 'masks' beside it, or "
      "name the masks like the images with _mask behind";
  const Layout by_folders = pair_by_folders(folder.listing);
  if (by_folders.groups.empty()) fail(folder.root, "holds images, but no masks", kRemedy);
  const auto& missing = by_folders.groups.front().choices.front().unlabelled;
  const std::string example =
      missing.empty()
          ? ""
          : fmt::format("; for '{}' there is none", base::display_path(missing.front().image));
  fail(folder.root,
       fmt::format("holds images and masks, but no mask has the name of an image{}", example),
       kRemedy);
}

std::optional<Layout> recognise_any(const DataFolder& folder) {
  decltype(LayoutRecogniser::recognise) last = nullptr;
  for (const LayoutRecogniser& each : kRecognisers) {
    if (each.recognise == std::exchange(last, each.recognise)) continue;
    if (auto layout = each.recognise(folder, Asked::no)) return layout;
  }
  return std::nullopt;
}

Layout recognise_wanted(const DataFolder& folder, const std::string& wanted) {
  const auto* const row = std::ranges::find(kRecognisers, wanted, &LayoutRecogniser::name);
  auto layout = row->recognise(folder, Asked::yes);
  if (layout && layout->name == wanted) return std::move(*layout);
  const auto other = recognise_any(folder);
  if (!other) fail_without_pairs(folder);
  fail(folder.root,
       fmt::format("has not the layout {} ({}); it looks like {}", wanted, row->form, other->name),
       "give --layout auto, or the layout that it has");
}

}  // namespace

std::span<const LayoutRecogniser> layout_recognisers() { return kRecognisers; }

Layout recognise_layout(const FolderListing& listing, const std::string& wanted,
                        const std::filesystem::path& root) {
  if (listing.folders.empty()) {
    fail(root, "holds no images", "name a folder with PNG, JPEG, TIFF or BMP files in it or below");
  }
  const DataFolder folder{root, listing};
  if (wanted != "auto") return recognise_wanted(folder, wanted);
  auto layout = recognise_any(folder);
  if (!layout) fail_without_pairs(folder);
  return std::move(*layout);
}

}  // namespace headroom::formats
