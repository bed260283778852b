#include "core/data/image_parts.hpp"

#include <algorithm>

namespace headroom::data {

namespace {

base::PixelWindow common_part(const base::PixelWindow& a, const base::PixelWindow& b) {
  base::PixelWindow common{.left = std::max(a.left, b.left), .top = std::max(a.top, b.top)};
  common.width = std::min(a.right(), b.right()) - common.left;
  common.height = std::min(a.bottom(), b.bottom()) - common.top;
  return common;
}

/// `values` of one pixel follow each other, rows lie top to bottom.
template <typename T>
void copy_rows(const std::vector<T>& from, const base::PixelWindow& from_window, std::vector<T>& to,
               const base::PixelWindow& to_window, std::int64_t values) {
  const base::PixelWindow common = common_part(from_window, to_window);
  if (common.width <= 0) return;
  const auto place_in = [&](const base::PixelWindow& window, std::int64_t y) {
    return ((y - window.top) * window.width + common.left - window.left) * values;
  };
  for (std::int64_t y = common.top; y < common.bottom(); ++y) {
    std::copy_n(from.begin() + place_in(from_window, y), common.width * values,
                to.begin() + place_in(to_window, y));
  }
}

}  // namespace

std::vector<base::PixelWindow> cut_into_parts(const BlockedImage& image, std::int64_t most_bytes) {
  const std::int64_t row_bytes = image.block.height * image.width * image.pixel_bytes;
  const std::int64_t block_bytes = image.block.height * image.block.width * image.pixel_bytes;
  const auto blocks_of = [&](std::int64_t bytes) {
    return std::max<std::int64_t>(1, most_bytes / std::max<std::int64_t>(1, bytes));
  };
  const bool are_whole_rows = row_bytes <= most_bytes;
  const std::int64_t height = image.block.height * (are_whole_rows ? blocks_of(row_bytes) : 1);
  const std::int64_t width =
      are_whole_rows ? image.width : image.block.width * blocks_of(block_bytes);
  std::vector<base::PixelWindow> parts;
  for (std::int64_t top = 0; top < image.height; top += height) {
    for (std::int64_t left = 0; left < image.width; left += width) {
      parts.push_back({.left = left,
                       .top = top,
                       .width = std::min(width, image.width - left),
                       .height = std::min(height, image.height - top)});
    }
  }
  return parts;
}

base::Image make_part(const base::Image& like, const base::PixelWindow& window) {
  base::Image part{.height = window.height,
                   .width = window.width,
                   .channels = like.channels,
                   .type = like.type,
                   .nodata = like.nodata};
  part.pixels.resize(static_cast<std::size_t>(part.height * part.width * part.channels *
                                              base::bytes_of(part.type)));
  return part;
}

void copy_overlap(const base::Image& from, const base::PixelWindow& from_window, base::Image& to,
                  const base::PixelWindow& to_window) {
  copy_rows(from.pixels, from_window, to.pixels, to_window,
            from.channels * base::bytes_of(from.type));
}

void copy_overlap(const base::LabelImage& from, const base::PixelWindow& from_window,
                  base::LabelImage& to, const base::PixelWindow& to_window) {
  copy_rows(from.labels, from_window, to.labels, to_window, 1);
}

base::Image crop(const base::Image& image, const base::PixelWindow& window) {
  base::Image part = make_part(image, window);
  copy_overlap(image, {.width = image.width, .height = image.height}, part, window);
  return part;
}

base::LabelImage crop(const base::LabelImage& image, const base::PixelWindow& window) {
  base::LabelImage part{.height = window.height, .width = window.width};
  part.labels.resize(static_cast<std::size_t>(window.height * window.width));
  copy_overlap(image, {.width = image.width, .height = image.height}, part, window);
  return part;
}

}  // namespace headroom::data
