#include "core/formats/mask_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::formats {

base::LabelImage read_mask(const std::filesystem::path& file, const base::ClassMapping& mapping,
                           std::int64_t page) {
  return map_labels(read_mask_pixels(file, page), mapping);
}

base::LabelImage map_labels(const MaskPixels& mask, const base::ClassMapping& mapping) {
  const CodeLabels code_labels(mapping, mask.coding, mask.palette, mask.names);
  base::LabelImage image{.height = mask.image.height, .width = mask.image.width};
  image.labels.resize(static_cast<std::size_t>(image.height * image.width));
  std::unordered_map<std::int64_t, std::uint8_t> known;
  visit_runs(mask, [&](std::int64_t code, std::int64_t first, std::int64_t count) {
    const auto [entry, is_new] = known.try_emplace(code);
    if (is_new) {
      const auto label = code_labels.label_of(code);
      if (!label) throw_not_in_mapping(mask, code_labels.key_of(code), first);
      entry->second = *label;
    }
    std::fill_n(image.labels.begin() + first, count, entry->second);
  });
  return image;
}

void ignore_outside(const std::filesystem::path& valid_area, base::LabelImage& labels) {
  const MaskPixels area = read_mask_pixels(valid_area);
  if (area.image.height != labels.height || area.image.width != labels.width) {
    throw base::Error(
        base::ErrorKind::unusable_data,
        {"reading the valid area",
         fmt::format("{}: {}x{} pixels, its mask has {}x{}", base::display_path(valid_area),
                     area.image.width, area.image.height, labels.width, labels.height),
         "give a valid area of the image's size"});
  }
  visit_runs(area, [&](std::int64_t code, std::int64_t first, std::int64_t count) {
    const bool is_black = area.coding == MaskCoding::palette && code >= 0 &&
                                  code < static_cast<std::int64_t>(area.palette.size())
                              ? area.palette[static_cast<std::size_t>(code)] == 0
                              : code == 0;
    if (is_black) std::fill_n(labels.labels.begin() + first, count, base::kIgnoreLabel);
  });
}

}  // namespace headroom::formats
