#include "core/formats/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

#include "core/formats/raster_reader.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

class GenerateKind : public testing::TestWithParam<SampleKind> {
 protected:
  const tests::TemporaryFolder folder_;
};

TEST_P(GenerateKind, Set_ScansWithoutProblemsUnderItsOwnMapping) {
  generate_sample_set({.kind = GetParam(), .count = 4, .size = 128}, folder_ / "set");
  const Dataset dataset = scan_dataset({.folder = folder_ / "set"});
  EXPECT_EQ(dataset.summary.layout, "images-masks");
  EXPECT_EQ(dataset.summary.samples, 4);
  EXPECT_EQ(dataset.summary.channels, 3);
  EXPECT_EQ(dataset.mapping.class_names, class_names_of(GetParam()));
  EXPECT_NO_THROW(require_usable(dataset.summary));
}

TEST_P(GenerateKind, EveryClass_OccursInADozenPictures) {
  std::vector<std::int64_t> pixels(256);
  for (std::int64_t i = 0; i < 12; ++i) {
    for (const std::uint8_t label :
         generate_sample({.kind = GetParam(), .size = 256}, i).labels.labels)
      ++pixels[label];
  }
  const std::size_t classes = class_names_of(GetParam()).size();
  for (std::size_t id = 0; id < classes; ++id) EXPECT_GT(pixels[id], 256) << id;
  EXPECT_EQ(std::accumulate(pixels.begin() + static_cast<std::ptrdiff_t>(classes), pixels.end() - 1,
                            std::int64_t{0}),
            0);
}

TEST_P(GenerateKind, SameSeed_GivesTheSamePictures) {
  const GenerateOptions options{.kind = GetParam(), .size = 96, .seed = 5};
  const GeneratedSample a = generate_sample(options, 3), b = generate_sample(options, 3),
                        c = generate_sample(options, 4);
  EXPECT_EQ(a.image.pixels, b.image.pixels);
  EXPECT_EQ(a.labels.labels, b.labels.labels);
  EXPECT_NE(a.image.pixels, c.image.pixels);
  EXPECT_NE(a.image.pixels,
            generate_sample({.kind = GetParam(), .size = 96, .seed = 6}, 3).image.pixels);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GenerateKind,
                         testing::Values(SampleKind::aerial, SampleKind::retina, SampleKind::cells),
                         [](const auto& test) { return name_of(test.param); });

TEST(GenerateSample, NucleusPixels_AreBrighterThanGround) {
  const GeneratedSample sample = generate_sample({.kind = SampleKind::cells, .size = 256}, 0);
  std::array<double, 2> sum{}, count{};
  for (std::size_t i = 0; i < sample.labels.labels.size(); ++i) {
    sum[sample.labels.labels[i]] += static_cast<double>(sample.image.pixels[3 * i + 2]);
    ++count[sample.labels.labels[i]];
  }
  EXPECT_GT(sum[1] / count[1], 2 * sum[0] / count[0]);
}

TEST(GenerateSample, RetinaOutsideTheFieldOfView_IsIgnoredAndDark) {
  const GeneratedSample sample = generate_sample({.kind = SampleKind::retina, .size = 200}, 1);
  for (std::int64_t y = 0; y < 200; ++y) {
    for (std::int64_t x = 0; x < 200; ++x) {
      const double far = std::hypot(static_cast<double>(x) - 99.5, static_cast<double>(y) - 99.5);
      const bool is_ignored =
          sample.labels.labels[static_cast<std::size_t>(y * 200 + x)] == base::kIgnoreLabel;
      if (far > 96 || far < 94) {
        EXPECT_EQ(is_ignored, far > 96) << x << ' ' << y;
      }
    }
  }
}

TEST(GenerateSampleSet, Threads_DoNotChangeTheFiles) {
  const tests::TemporaryFolder folder;
  generate_sample_set({.count = 3, .size = 64, .threads = 1}, folder / "one");
  generate_sample_set({.count = 3, .size = 64, .threads = 3}, folder / "three");
  EXPECT_EQ(scan_dataset({.folder = folder / "one"}).summary.fingerprint,
            scan_dataset({.folder = folder / "three"}).summary.fingerprint);
}

TEST(GenerateSampleSet, FolderWithFiles_IsRefusedAndLeftAlone) {
  const tests::TemporaryFolder folder;
  tests::write_text(folder / "mine.txt", "mine");
  const auto error = tests::thrown_error([&] { generate_sample_set({}, folder.path()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "images"));
}

TEST(GenerateSampleSet, ValueOutOfRange_IsRefusedBeforeAnythingIsMade) {
  const tests::TemporaryFolder folder;
  for (const GenerateOptions& options :
       {GenerateOptions{.size = 10}, GenerateOptions{.count = 0}}) {
    const auto error = tests::thrown_error([&] { generate_sample_set(options, folder / "set"); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->exit_code(), 2);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "set"));
}

TEST(GenerateSampleSet, Stop_IsInterrupted) {
  const tests::TemporaryFolder folder;
  std::stop_source stop;
  stop.request_stop();
  const auto error = tests::thrown_error(
      [&] { generate_sample_set({.size = 64}, folder / "set", stop.get_token()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

}  // namespace
}  // namespace headroom::formats
