// Batches as training gets them, through OpenCV.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>

#include "core/data/prefetcher.hpp"
#include "core/formats/tile_augmenter.hpp"
#include "tests/core/data/fake_reader.hpp"

namespace headroom::formats {
namespace {

constexpr std::int64_t kSide = 48;

constexpr auto kAllPresets = {base::Augment::none,   base::Augment::flips,
                              base::Augment::light,  base::Augment::medical,
                              base::Augment::aerial, base::Augment::microscopy};

data::TrainingTiles make_tiles(data::TileInputs source, data::TileSamplerOptions options) {
  const std::size_t bands = source.normalisation.shift.size();
  if (bands == 0) source.normalisation = {"zscore", {100, 101, 102}, {0.01, 0.02, 0.03}};
  source.augmenter = make_tile_augmenter();
  options.tile_height = options.tile_width = kSide;
  return {std::move(source), options};
}

data::TrainingTiles patterned_tiles(base::Augment augment) {
  const auto cache = std::make_shared<data::SampleCache>(
      tests::patterned_samples(4, 90, 70), std::make_shared<tests::FakeReader>(), 1 << 20);
  return make_tiles({.samples = cache, .chosen = {0, 1, 2, 3}}, {.seed = 11, .augment = augment});
}

TEST(AugmentedBatches, AnyNumberOfThreads_GivesTheSameBytes) {
  for (const base::Augment augment : kAllPresets) {
    data::Prefetcher none(patterned_tiles(augment), {.batch = 2, .loader_threads = 0});
    data::Prefetcher one(patterned_tiles(augment), {.batch = 2, .loader_threads = 1});
    data::Prefetcher four(patterned_tiles(augment), {.batch = 2, .loader_threads = 4});
    for (std::int64_t k = 0; k < 15; ++k) {
      const data::HostBatch expected = none.batch(k, {});
      EXPECT_EQ(one.batch(k, {}).pixels, expected.pixels);
      const data::HostBatch batch = four.batch(k, {});
      EXPECT_EQ(batch.pixels, expected.pixels);
      EXPECT_EQ(batch.labels, expected.labels);
    }
  }
}

TEST(AugmentedBatches, Resumed_GoOnWithTheSameBytes) {
  data::Prefetcher whole(patterned_tiles(base::Augment::medical), {.batch = 2});
  for (std::int64_t k = 0; k < 20; ++k) static_cast<void>(whole.batch(k, {}));
  data::Prefetcher resumed(patterned_tiles(base::Augment::medical), {.batch = 2});
  EXPECT_EQ(resumed.batch(20, {}).pixels, whole.batch(20, {}).pixels);
}

TEST(AugmentedBatches, Epochs_DoNotRepeatTiles) {
  const data::TrainingTiles tiles = patterned_tiles(base::Augment::aerial);
  std::set<std::vector<float>> seen;
  std::vector<float> pixels(kSide * kSide * 3);
  std::vector<std::uint8_t> labels(kSide * kSide);
  for (std::int64_t k = 0; k < 5 * tiles.tiles_per_epoch(); ++k) {
    tiles.build(k, pixels, labels);
    EXPECT_TRUE(seen.insert(pixels).second) << k;
  }
}

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

TEST(AugmentedBatches, OpenCv_StartsNoThreadsOfItsOwn) {
  const std::ptrdiff_t before = threads_of_this_process();
  constexpr std::int64_t kLoaders = 8;
  data::Prefetcher source(patterned_tiles(base::Augment::microscopy),
                          {.batch = 4, .loader_threads = kLoaders});
  for (std::int64_t k = 0; k < 20; ++k) static_cast<void>(source.batch(k, {}));
  EXPECT_LE(threads_of_this_process(), before + kLoaders);
}

/// One image of 1024x1024 with an object of 6x6 pixels, and one without.
class TinyObject final : public data::SampleReader {
 public:
  static constexpr std::int64_t kImageSide = 1024, kTop = 1000, kLeft = 3, kObjectSide = 6;

 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    data::DecodedSample decoded;
    decoded.image = {.height = kImageSide, .width = kImageSide, .channels = 1};
    decoded.image.pixels.resize(kImageSide * kImageSide);
    decoded.labels = {kImageSide, kImageSide, {}};
    decoded.labels.labels.resize(kImageSide * kImageSide);
    if (sample.id != "0") return decoded;
    for (std::int64_t y = kTop; y < kTop + kObjectSide; ++y) {
      for (std::int64_t x = kLeft; x < kLeft + kObjectSide; ++x)
        decoded.labels.labels[static_cast<std::size_t>(y * kImageSide + x)] = 1;
    }
    return decoded;
  }
};

TEST(AugmentedBatches, Foreground_ShowsTheObjectInItsShareOfTiles) {
  const std::int64_t side = TinyObject::kImageSide;
  for (const base::Augment augment : kAllPresets) {
    const auto cache = std::make_shared<data::SampleCache>(tests::patterned_samples(2, side, side),
                                                           std::make_shared<TinyObject>(), 1 << 24);
    data::TileInputs source{
        .samples = cache, .chosen = {0, 1}, .normalisation = {"none", {0}, {1}}};
    source.positions = data::find_class_positions(*cache, {0, 1}, {.classes = 2}, {});
    const data::TrainingTiles tiles =
        make_tiles(std::move(source), {.augment = augment, .foreground = 0.33});
    std::vector<float> pixels(kSide * kSide);
    std::vector<std::uint8_t> labels(kSide * kSide);
    int showing = 0;
    for (std::int64_t k = 0; k < 300; ++k) {
      tiles.build(k, pixels, labels);
      showing += std::ranges::count(labels, std::uint8_t{1}) > 0 ? 1 : 0;
    }
    EXPECT_NEAR(showing, 99, 4) << static_cast<int>(augment);
  }
}

}  // namespace
}  // namespace headroom::formats
