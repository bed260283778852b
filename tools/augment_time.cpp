// What a training tile costs a loader thread, by augmentation: generated aerial images that are in
// memory already, one thread.
//
//   augment_time [TILE [TILES]]    side in pixels, 256; tiles of each augmentation, 400
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/elapsed.hpp"
#include "core/base/settings_schema.hpp"
#include "core/base/text_number.hpp"
#include "core/data/training_tiles.hpp"
#include "core/formats/generate.hpp"
#include "core/formats/tile_augmenter.hpp"
#include "tools/median.hpp"

namespace headroom {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kImages = 4;
constexpr std::int64_t kSide = 1024;

class GeneratedImages final : public data::SampleReader {
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    formats::GeneratedSample generated =
        formats::generate_sample({.size = kSide}, base::parse_integer(sample.id).value_or(0));
    return {std::move(generated.image), std::move(generated.labels)};
  }
};

std::vector<double> times_of(const data::TrainingTiles& tiles, std::int64_t count) {
  const auto tile_pixels = static_cast<std::size_t>(tiles.height() * tiles.width());
  std::vector<float> pixels(tile_pixels * static_cast<std::size_t>(tiles.channels()));
  std::vector<std::uint8_t> labels(tile_pixels);
  std::vector<double> ms;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto begin = Clock::now();
    tiles.build(k, pixels, labels);
    ms.push_back(base::seconds_between(begin, Clock::now()) * 1e3);
  }
  return ms;
}

void print_times(std::int64_t tile, std::int64_t count) {
  data::TileInputs source{.normalisation = {"zscore", {110, 110, 110}, {0.02, 0.02, 0.02}},
                          .augmenter = formats::make_tile_augmenter()};
  std::vector<data::Sample> samples;
  for (std::int64_t i = 0; i < kImages; ++i) {
    samples.push_back({.id = std::to_string(i), .height = kSide, .width = kSide});
    source.chosen.push_back(i);
  }
  source.samples = std::make_shared<data::SampleCache>(samples, std::make_shared<GeneratedImages>(),
                                                       std::int64_t{1} << 30);
  for (const std::int64_t image : source.chosen) static_cast<void>(source.samples->get(image));

  fmt::print("{:<12} {:>9} {:>9} {:>9}   ms per tile of {}x{}x3\n", "augment", "mean", "median",
             "p95", tile, tile);
  const base::SettingRow& row = *base::find_setting("augment");
  for (const std::string_view name : row.choices) {
    base::Settings settings;
    base::apply_text(settings, row, name);
    const data::TrainingTiles tiles(
        source, {.tile_height = tile, .tile_width = tile, .augment = settings.train.augment});
    std::vector<double> ms = times_of(tiles, count);
    double sum = 0;
    for (const double each : ms) sum += each;
    std::ranges::sort(ms);
    fmt::print("{:<12} {:>9.2f} {:>9.2f} {:>9.2f}\n", name, sum / static_cast<double>(ms.size()),
               median(ms), ms[ms.size() * 95 / 100]);
  }
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  const auto number = [&](int index, std::int64_t otherwise) {
    const auto given = argument_count > index ? headroom::base::parse_integer(arguments[index])
                                              : std::optional(otherwise);
    return given.value_or(0);
  };
  const std::int64_t tile = number(1, 256), tiles = number(2, 400);
  if (tile < 1 || tiles < 1) {
    fmt::print(stderr, "augment_time: give sizes above 0: augment_time [TILE [TILES]]\n");
    return 2;
  }
  headroom::print_times(tile, tiles);
  return 0;
}
