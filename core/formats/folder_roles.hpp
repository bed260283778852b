#pragma once
// What folder and file names say: which folders hold images, masks or valid areas, and which
// suffixes mark a mask. Pure; any thread.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::formats {

enum class FolderRole { none, images, masks, valid_area };

struct NamedRole {
  FolderRole role = FolderRole::none;
  std::vector<std::string> qualifiers{};  ///< the name's other words: {"train"} of "train_masks"
};

/// By the words of a folder's name, in any case: "images", "img_dir", "JPEGImages", "masks_binary",
/// "labels_av", "1st_manual", "SegmentationClass", "fov_mask".
[[nodiscard]] NamedRole role_of_folder(std::string_view name);

/// In lower case; "_", "-", "." and blanks part them.
[[nodiscard]] std::vector<std::string> words_of(std::string_view name);

/// ASCII letters in lower case.
[[nodiscard]] std::string lower_case(std::string_view text);

/// Endings of a mask's stem after the image's stem: "_mask", "_AVmanual", … The empty one is not
/// among them.
[[nodiscard]] std::span<const std::string_view> mask_suffixes();
/// Endings of a valid area's stem after the image's stem: "_mask", "_fov", …
[[nodiscard]] std::span<const std::string_view> area_suffixes();
/// Endings of an image's own stem that its mask does not have: "_image", "_sat", …
[[nodiscard]] std::span<const std::string_view> image_suffixes();

/// Beginnings of file names that tell images from masks: "img_7.png", "mask_7.png".
[[nodiscard]] std::span<const std::string_view> image_prefixes();
[[nodiscard]] std::span<const std::string_view> mask_prefixes();

}  // namespace headroom::formats
