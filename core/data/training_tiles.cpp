#include "core/data/training_tiles.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/data/tile_builder.hpp"
#include "core/data/tile_source.hpp"

namespace headroom::data {
namespace {

constexpr std::int64_t kBendStream = 0x62656e64;
constexpr std::int64_t kValueStream = 0x76616c7565;

/// The window of `request`, mirrored and turned, warped into `tile`.
void build_warped(const DecodedSample& decoded, const TileRequest& request,
                  const Normalisation& normalisation, const TileAugmenter& augmenter,
                  CounterRandom random, const TileSpan& tile) {
  const bool is_turned = request.quarter_turns % 2 == 1;
  TileSpan window{.height = is_turned ? request.window_width : request.window_height,
                  .width = is_turned ? request.window_height : request.window_width,
                  .channels = tile.channels};
  const std::int64_t count = window.height * window.width;
  std::vector<float> pixels(static_cast<std::size_t>(count * tile.channels));
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(count));
  window.pixels = pixels;
  window.labels = labels;
  build_tile(decoded, request, normalisation, pixels, labels);
  augmenter.warp(window, *request.warp, random, tile);
}

}  // namespace

TrainingTiles::TrainingTiles(TileInputs inputs, const TileSamplerOptions& options)
    : inputs_(std::move(inputs)),
      sampler_(inputs_.samples->samples(), inputs_.chosen, options,
               std::exchange(inputs_.positions, {})),
      augmentation_(augmentation_of(options.augment)) {
  if (!inputs_.augmenter && (augmentation_.has_warp() || augmentation_.has_value_change())) {
    throw base::Error(base::ErrorKind::internal,
                      {"preparing tiles", "nothing is there to change them with", "report this"});
  }
}

void TrainingTiles::build(std::int64_t k, std::span<float> pixels,
                          std::span<std::uint8_t> labels) const {
  const TileRequest request = sampler_.request(k);
  const std::int64_t seed = sampler_.options().seed;
  const TileSpan tile{height(), width(), channels(), pixels, labels};
  const Sample& sample = inputs_.samples->samples()[static_cast<std::size_t>(request.sample)];
  const SamplePart part = inputs_.samples->get(request.sample, source_window(request, sample));
  const TileRequest in_part = moved_to(request, part.top, part.left);
  if (request.warp) {
    build_warped(*part.decoded, in_part, inputs_.normalisation, *inputs_.augmenter,
                 {seed, kBendStream, k}, tile);
  } else {
    build_tile(*part.decoded, in_part, inputs_.normalisation, pixels, labels);
  }
  if (augmentation_.has_value_change())
    inputs_.augmenter->change_values(tile, augmentation_, {seed, kValueStream, k});
}

}  // namespace headroom::data
