#pragma once
// Which image belongs to which mask, by names alone. Pure; any thread.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/folder_listing.hpp"

namespace headroom::formats {

/// Paths are relative to the data folder.
struct FilePair {
  std::filesystem::path image{};
  std::filesystem::path mask{};  ///< a raster, or the annotation document that `label_key` is of
  std::optional<std::filesystem::path> valid_area{};
  std::optional<std::int64_t> page{};  ///< of image and mask, where every page is a sample
  std::string label_key{};             ///< as data::Sample has it
  std::int64_t volume = -1;            ///< the volume that the page is a slice of; -1: none
};

/// The pairs that one mask folder would give.
struct MaskChoice {
  std::string name{};  ///< the mask folder's name; empty for pairs by suffix
  std::vector<FilePair> pairs{};
  std::vector<base::Finding> findings{};            ///< missing partners, duplicates
  std::vector<std::filesystem::path> unlabelled{};  ///< images without a mask
};

/// Images that belong together: one image folder, with one choice per mask folder beside it.
struct PairingGroup {
  std::filesystem::path folder{};  ///< that holds the image and mask folders
  std::vector<MaskChoice> choices{};
};

struct Layout {
  std::string name{};  ///< of layout_names(), without "auto"
  std::vector<PairingGroup> groups{};
  std::vector<base::Finding> findings{};
  std::vector<std::filesystem::path> unlabelled{};  ///< images in folders that have no masks at all
};

/// Recognises the layout that `wanted` names, or with "auto" any. Throws Error (unusable_data) when
/// there are no images, no masks, no pair, or another layout than the one wanted.
[[nodiscard]] Layout recognise_layout(const FolderListing& listing, const std::string& wanted,
                                      const std::filesystem::path& root);

}  // namespace headroom::formats
