#include "core/formats/mask_census.hpp"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/annotation.hpp"
#include "core/formats/mask_reader.hpp"

namespace headroom::formats {

namespace {

constexpr std::size_t kMostCodes = 65536;

/// The valid area of a mask, read by the same windows.
class ValidArea {
 public:
  ValidArea(const std::filesystem::path& file, const ImageSize& mask)
      : file_(file), reader_(file, 0) {
    const RasterInfo& area = reader_.info();
    if (area.height == mask.height && area.width == mask.width) return;
    throw base::Error(base::ErrorKind::unusable_data,
                      {"reading the valid area",
                       fmt::format("{}: {}x{} pixels, its mask has {}x{}", base::display_path(file),
                                   area.width, area.height, mask.width, mask.height),
                       "give a valid area of the image's size"});
  }

  [[nodiscard]] const RasterInfo& info() const { return reader_.info(); }

  /// 0 inside, base::kIgnoreLabel outside.
  [[nodiscard]] base::LabelImage read(const base::PixelWindow& window) {
    base::LabelImage labels{.height = window.height, .width = window.width};
    labels.labels.resize(static_cast<std::size_t>(window.height * window.width));
    ignore_outside(mask_pixels_of(file_, reader_.read(window), window), labels);
    return labels;
  }

 private:
  const std::filesystem::path& file_;
  PageReader reader_;
};

std::int64_t count_inside(const base::LabelImage& area, std::int64_t first, std::int64_t count) {
  if (area.labels.empty()) return count;
  std::int64_t inside = 0;
  for (std::int64_t i = first; i < first + count; ++i) {
    inside += area.labels[static_cast<std::size_t>(i)] == 0 ? 1 : 0;
  }
  return inside;
}

/// Adds up the codes of a mask's parts.
class CodeCount {
 public:
  explicit CodeCount(const std::filesystem::path& file) : file_(file) {}

  /// `area` is empty where all is valid.
  void add(const MaskPixels& part, const base::LabelImage& area) {
    if (part.coding != coding_) take_coding(part);
    // Greys of a part without other colours, in a mask that has them.
    const bool is_grey_part = coding_ == MaskCoding::colour && part.coding == MaskCoding::value;
    visit_runs(part, [&](std::int64_t code, std::int64_t first, std::int64_t count) {
      const std::int64_t inside = code == kMissingCode ? 0 : count_inside(area, first, count);
      ignored_pixels_ += count - inside;
      if (inside == 0) return;
      pixels_of_[is_grey_part ? code * kGreyStep : code] += inside;
      if (pixels_of_.size() > kMostCodes) fail_with_too_many();
    });
  }

  void move_into(MaskCensus& census) const {
    census.coding = coding_;
    census.pixels_of.insert(pixels_of_.begin(), pixels_of_.end());
    census.ignored_pixels = ignored_pixels_;
  }

 private:
  void take_coding(const MaskPixels& part) {
    if (part.coding == MaskCoding::value) return;
    if (part.coding == MaskCoding::colour) {
      std::unordered_map<std::int64_t, std::int64_t> as_colours;
      for (const auto& [code, pixels] : pixels_of_) as_colours[code * kGreyStep] = pixels;
      pixels_of_ = std::move(as_colours);
    }
    coding_ = part.coding;
  }

  [[noreturn]] void fail_with_too_many() const {
    throw base::Error(base::ErrorKind::unusable_data,
                      {"reading the mask",
                       fmt::format("{}: it has more than {} different values",
                                   base::display_path(file_), kMostCodes),
                       "give masks of class ids or colours; is this file an image?"});
  }

  const std::filesystem::path& file_;
  MaskCoding coding_ = MaskCoding::value;
  std::unordered_map<std::int64_t, std::int64_t> pixels_of_;
  std::int64_t ignored_pixels_ = 0;
};

}  // namespace

MaskCensus take_census(const std::filesystem::path& mask_file,
                       const std::optional<std::filesystem::path>& valid_area, std::int64_t page,
                       const PartFunction& after_part) {
  PageReader mask(mask_file, page);
  std::optional<ValidArea> area;
  if (valid_area) area.emplace(*valid_area, ImageSize{mask.info().height, mask.info().width});
  MaskCensus census{.height = mask.info().height,
                    .width = mask.info().width,
                    .palette = mask.info().palette,
                    .orientation = mask.info().orientation,
                    .block = reading_block(mask.info())};
  if (area) census.block = common_block(census.block, reading_block(area->info()));
  CodeCount codes(mask_file);
  const std::vector<base::PixelWindow> parts = parts_of(mask.info());
  std::int64_t done = 0;
  for (const base::PixelWindow& part : parts) {
    codes.add(mask_pixels_of(mask_file, mask.read(part), part),
              area ? area->read(part) : base::LabelImage{});
    if (after_part && parts.size() > 1) after_part(++done, std::ssize(parts));
  }
  codes.move_into(census);
  return census;
}

MaskCensus take_census(MaskPixels mask, const std::optional<std::filesystem::path>& valid_area) {
  const ImageSize size{mask.image.height, mask.image.width};
  base::LabelImage area;
  if (valid_area)
    area = ValidArea(*valid_area, size).read({.width = size.width, .height = size.height});
  CodeCount codes(mask.file);
  codes.add(mask, area);
  MaskCensus census{.height = size.height, .width = size.width};
  codes.move_into(census);
  census.palette = std::move(mask.palette);
  census.names = std::move(mask.names);
  return census;
}

}  // namespace headroom::formats
