#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/base/error.hpp"
#include "core/data/image_parts.hpp"
#include "core/memory/meter.hpp"
#include "core/train/predictor.hpp"
#include "core/train/sample_score.hpp"
#include "tests/core/train/synthetic_samples.hpp"
#include "tests/core/train/tiny_model.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

struct Cut {
  std::int64_t length, window, margin, stride;
};
class WindowSpans : public testing::TestWithParam<Cut> {};
INSTANTIATE_TEST_SUITE_P(Cuts, WindowSpans,
                         testing::Values(Cut{10, 64, 16, 16}, Cut{64, 64, 16, 16},
                                         Cut{65, 64, 16, 16}, Cut{1000, 64, 16, 16},
                                         Cut{1001, 128, 0, 16}, Cut{509, 256, 64, 32},
                                         Cut{3504, 1024, 64, 16}, Cut{127, 32, 8, 4}));

TEST_P(WindowSpans, KeptParts_CoverTheAxisOnceAwayFromInnerBorders) {
  const auto [length, window, margin, stride] = GetParam();
  std::int64_t kept = 0;
  for (const WindowSpan& span : cut_into_windows(length, window, margin, stride)) {
    EXPECT_EQ(span.keep_begin, kept);
    EXPECT_GT(span.keep_end, span.keep_begin);
    EXPECT_EQ(span.begin % stride, 0);
    EXPECT_LE(span.end - span.begin, window);
    EXPECT_LE(span.end, length);
    EXPECT_TRUE(span.begin == 0 || span.keep_begin >= span.begin + margin);
    EXPECT_TRUE(span.end == length ? span.keep_end == length : span.keep_end <= span.end - margin);
    kept = span.keep_end;
  }
  EXPECT_EQ(kept, length);
}

class PredictorTest : public testing::Test {
 protected:
  PredictorTest() {
    base::ModelSettings settings;
    settings.channels = 1;
    settings.classes = 2;
    model_ = tests::make_tiny_model(settings);
    options_.normalisation = {"zscore", {115.0}, {1.0 / 55}};
    options_.tile_height = options_.tile_width = 16;
    // Weights whose answer varies from pixel to pixel, not from half to half.
    const at::NoGradGuard no_graph;
    for (at::Tensor& parameter : model_->parameters()) {
      parameter.copy_(at::randn_like(parameter));
    }
  }

  [[nodiscard]] base::LabelImage predict(const base::Image& image) {
    return Predictor(*model_, options_).predict(image, {});
  }

  /// Judged through the windows that the predictor asks for.
  [[nodiscard]] LossSums sums_of(const data::DecodedSample& sample) {
    const PredictorInput input{.height = sample.image.height,
                               .width = sample.image.width,
                               .read = [&sample](const base::PixelWindow& window) {
                                 return data::DecodedSample{data::crop(sample.image, window),
                                                            data::crop(sample.labels, window)};
                               }};
    const PredictorOutput ignored{
        .begin = [] {},
        .put = [](const base::PixelWindow&, const base::LabelImage&, const base::LabelImage&) {}};
    return Predictor(*model_, options_).predict(input, ignored, {});
  }

  std::shared_ptr<StagedModel> model_;
  PredictorOptions options_;
};

TEST_F(PredictorTest, Pieces_CoverTheImageInOrderWithTheirTruth) {
  const auto sample = tests::half_bright_sample(97, 131, 3);
  const base::LabelImage whole = predict(sample.image);
  options_.window_pixels = 32 * 32;
  options_.margin = 4;
  base::LabelImage prediction{97, 131, std::vector<std::uint8_t>(97 * 131, 77)};
  base::LabelImage truth = prediction;
  base::PixelWindow last{};
  const base::PixelWindow all{.width = 131, .height = 97};
  const PredictorInput input{.height = 97, .width = 131, .read = [&](const auto& window) {
                               return data::DecodedSample{data::crop(sample.image, window),
                                                          data::crop(sample.labels, window)};
                             }};
  const PredictorOutput output{.begin = [&last] { last = {}; },
                               .put =
                                   [&](const auto& place, const auto& piece, const auto& of) {
                                     EXPECT_TRUE(place.top == last.top
                                                     ? place.left == last.right()
                                                     : place.top == last.bottom());
                                     last = place;
                                     data::copy_overlap(piece, place, prediction, all);
                                     data::copy_overlap(of, place, truth, all);
                                   }};
  Predictor(*model_, options_).predict(input, output, {});
  EXPECT_EQ(prediction.labels, whole.labels);
  EXPECT_EQ(truth.labels, sample.labels.labels);
}

TEST_F(PredictorTest, SampleReadByParts_IsScoredLikeTheWhole) {
  options_.window_pixels = 32 * 32;
  options_.margin = 4;
  data::Sample sample{.id = "3", .height = 97, .width = 131};
  data::Sample blocked = sample;
  blocked.pixel_bytes = 2;
  blocked.block = {32, 32};
  const auto reader = std::make_shared<tests::HalfBrightReader>();
  data::SampleCache whole({sample}, reader, 1 << 20), parts({blocked}, reader, 8000);
  ASSERT_TRUE(parts.is_read_by_parts(0));
  EXPECT_EQ(shown_window(parts, 0), (base::PixelWindow{.width = 131, .height = 97}));
  Predictor predictor(*model_, options_);
  const base::PixelWindow shown{.left = 40, .top = 20, .width = 50, .height = 60};
  const SampleScore expected = score_sample(predictor, whole, 0, shown, {});
  const SampleScore found = score_sample(predictor, parts, 0, shown, {});
  EXPECT_EQ(found.shown.labels, expected.shown.labels);
  EXPECT_EQ(found.sums.loss(base::LossKind::ce_dice), expected.sums.loss(base::LossKind::ce_dice));
  EXPECT_EQ(found.confusion.pixels(), 96 * 131);
  for (std::int64_t truth : {0, 1}) {
    for (std::int64_t guess : {0, 1})
      EXPECT_EQ(found.confusion.count(truth, guess), expected.confusion.count(truth, guess));
  }
}

TEST_F(PredictorTest, Windows_GiveTheResultOfTheWholeImage) {
  const auto sample = tests::half_bright_sample(97, 131, 3);
  const base::LabelImage whole = predict(sample.image);
  ASSERT_EQ(whole.labels.size(), 97U * 131U);
  options_.window_pixels = 32 * 32;
  options_.margin = 4;
  EXPECT_EQ(predict(sample.image).labels, whole.labels);
}

TEST_F(PredictorTest, Sums_DoNotDependOnWindows) {
  const auto sample = tests::half_bright_sample(60, 90, 1);
  const LossSums whole = sums_of(sample);
  options_.window_pixels = 32 * 32;
  options_.margin = 4;
  const LossSums cut = sums_of(sample);
  EXPECT_EQ(whole.pixels(), 59 * 90);
  EXPECT_EQ(cut.pixels(), whole.pixels());
  EXPECT_NEAR(cut.loss(base::LossKind::ce_dice), whole.loss(base::LossKind::ce_dice), 1e-6);
}

TEST_F(PredictorTest, Mode_IsPutBackAndStatisticsDoNotMove) {
  const tests::StateSnapshot before(*model_);
  (void)predict(tests::half_bright_sample(20, 20, 0).image);
  EXPECT_TRUE(model_->is_training());
  EXPECT_TRUE(before == tests::StateSnapshot(*model_));
}

TEST_F(PredictorTest, ImageLargerThanTheBudget_RunsInSmallerWindows) {
  const auto sample = tests::half_bright_sample(300, 300, 0);
  const base::LabelImage whole = predict(sample.image);
  memory::MemoryMeter& meter = memory::meter_of(c10::kCPU);
  meter.set_budget(meter.reading().live_bytes + (std::int64_t{1} << 20));
  const base::LabelImage cut = predict(sample.image);
  meter.set_budget(0);
  std::int64_t different = 0;
  for (std::size_t i = 0; i < whole.labels.size(); ++i) {
    different += whole.labels[i] != cut.labels[i];
  }
  EXPECT_EQ(different, 0);
}

TEST_F(PredictorTest, NotEvenTheTileFits_IsAnOutOfMemoryError) {
  memory::MemoryMeter& meter = memory::meter_of(c10::kCPU);
  meter.set_budget(meter.reading().live_bytes + 512);
  const auto error = tests::thrown_error([&] {
                       (void)predict(tests::half_bright_sample(64, 64, 0).image);
                     }).value();
  meter.set_budget(0);
  EXPECT_EQ(error.kind(), base::ErrorKind::out_of_memory);
  EXPECT_TRUE(model_->is_training());
}

TEST_F(PredictorTest, StopRequested_IsInterrupted) {
  std::stop_source source;
  source.request_stop();
  const auto error = tests::thrown_error([&] {
                       (void)Predictor(*model_, options_)
                           .predict(tests::half_bright_sample(20, 20, 0).image, source.get_token());
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::interrupted);
}

TEST_F(PredictorTest, OtherNumberOfChannels_IsAUsageError) {
  base::Image image;
  image.height = image.width = 8;
  image.channels = 3;
  image.pixels.resize(8 * 8 * 3);
  const auto error = tests::thrown_error([&] { (void)predict(image); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::usage);
}

}  // namespace
}  // namespace headroom::train
