#include "core/formats/mask_census.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/mask_reader.hpp"

namespace headroom::formats {

namespace {

constexpr std::size_t kMostCodes = 65536;

/// The labels are 0 inside the valid area and base::kIgnoreLabel outside; empty where all is valid.
base::LabelImage read_area(const MaskPixels& mask,
                           const std::optional<std::filesystem::path>& valid_area) {
  if (!valid_area) return {};
  base::LabelImage area{.height = mask.image.height, .width = mask.image.width};
  area.labels.resize(static_cast<std::size_t>(area.height * area.width));
  ignore_outside(*valid_area, area);
  return area;
}

std::int64_t count_inside(const base::LabelImage& area, std::int64_t first, std::int64_t count) {
  if (area.labels.empty()) return count;
  std::int64_t inside = 0;
  for (std::int64_t i = first; i < first + count; ++i) {
    inside += area.labels[static_cast<std::size_t>(i)] == 0 ? 1 : 0;
  }
  return inside;
}

}  // namespace

MaskCensus take_census(const std::filesystem::path& mask_file,
                       const std::optional<std::filesystem::path>& valid_area, std::int64_t page) {
  MaskPixels mask = read_mask_pixels(mask_file, page);
  const base::LabelImage area = read_area(mask, valid_area);
  MaskCensus census{.height = mask.image.height, .width = mask.image.width, .coding = mask.coding};
  std::unordered_map<std::int64_t, std::int64_t> pixels_of;
  visit_runs(mask, [&](std::int64_t code, std::int64_t first, std::int64_t count) {
    const std::int64_t inside = code == kMissingCode ? 0 : count_inside(area, first, count);
    census.ignored_pixels += count - inside;
    if (inside == 0) return;
    pixels_of[code] += inside;
    if (pixels_of.size() > kMostCodes) {
      throw base::Error(base::ErrorKind::unusable_data,
                        {"reading the mask",
                         fmt::format("{}: it has more than {} different values",
                                     base::display_path(mask_file), kMostCodes),
                         "give masks of class ids or colours; is this file an image?"});
    }
  });
  census.pixels_of.insert(pixels_of.begin(), pixels_of.end());
  census.palette = std::move(mask.palette);
  census.orientation = mask.orientation;
  return census;
}

}  // namespace headroom::formats
