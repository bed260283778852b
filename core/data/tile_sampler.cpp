#include "core/data/tile_sampler.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"
#include "core/data/counter_random.hpp"

namespace headroom::data {

namespace {

constexpr std::int64_t kOrderStream = 0x6f72646572;
constexpr std::int64_t kPlaceStream = 0x706c616365;

/// A start so that the window lies inside the image, or the image inside the window.
std::int64_t draw_start(CounterRandom& random, std::int64_t image, std::int64_t window) {
  const std::int64_t room = image - window;
  return std::min<std::int64_t>(room, 0) + random.below(std::abs(room) + 1);
}

}  // namespace

TileSampler::TileSampler(const std::vector<Sample>& samples,
                         const std::vector<std::int64_t>& chosen, const TileSamplerOptions& options)
    : first_tile_{0}, options_(options) {
  if (chosen.empty() || options.tile_height < 1 || options.tile_width < 1) {
    throw base::Error(base::ErrorKind::internal,
                      {"preparing tiles", "no samples, or a tile without pixels", "report this"});
  }
  for (const std::int64_t index : chosen) {
    const Sample& sample = samples.at(static_cast<std::size_t>(index));
    const std::int64_t down = base::divide_up(sample.height, options.tile_height);
    const std::int64_t across = base::divide_up(sample.width, options.tile_width);
    extents_.push_back({index, sample.height, sample.width});
    first_tile_.push_back(first_tile_.back() + std::max<std::int64_t>(1, down * across));
  }
}

TileRequest TileSampler::request(std::int64_t k) const {
  const std::int64_t epoch = k / tiles_per_epoch();
  const Permutation order(tiles_per_epoch(), options_.seed, kOrderStream + epoch);
  const std::int64_t tile = order[k % tiles_per_epoch()];
  const auto above = std::ranges::upper_bound(first_tile_, tile);
  const Extent& extent = extents_[static_cast<std::size_t>(above - first_tile_.begin() - 1)];

  CounterRandom random(options_.seed, kPlaceStream, k);
  TileRequest request;
  request.sample = extent.sample;
  if (options_.augment) {
    request.mirrored = random.below(2) == 1;
    request.quarter_turns = random.below(4);
  }
  const bool turned = request.quarter_turns % 2 == 1;
  request.window_height = turned ? options_.tile_width : options_.tile_height;
  request.window_width = turned ? options_.tile_height : options_.tile_width;
  request.top = draw_start(random, extent.height, request.window_height);
  request.left = draw_start(random, extent.width, request.window_width);
  return request;
}

}  // namespace headroom::data
