#pragma once
// Masks: from values, colours or palette entries to class ids. Pure functions over files; any
// thread.

#include <cstdint>
#include <filesystem>
#include <map>

#include "core/base/class_mapping.hpp"
#include "core/base/image.hpp"
#include "core/formats/mask_pixels.hpp"

namespace headroom::formats {

/// Reads a mask of grey values (any depth, whole numbers), three equal channels, RGB colours, a
/// palette or 1 bit. Where the mapping has a colour among its keys, colours decide: a palette entry
/// counts by its colour, grey v as #vvvvvv. Otherwise values decide: a palette entry counts by its
/// index. A key that is not in the mapping becomes `mapping.other`. Throws Error (unusable_data):
/// file unreadable, or a value outside the mapping, naming file, value and pixel.
[[nodiscard]] base::LabelImage read_mask(const std::filesystem::path& file,
                                         const base::ClassMapping& mapping, std::int64_t page = 0);
/// The same for what was read of a mask.
[[nodiscard]] base::LabelImage labels_of(const MaskPixels& mask, const base::ClassMapping& mapping);

/// The class ids of pixels that were read. Throws Error (unusable_data) for a value outside the
/// mapping.
[[nodiscard]] base::LabelImage map_labels(const MaskPixels& mask,
                                          const base::ClassMapping& mapping);

/// Throws what read_mask would for a value outside the mapping; holds no more than a part of the
/// mask in memory.
void require_mapped(const std::filesystem::path& file, const base::ClassMapping& mapping,
                    std::int64_t page);

/// Sets labels to base::kIgnoreLabel where the valid area (field of view) is 0. Grey or RGB; an RGB
/// pixel is 0 when all its channels are. `area` is of the same window as the labels.
void ignore_outside(const MaskPixels& area, base::LabelImage& labels);

}  // namespace headroom::formats
