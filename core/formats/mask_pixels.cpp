#include "core/formats/mask_pixels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

constexpr double kLargestCode = 0x1.0p53;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& problem,
                       std::string remedy) {
  throw base::Error(base::ErrorKind::unusable_data,
                    {"reading the mask", fmt::format("{}: {}", base::display_path(file), problem),
                     std::move(remedy)});
}

/// Keeps the first channel where all three are equal in every pixel.
bool collapse_grey(base::Image& image) {
  return data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const auto* values = data::values_of<T>(image);
    const std::int64_t pixels = image.height * image.width;
    for (std::int64_t i = 0; i < pixels; ++i) {
      if (values[3 * i] != values[3 * i + 1] || values[3 * i] != values[3 * i + 2]) return false;
    }
    std::vector<std::byte> single(static_cast<std::size_t>(pixels) * sizeof(T));
    auto* grey = reinterpret_cast<T*>(single.data());
    for (std::int64_t i = 0; i < pixels; ++i) grey[i] = values[3 * i];
    image.pixels = std::move(single);
    image.channels = 1;
    return true;
  });
}

/// In the page.
std::int64_t column_of(const MaskPixels& mask, std::int64_t index) {
  return mask.window.left + index % mask.window.width;
}

std::int64_t row_of(const MaskPixels& mask, std::int64_t index) {
  return mask.window.top + index / mask.window.width;
}

template <typename T>
std::int64_t code_of(const MaskPixels& mask, T value, std::int64_t index) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return kMissingCode;
    if (value != std::trunc(value) || std::abs(value) > kLargestCode) {
      fail(mask.file,
           fmt::format("the value {} at column {}, row {} is no whole number", value,
                       column_of(mask, index), row_of(mask, index)),
           "give a mask of class ids, not of probabilities");
    }
  }
  return static_cast<std::int64_t>(value);
}

std::int64_t colour_at(const MaskPixels& mask, std::int64_t index) {
  const auto* rgb = data::values_of<std::uint8_t>(mask.image) + 3 * index;
  return rgb[0] << 16 | rgb[1] << 8 | rgb[2];
}

template <typename CodeAt>
void visit_equal(std::int64_t pixels, const CodeAt& code_at, const RunVisitor& visit) {
  std::int64_t first = 0;
  while (first < pixels) {
    const std::int64_t code = code_at(first);
    std::int64_t end = first + 1;
    while (end < pixels && code_at(end) == code) ++end;
    visit(code, first, end - first);
    first = end;
  }
}

}  // namespace

MaskPixels read_mask_pixels(const std::filesystem::path& file, std::int64_t page) {
  RasterPixels raster = read_raster(file, page);
  const base::PixelWindow window{.width = raster.info.width, .height = raster.info.height};
  return mask_pixels_of(file, std::move(raster), window);
}

MaskPixels mask_pixels_of(const std::filesystem::path& file, RasterPixels raster,
                          const base::PixelWindow& window) {
  MaskPixels mask{.file = file, .window = window};
  if (raster.info.kind == RasterKind::palette) {
    mask.coding = MaskCoding::palette;
    mask.palette = std::move(raster.info.palette);
    mask.image = std::move(raster.image);
    return mask;
  }
  mask.image = as_image(std::move(raster), {.alpha = AlphaBand::drop});
  if (mask.image.channels == 1) return mask;
  if (mask.image.channels != 3) {
    fail(file, fmt::format("it has {} bands", mask.image.channels),
         "give masks with one band of class ids, a palette, or RGB colours");
  }
  if (collapse_grey(mask.image)) return mask;
  mask.coding = MaskCoding::colour;
  if (mask.image.type != base::PixelType::u8) {
    fail(file, fmt::format("its colours are of the type {}", base::name_of(mask.image.type)),
         "give colours of 8 bits a channel");
  }
  return mask;
}

void visit_runs(const MaskPixels& mask, const RunVisitor& visit) {
  const std::int64_t pixels = mask.image.height * mask.image.width;
  if (mask.coding == MaskCoding::colour) {
    visit_equal(
        pixels, [&](std::int64_t i) { return colour_at(mask, i); }, visit);
    return;
  }
  data::dispatch_pixel_type(mask.image.type, [&]<typename T>(std::type_identity<T>) {
    const T* values = data::values_of<T>(mask.image);
    visit_equal(
        pixels,
        [&](std::int64_t i) {
          const std::int64_t code = code_of(mask, values[i], i);
          return mask.coding == MaskCoding::name && code == kIgnoredName ? kMissingCode : code;
        },
        visit);
  });
}

CodeLabels::CodeLabels(const base::ClassMapping& mapping, MaskCoding coding,
                       const std::vector<std::uint32_t>& palette, CodeNames names)
    : mapping_(mapping),
      coding_(coding),
      palette_(palette),
      names_(std::move(names)),
      by_colour_(
          std::ranges::any_of(mapping.ids, [](const auto& id) { return id.first.is_colour; })) {}

base::MaskKey CodeLabels::key_of(std::int64_t code) const {
  if (coding_ == MaskCoding::name) return {.name = names_->at(static_cast<std::size_t>(code))};
  if (coding_ == MaskCoding::colour) return {true, code};
  const bool is_byte = code >= 0 && code <= 255;
  if (by_colour_ && coding_ == MaskCoding::palette && code >= 0 &&
      code < static_cast<std::int64_t>(palette_.size())) {
    return {true, palette_[static_cast<std::size_t>(code)]};
  }
  if (by_colour_ && coding_ == MaskCoding::value && is_byte) return {true, code * kGreyStep};
  return {false, code};
}

std::optional<std::uint8_t> CodeLabels::label_of(std::int64_t code) const {
  if (code == kMissingCode) return base::kIgnoreLabel;
  const base::MaskKey key = key_of(code);
  if (const auto found = mapping_.ids.find(key); found != mapping_.ids.end()) return found->second;
  // A name that is a number, or looks like a colour, may be listed without the prefix.
  if (const auto plain = base::parse_mask_key(key.name); plain && mapping_.ids.contains(*plain))
    return mapping_.ids.at(*plain);
  // A grey colour may be listed by its value.
  if (key.is_colour && key.value % kGreyStep == 0) {
    const auto found = mapping_.ids.find({false, key.value / kGreyStep});
    if (found != mapping_.ids.end()) return found->second;
  }
  return mapping_.other;
}

void throw_not_in_mapping(const MaskPixels& mask, const base::MaskKey& key, std::int64_t index) {
  fail(mask.file,
       fmt::format("the value {} at column {}, row {} is not in the class mapping",
                   base::to_string(key), column_of(mask, index), row_of(mask, index)),
       "add it to the mapping, as a class or as \"ignore\", or list \"other\": \"ignore\"");
}

}  // namespace headroom::formats
