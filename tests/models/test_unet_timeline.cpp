// The timeline of a training step of the real network, against what the step measured.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/train/model_setup.hpp"
#include "core/train/train_step.hpp"
#include "models/unet.hpp"

namespace headroom::models {
namespace {

using plan::Phase;
using plan::Policy;
using plan::StepTimeline;
using plan::TimelineSpan;

data::HostBatch example_batch() {
  data::HostBatch batch{.batch = 2, .height = 64, .width = 64, .channels = 3};
  for (std::int64_t i = 0; i < 2 * 64 * 64 * 3; ++i) {
    batch.pixels.push_back(static_cast<float>(std::sin(0.1 * static_cast<double>(i))));
  }
  for (std::int64_t i = 0; i < 2 * 64 * 64; ++i) {
    batch.labels.push_back(static_cast<std::uint8_t>(i / 7 % 2));
  }
  return batch;
}

class UNetTimeline : public testing::TestWithParam<plan::Plan> {
 protected:
  UNetTimeline() {
    base::Settings settings;
    settings.model = {.levels = 2, .base_channels = 8};
    settings.model.channels = 3;
    settings.model.classes = 2;
    at::manual_seed(1);
    const auto model = make_model(settings.model);
    model->train();
    model->set_plan(GetParam());
    train::Optimizer optimizer(train::named_parameters(*model),
                               train::optimizer_options(settings.train));
    train::TrainStep step(*model, optimizer, {.accumulate = 2});
    const auto next = [](std::int64_t, const std::stop_token&) { return example_batch(); };
    step.record_next_step();
    measured_ = step.run(1, 1e-3, next, {}).measured;
    is_next_recorded_ = step.run(2, 1e-3, next, {}).measured.timeline != nullptr;
  }

  [[nodiscard]] bool has_span(Phase phase, int owner) const {
    return std::ranges::any_of(measured_.timeline->spans, [&](const TimelineSpan& span) {
      return span.phase == phase && span.owner == owner;
    });
  }

  memory::StepMeasurement measured_;
  bool is_next_recorded_ = true;
};

TEST_P(UNetTimeline, Peak_IsTheMeasuredOneByteByByte) {
  ASSERT_NE(measured_.timeline, nullptr);
  EXPECT_FALSE(is_next_recorded_);
  const StepTimeline& timeline = *measured_.timeline;
  EXPECT_EQ(timeline.plan, GetParam());
  EXPECT_LE(timeline.seconds.size(), StepTimeline::kPoints);
  EXPECT_EQ(timeline.total_bytes(timeline.peak_point), measured_.peak_total_bytes);
  for (std::size_t point = 0; point < timeline.seconds.size(); ++point) {
    EXPECT_LE(timeline.total_bytes(point), measured_.peak_total_bytes);
  }
  for (std::size_t stage = 0; stage < measured_.stages.size(); ++stage) {
    EXPECT_EQ(timeline.bytes(timeline.peak_point, stage), measured_.stages[stage].bytes_at_peak);
  }
  EXPECT_EQ(timeline.peak_owner, measured_.peak_stage);
  EXPECT_EQ(timeline.peak_phase, measured_.peak_phase);
}

TEST_P(UNetTimeline, EveryStage_HasItsSpansAndFullOnesRepeat) {
  const std::size_t stages = GetParam().size();
  for (std::size_t stage = 0; stage <= stages; ++stage) {
    const int owner = static_cast<int>(stage);
    EXPECT_TRUE(has_span(Phase::forward, owner)) << stage;
    EXPECT_TRUE(has_span(Phase::backward, owner)) << stage;
    const bool repeats = stage < stages && GetParam()[stage] == Policy::full;
    EXPECT_EQ(has_span(Phase::recompute, owner), repeats) << stage;
  }
}

TEST_P(UNetTimeline, Spans_TakeAsLongAsThePhases) {
  plan::PhaseSeconds seconds{};
  double end = 0;
  for (const TimelineSpan& span : measured_.timeline->spans) {
    EXPECT_DOUBLE_EQ(span.begin_seconds, end);
    end = span.end_seconds;
    seconds[static_cast<std::size_t>(span.phase)] += span.end_seconds - span.begin_seconds;
  }
  EXPECT_NEAR(end, measured_.total_seconds, 1e-6);
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
    EXPECT_NEAR(seconds[phase], measured_.seconds[phase], 1e-6) << plan::kPhaseNames[phase];
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, UNetTimeline,
                         testing::Values(plan::Plan(3, Policy::keep), plan::Plan(3, Policy::full),
                                         plan::Plan{Policy::keep, Policy::full, Policy::keep}));

}  // namespace
}  // namespace headroom::models
