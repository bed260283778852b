#include "core/formats/folder_roles.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::formats {

namespace {

constexpr std::array<std::string_view, 7> kImageWords = {"image",      "images", "img",   "imgs",
                                                         "jpegimages", "photo",  "photos"};
constexpr std::array<std::string_view, 17> kMaskWords = {
    "mask", "masks",      "label",       "labels",       "lbl",           "ann",
    "anno", "annotation", "annotations", "segmentation", "segmentations", "segmentationclass",
    "seg",  "gt",         "groundtruth", "manual",       "target"};
constexpr std::array<std::string_view, 1> kAreaWords = {"fov"};
constexpr std::array<std::string_view, 3> kEmptyWords = {"dir", "folder", "png"};

constexpr std::array<std::string_view, 19> kMaskSuffixes = {
    "_mask",  "_masks",        "_label", "_labels", "_gt",        "_seg",      "-mask",
    "-label", "_Mask",         "_lab",   "_manual", "_manual1",   "_AVmanual", "_1stHO",
    "_anno",  "_segmentation", "_lbl",   "_ann",    "_annotation"};
constexpr std::array<std::string_view, 4> kAreaSuffixes = {"_mask", "_fov", "_fov_mask", "_FOV"};
constexpr std::array<std::string_view, 4> kImagePrefixes = {"image", "img", "Image", "Img"};
constexpr std::array<std::string_view, 6> kMaskPrefixes = {"mask", "label", "gt",
                                                           "Mask", "Label", "seg"};
constexpr std::array<std::string_view, 3> kImageSuffixes = {"_image", "_img", "_sat"};

bool holds(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : lower_case(name) + "_") {
    if (c != '_' && c != '-' && c != ' ' && c != '.') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

NamedRole role_of_folder(std::string_view name) {
  bool is_image = false, is_mask = false, is_area = false;
  NamedRole named;
  for (std::string& word : words_of(name)) {
    if (holds(kAreaWords, word)) {
      is_area = true;
    } else if (holds(kMaskWords, word)) {
      is_mask = true;
    } else if (holds(kImageWords, word)) {
      is_image = true;
    } else if (!holds(kEmptyWords, word)) {
      named.qualifiers.push_back(std::move(word));
    }
  }
  if (is_area) {
    named.role = FolderRole::valid_area;
  } else if (is_mask) {
    named.role = FolderRole::masks;
  } else if (is_image) {
    named.role = FolderRole::images;
  }
  return named;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

std::span<const std::string_view> mask_suffixes() { return kMaskSuffixes; }
std::span<const std::string_view> area_suffixes() { return kAreaSuffixes; }
std::span<const std::string_view> image_suffixes() { return kImageSuffixes; }
std::span<const std::string_view> image_prefixes() { return kImagePrefixes; }
std::span<const std::string_view> mask_prefixes() { return kMaskPrefixes; }

}  // namespace headroom::formats
