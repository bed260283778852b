#include "core/data/tile_source.hpp"

#include <algorithm>

namespace headroom::data {

namespace {

struct Range {
  std::int64_t begin = 0, end = 0;
};

/// Pixels of an axis of `length` that `count` of them from `start` on show.
Range shown_range(std::int64_t start, std::int64_t count, std::int64_t length) {
  const std::int64_t before = std::max<std::int64_t>(0, -start);
  const std::int64_t behind = std::max<std::int64_t>(0, start + count - length);
  const bool is_all =
      (before > 0 && behind > 0) || before >= length || behind >= length || length == 1;
  if (is_all) return {0, length};
  // Pixel -k shows k, and pixel length - 1 + k shows length - 1 - k.
  if (before > 0) return {0, std::max(start + count, before + 1)};
  if (behind > 0) return {std::min(start, length - 1 - behind), length};
  return {start, start + count};
}

}  // namespace

base::PixelWindow source_window(const TileRequest& request, const Sample& sample) {
  const Range rows = shown_range(request.top, request.window_height, sample.height);
  const Range columns = shown_range(request.left, request.window_width, sample.width);
  return {.left = columns.begin,
          .top = rows.begin,
          .width = columns.end - columns.begin,
          .height = rows.end - rows.begin};
}

TileRequest moved_to(TileRequest request, std::int64_t top, std::int64_t left) {
  request.top -= top;
  request.left -= left;
  return request;
}

}  // namespace headroom::data
