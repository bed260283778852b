#include "core/formats/mask_reader.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_parts.hpp"

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

void require_mapped(const std::filesystem::path& file, const base::ClassMapping& mapping,
                    std::int64_t page) {
  PageReader reader(file, page);
  for (const base::PixelWindow& part : parts_of(reader.info()))
    static_cast<void>(map_labels(mask_pixels_of(file, reader.read(part), part), mapping));
}

void ignore_outside(const MaskPixels& area, base::LabelImage& labels) {
  visit_runs(area, [&](std::int64_t code, std::int64_t first, std::int64_t count) {
    const bool is_black = area.coding == MaskCoding::palette && code >= 0 &&
                                  code < static_cast<std::int64_t>(area.palette.size())
                              ? area.palette[static_cast<std::size_t>(code)] == 0
                              : code == 0;
    if (is_black) std::fill_n(labels.labels.begin() + first, count, base::kIgnoreLabel);
  });
}

}  // namespace headroom::formats
