#pragma once
// Which image belongs to which mask, by names and by the lists and class names that a layout keeps
// in text files. Reads no pixels; any thread.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/folder_listing.hpp"

namespace headroom::formats {

/// Paths are relative to the data folder.
struct FilePair {
  std::filesystem::path image{};
  std::filesystem::path mask{};  ///< a raster, or the annotation document that `label_key` is of;
                                 ///< empty: there is none
  std::optional<std::filesystem::path> valid_area{};
  std::optional<std::int64_t> page{};                ///< of all files, where every page is a sample
  std::vector<std::filesystem::path> more_images{};  ///< further channels, in their order
  std::string label_key{};                           ///< as data::Sample has it
  std::int64_t volume = -1;  ///< the volume that the page is a slice of; -1: none
};

/// The pairs that one mask folder would give.
struct MaskChoice {
  std::string name{};  ///< the mask folder's name; empty for pairs by suffix
  std::vector<FilePair> pairs{};
  std::vector<FilePair> unlabelled{};               ///< images without a mask
  std::vector<std::filesystem::path> lone_masks{};  ///< masks without an image
  std::vector<base::Finding> findings{};            ///< duplicates, missing channels and the like
};

/// Images that belong together: one image folder, with one choice per mask folder beside it.
struct PairingGroup {
  std::filesystem::path folder{};  ///< that holds the image and mask folders
  std::vector<MaskChoice> choices{};
};

/// What a layout says of the values in its masks.
struct MaskMeaning {
  std::string source{};                         ///< file or layout that says so
  std::map<std::int64_t, std::string> names{};  ///< of classes by value; empty: every value is one
  std::set<std::int64_t> ignored{};
  std::string object_name{};  ///< not empty: values above 0 number objects of this one class
};

/// Lists of a layout that name the sides of a split.
struct ListedImages {
  std::vector<std::filesystem::path> train{};
  std::vector<std::filesystem::path> validation{};
};

struct Layout {
  std::string name{};  ///< of layout_names(), without "auto"
  std::vector<PairingGroup> groups{};
  std::vector<base::Finding> findings{};
  std::vector<std::filesystem::path> unlabelled{};  ///< images in folders that have no masks at all
  std::optional<MaskMeaning> meaning{};
  std::optional<ListedImages> listed{};
};

/// Recognises the layout that `wanted` names, or with "auto" any. Throws Error (unusable_data) when
/// there are no images, no masks, no pair, or another layout than the one wanted.
[[nodiscard]] Layout recognise_layout(const FolderListing& listing, const std::string& wanted,
                                      const std::filesystem::path& root);

}  // namespace headroom::formats
