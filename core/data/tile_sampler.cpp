#include "core/data/tile_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"
#include "core/data/counter_random.hpp"

namespace headroom::data {

namespace {

constexpr std::int64_t kOrderStream = 0x6f72646572;
constexpr std::int64_t kPlaceStream = 0x706c616365;
constexpr std::int64_t kClassStream = 0x636c617373;
constexpr std::int64_t kGridStream = 0x67726964;
constexpr std::int64_t kWarpStream = 0x77617270;

/// The starts with which the window lies inside the image, or the image inside the window.
struct Starts {
  std::int64_t first, last;
};

Starts starts_of(std::int64_t image, std::int64_t window) {
  const std::int64_t room = image - window;
  return {std::min<std::int64_t>(room, 0), std::max<std::int64_t>(room, 0)};
}

std::int64_t draw_start(CounterRandom& random, Starts starts) {
  return starts.first + random.below(starts.last - starts.first + 1);
}

/// One of these starts with which the window holds `pixel` of the image; there always is one.
std::int64_t draw_start_around(CounterRandom& random, Starts starts, std::int64_t window,
                               std::int64_t pixel) {
  return draw_start(random,
                    {std::max(starts.first, pixel - window + 1), std::min(starts.last, pixel)});
}

/// An offset in the window as the mirrored and turned window has it.
Offset turned(const TileRequest& request, Offset offset) {
  const double across = request.mirrored ? -offset.across : offset.across;
  switch (request.quarter_turns) {
    case 1:
      return {-across, offset.down};
    case 2:
      return {-offset.down, -across};
    case 3:
      return {across, -offset.down};
    default:
      return {offset.down, across};
  }
}

void widen(TileRequest& request, const TileSamplerOptions& options) {
  WindowMargin margin = window_margin(*request.warp, options.tile_height, options.tile_width);
  if (request.quarter_turns % 2 == 1) std::swap(margin.down, margin.across);
  request.top -= margin.down;
  request.left -= margin.across;
  request.window_height += 2 * margin.down;
  request.window_width += 2 * margin.across;
}

void check(const std::vector<std::int64_t>& chosen, const TileSamplerOptions& options,
           const Augmentation& augmentation) {
  const char* problem = nullptr;
  if (chosen.empty() || options.tile_height < 1 || options.tile_width < 1)
    problem = "no samples, or a tile without pixels";
  if (options.coverage && (augmentation.has_warp() || options.foreground > 0))
    problem = "coverage with tiles that do not cover";
  if (problem != nullptr)
    throw base::Error(base::ErrorKind::internal, {"preparing tiles", problem, "report this"});
}

}  // namespace

TileSampler::TileSampler(const std::vector<Sample>& samples,
                         const std::vector<std::int64_t>& chosen, const TileSamplerOptions& options,
                         const ClassPositions& positions)
    : first_tile_{0}, options_(options), augmentation_(augmentation_of(options.augment)) {
  check(chosen, options, augmentation_);
  const auto extent_of = [&](std::int64_t index) {
    const Sample& sample = samples.at(static_cast<std::size_t>(index));
    return Extent{index, sample.height, sample.width};
  };
  for (const std::int64_t index : chosen) {
    const Extent extent = extent_of(index);
    const std::int64_t down = base::divide_up(extent.height, options.tile_height);
    const std::int64_t across = base::divide_up(extent.width, options.tile_width);
    extents_.push_back(extent);
    first_tile_.push_back(first_tile_.back() + std::max<std::int64_t>(1, down * across));
  }
  for (std::size_t label = 1; label < positions.size(); ++label) {
    std::vector<Target> targets;
    for (const PositionsInSample& found : positions[label])
      targets.push_back({extent_of(found.sample), found.pixels});
    if (!targets.empty()) targets_.push_back(std::move(targets));
  }
}

TileRequest TileSampler::request(std::int64_t k) const {
  CounterRandom random(options_.seed, kPlaceStream, k);
  TileRequest request;
  if (augmentation_.flips_and_turns) {
    request.mirrored = random.below(2) == 1;
    request.quarter_turns = random.below(4);
  }
  const bool is_square = options_.tile_height == options_.tile_width;
  if (options_.coverage && !is_square) request.quarter_turns -= request.quarter_turns % 2;
  if (augmentation_.has_warp()) {
    const TileWarp warp = draw_warp(augmentation_, {options_.seed, kWarpStream, k});
    if (warp != TileWarp{}) request.warp = warp;
  }
  const bool is_turned = request.quarter_turns % 2 == 1;
  request.window_height = is_turned ? options_.tile_width : options_.tile_height;
  request.window_width = is_turned ? options_.tile_height : options_.tile_width;
  if (options_.coverage) {
    place_on_grid(request, k);
  } else if (must_show_class(k)) {
    place_on_class(request, k);
  } else {
    place_anywhere(request, k, random);
  }
  if (request.warp) widen(request, options_);
  return request;
}

TileSampler::EpochTile TileSampler::epoch_tile(std::int64_t k) const {
  const std::int64_t epoch = k / tiles_per_epoch();
  const Permutation order(tiles_per_epoch(), options_.seed, kOrderStream + epoch);
  const std::int64_t tile = order[k % tiles_per_epoch()];
  const auto above = std::ranges::upper_bound(first_tile_, tile);
  const std::int64_t extent = above - first_tile_.begin() - 1;
  return {epoch, extent, tile - first_tile_[static_cast<std::size_t>(extent)]};
}

bool TileSampler::must_show_class(std::int64_t k) const {
  if (targets_.empty()) return false;
  const auto tiles_before = [&](std::int64_t index) {
    return std::floor(static_cast<double>(index) * options_.foreground);
  };
  return tiles_before(k + 1) > tiles_before(k);
}

void TileSampler::place_anywhere(TileRequest& request, std::int64_t k,
                                 CounterRandom& random) const {
  const Extent& extent = extents_[static_cast<std::size_t>(epoch_tile(k).extent)];
  request.sample = extent.sample;
  request.top = draw_start(random, starts_of(extent.height, request.window_height));
  request.left = draw_start(random, starts_of(extent.width, request.window_width));
}

void TileSampler::place_on_grid(TileRequest& request, std::int64_t k) const {
  const EpochTile tile = epoch_tile(k);
  const Extent& extent = extents_[static_cast<std::size_t>(tile.extent)];
  const std::int64_t down = base::divide_up(extent.height, request.window_height);
  const std::int64_t across = base::divide_up(extent.width, request.window_width);
  // The same for all tiles of an image in an epoch.
  CounterRandom random(options_.seed, kGridStream + tile.epoch, tile.extent);
  const std::int64_t up = random.below(down * request.window_height - extent.height + 1);
  const std::int64_t left = random.below(across * request.window_width - extent.width + 1);
  request.sample = extent.sample;
  request.top = tile.tile_of_extent / across * request.window_height - up;
  request.left = tile.tile_of_extent % across * request.window_width - left;
}

void TileSampler::place_on_class(TileRequest& request, std::int64_t k) const {
  CounterRandom random(options_.seed, kClassStream, k);
  const auto one_of = [&random](const auto& list) -> const auto& {
    return list[static_cast<std::size_t>(random.below(std::ssize(list)))];
  };
  const Target& target = one_of(one_of(targets_));
  const std::int64_t pixel = one_of(target.pixels);
  const Extent& extent = target.extent;
  const std::int64_t row = pixel / extent.width, column = pixel % extent.width;
  request.sample = extent.sample;
  request.top = draw_start_around(random, starts_of(extent.height, request.window_height),
                                  request.window_height, row);
  request.left = draw_start_around(random, starts_of(extent.width, request.window_width),
                                   request.window_width, column);
  if (request.warp && !shows(request, row, column)) {
    request.top = row - request.window_height / 2;
    request.left = column - request.window_width / 2;
  }
}

bool TileSampler::shows(const TileRequest& request, std::int64_t row, std::int64_t column) const {
  const auto from_middle = [](std::int64_t pixel, std::int64_t start, std::int64_t size) {
    return static_cast<double>(pixel - start) - static_cast<double>(size - 1) / 2;
  };
  const Offset in_window{from_middle(row, request.top, request.window_height),
                         from_middle(column, request.left, request.window_width)};
  const Offset in_tile = tile_offset(*request.warp, turned(request, in_window));
  const double edge = 1 + farthest_displacement(*request.warp);
  return std::abs(in_tile.down) <= static_cast<double>(options_.tile_height) / 2 - edge &&
         std::abs(in_tile.across) <= static_cast<double>(options_.tile_width) / 2 - edge;
}

}  // namespace headroom::data
