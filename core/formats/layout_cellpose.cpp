// Cellpose: NAME.tif or NAME_img.png with NAME_masks beside it, whose values number objects, and
// files of its own (NAME_seg.npy, NAME_flows.tif, NAME_cp_masks.png).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "core/base/io_error.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/pairing.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMasks = "_masks";
constexpr std::string_view kImage = "_img";

bool is_own_file(const fs::path& name) {
  const std::string stem = stem_of(name);
  const bool is_segmentation = lower_extension(name) == ".npy" && stem.ends_with("_seg");
  return is_segmentation || stem.ends_with("_flows") || stem.ends_with("_cp_masks") ||
         stem.ends_with("_cp_output");
}

bool is_tiff(const fs::path& name) {
  return lower_extension(name) == ".tif" || lower_extension(name) == ".tiff";
}

/// The files of one folder.
struct Sorted {
  IndexedKinds kinds{};
  std::int64_t own_files = 0;
  bool is_typical = true;  ///< names tell Cellpose from any other masks behind "_masks"
};

Sorted sort_files(const ListedFolder& folder) {
  std::set<std::string> stems;
  for (const fs::path& name : folder.names) stems.insert(stem_of(name));
  Sorted sorted;
  bool all_tiff = true, any_named_image = false;
  for (const fs::path& name : folder.names) {
    const std::string stem = stem_of(name);
    const bool is_mask = stem.ends_with(kMasks);
    const std::string base = is_mask ? stem.substr(0, stem.size() - kMasks.size()) : stem;
    if (is_own_file(name)) {
      ++sorted.own_files;
    } else if (is_mask && (stems.contains(base) || stems.contains(base + std::string(kImage)))) {
      sorted.kinds.masks.add(name, folder.path / name);
      all_tiff = all_tiff && is_tiff(name);
      any_named_image = any_named_image || !stems.contains(base);
    } else {
      sorted.kinds.images.add(name, folder.path / name);
    }
  }
  sorted.is_typical = all_tiff || any_named_image || sorted.own_files > 0;
  return sorted;
}

}  // namespace

std::optional<Layout> recognise_cellpose(const DataFolder& folder, Asked asked) {
  Layout layout{.name = "cellpose"};
  for (const ListedFolder& listed : folder.listing.folders) {
    const Sorted sorted = sort_files(listed);
    if (sorted.kinds.masks.empty()) {
      leave_unlabelled(layout, listed);
      continue;
    }
    if (asked == Asked::no && !sorted.is_typical) return std::nullopt;
    if (sorted.own_files > 0) {
      layout.findings.push_back(
          {base::Severity::info, "other-files", base::display_path(listed.path),
           fmt::format("{} files that Cellpose wrote are neither images nor masks and are not used",
                       sorted.own_files)});
    }
    PairingGroup group{.folder = listed.path};
    group.choices.push_back(pair_files("", sorted.kinds));
    layout.groups.push_back(std::move(group));
  }
  if (!has_pair(layout)) return std::nullopt;
  layout.meaning =
      MaskMeaning{.source = "Cellpose, whose masks number objects", .object_name = "object"};
  return layout;
}

}  // namespace headroom::formats
