#include "core/data/class_positions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>

#include "core/base/image.hpp"

namespace headroom::data {
namespace {

/// Labels that are handed in.
class GivenLabels final : public SampleReader {
 public:
  explicit GivenLabels(std::vector<base::LabelImage> labels) : labels_(std::move(labels)) {}

 private:
  [[nodiscard]] DecodedSample do_read(const Sample& sample) const override {
    return {{}, labels_[static_cast<std::size_t>(std::stoll(sample.id))]};
  }
  std::vector<base::LabelImage> labels_;
};

ClassPositions find(const std::vector<base::LabelImage>& labels, std::int64_t classes,
                    std::int64_t threads = 1) {
  std::vector<Sample> samples;
  std::vector<std::int64_t> chosen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    samples.push_back(
        {.id = std::to_string(i), .height = labels[i].height, .width = labels[i].width});
    chosen.push_back(static_cast<std::int64_t>(i));
  }
  SampleCache cache(samples, std::make_shared<GivenLabels>(labels), 0);
  return find_class_positions(cache, chosen, {.classes = classes, .threads = threads}, {});
}

base::LabelImage halves() {
  base::LabelImage image{100, 100, std::vector<std::uint8_t>(10000, 0)};
  std::fill(image.labels.begin() + 5000, image.labels.end(), std::uint8_t{1});
  return image;
}

TEST(FindClassPositions, FewPixels_AreAllThere) {
  const ClassPositions found = find({{2, 3, {0, 1, 255, 2, 1, 0}}, {1, 2, {0, 255}}}, 4);
  ASSERT_EQ(found.size(), 4U);
  ASSERT_EQ(found[1].size(), 1U);
  EXPECT_EQ(found[1][0].sample, 0);
  EXPECT_THAT(found[1][0].pixels, testing::ElementsAre(1, 4));
  EXPECT_THAT(found[2][0].pixels, testing::ElementsAre(3));
  EXPECT_TRUE(found[3].empty());
  ASSERT_EQ(found[0].size(), 2U);
  EXPECT_EQ(found[0][1].sample, 1);
}

TEST(FindClassPositions, ManyPixels_AreSampledEvenly) {
  // 40 images: the mean of 64 places among 5000 … 9999 each lies near the middle of them.
  const ClassPositions found = find(std::vector(40, halves()), 2);
  std::set<std::vector<std::int64_t>> different;
  double sum = 0;
  ASSERT_EQ(found[1].size(), 40U);
  for (const PositionsInSample& in_sample : found[1]) {
    ASSERT_EQ(in_sample.pixels.size(), 64U);
    EXPECT_TRUE(std::ranges::all_of(in_sample.pixels, [](auto p) { return p >= 5000; }));
    sum += std::accumulate(in_sample.pixels.begin(), in_sample.pixels.end(), 0.0);
    different.insert(in_sample.pixels);
  }
  // Standard error of the mean of 2560 even draws from 5000 values: 28.5.
  EXPECT_NEAR(sum / (40 * 64), 7499.5, 5 * 28.5);
  EXPECT_EQ(different.size(), 40U);
}

TEST(FindClassPositions, AnyNumberOfThreads_FindsTheSame) {
  const auto one = find(std::vector(9, halves()), 2, 1);
  const auto four = find(std::vector(9, halves()), 2, 4);
  for (std::size_t label = 0; label < 2; ++label) {
    ASSERT_EQ(one[label].size(), four[label].size());
    for (std::size_t i = 0; i < one[label].size(); ++i)
      EXPECT_EQ(one[label][i].pixels, four[label][i].pixels);
  }
}

}  // namespace
}  // namespace headroom::data
