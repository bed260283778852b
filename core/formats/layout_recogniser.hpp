#pragma once
// The layouts that are known, each with what recognises it. One file per layout; a new one gets a
// function here and a row in layout.cpp. Any thread.

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "core/formats/folder_listing.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

struct DataFolder {
  const std::filesystem::path& root;
  const FolderListing& listing;
};

/// Whether the person named the layout: what is doubtful by itself then counts.
enum class Asked { no, yes };

struct LayoutRecogniser {
  std::string_view name;
  std::string_view form;  ///< what the folder looks like, for messages
  /// Nothing where the folder does not look so. A recogniser of several related layouts gives the
  /// one that it is.
  std::optional<Layout> (*recognise)(const DataFolder& folder, Asked asked);
};

/// In the order in which they are tried: those with names of their own before general ones.
[[nodiscard]] std::span<const LayoutRecogniser> layout_recognisers();

[[nodiscard]] std::optional<Layout> recognise_nnunet(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_voc(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_cityscapes(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_ade20k(const DataFolder& folder, Asked asked);
/// Folders of images beside folders of masks: "images-masks", "split-folders" or "tiles".
[[nodiscard]] std::optional<Layout> recognise_folders(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_bands(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_carvana(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_cellpose(const DataFolder& folder, Asked asked);
[[nodiscard]] std::optional<Layout> recognise_suffixes(const DataFolder& folder, Asked asked);

}  // namespace headroom::formats
