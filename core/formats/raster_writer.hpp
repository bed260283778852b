#pragma once
// Label maps and pictures as PNG and JPEG. Each file appears whole or not at all. Any thread,
// different files.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/image.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

/// One colour per class, 0xRRGGBB: the mapping's own where its keys are colours, else distinct
/// colours of a fixed list.
[[nodiscard]] std::vector<std::uint32_t> class_colours(const base::ClassMapping& mapping);

/// 8-bit PNG whose values are the class ids; with colours a palette PNG that viewers show in them.
/// Throws Error (io).
void write_label_png(const std::filesystem::path& file, const base::LabelImage& labels,
                     std::span<const std::uint32_t> colours = {});

/// 8-bit grey or RGB PNG of `image` (u8, 1 or 3 channels; Error (internal) otherwise). Throws Error
/// (io).
void write_png(const std::filesystem::path& file, const base::Image& image);

/// The bytes of a JPEG file; `image` as for write_png. Throws Error (internal, io).
[[nodiscard]] std::string jpeg_of(const base::Image& image);

}  // namespace headroom::formats
