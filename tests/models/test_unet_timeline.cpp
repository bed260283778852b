// The timeline of a training step of the real network, against what the step measured.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
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

TEST_P(UNetTimeline, EveryStage_HasItsSpansAndRepeatsWhatItsPolicySays) {
  const std::size_t stages = GetParam().size();
  for (std::size_t stage = 0; stage <= stages; ++stage) {
    const int owner = static_cast<int>(stage);
    EXPECT_TRUE(has_span(Phase::forward, owner)) << stage;
    EXPECT_TRUE(has_span(Phase::backward, owner)) << stage;
    const bool repeats = stage < stages && GetParam()[stage] != Policy::keep;
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

std::int64_t bytes_per_value(const std::string& dtype) {
  const std::map<std::string, std::int64_t> known = {{"fp32", 4},  {"fp64", 8},  {"bf16", 2},
                                                     {"uint8", 1}, {"int64", 8}, {"bool", 1}};
  return known.at(dtype);
}

TEST_P(UNetTimeline, PeakTensors_AddUpToThePeakWithWhatHasNoName) {
  const StepTimeline& timeline = *measured_.timeline;
  std::vector<std::int64_t> by_owner(timeline.owners.size());
  std::int64_t named = 0;
  for (const plan::PeakTensor& tensor : timeline.peak_tensors) {
    named += tensor.bytes;
    by_owner.at(static_cast<std::size_t>(tensor.owner)) += tensor.bytes;
    if (tensor.dtype.empty()) continue;
    std::int64_t bytes = bytes_per_value(tensor.dtype);
    for (const std::int64_t side : tensor.shape) bytes *= side;
    EXPECT_EQ(tensor.bytes, bytes) << tensor.role;
  }
  EXPECT_EQ(named + timeline.peak_unnamed_bytes, measured_.peak_total_bytes);
  EXPECT_GE(timeline.peak_unnamed_blocks, 0);
  EXPECT_LT(static_cast<double>(timeline.peak_unnamed_bytes),
            0.01 * static_cast<double>(measured_.peak_total_bytes));
  for (std::size_t owner = 0; owner < by_owner.size(); ++owner) {
    EXPECT_LE(by_owner[owner], timeline.bytes(timeline.peak_point, owner));
  }
  EXPECT_EQ(std::reduce(timeline.peak_bytes_by_phase.begin(), timeline.peak_bytes_by_phase.end()),
            measured_.peak_total_bytes);
}

TEST_P(UNetTimeline, PeakTensors_AreWhatThePlanKeeps) {
  const StepTimeline& timeline = *measured_.timeline;
  const auto find = [&](const std::string& role) {
    return std::ranges::find(timeline.peak_tensors, role, &plan::PeakTensor::role);
  };
  const auto end = timeline.peak_tensors.end();
  EXPECT_NE(find("parameter enc1.conv_a.weight"), end);
  EXPECT_NE(find("optimizer state exp_avg.head.weight"), end);
  // Every policy keeps what the last convolution gave: full has its border behind it.
  const auto kept = find("output of enc1.conv_b");
  ASSERT_NE(kept, end);
  EXPECT_EQ(kept->shape, (std::vector<std::int64_t>{2, 8, 64, 64}));
  EXPECT_EQ(kept->dtype, "fp32");
  EXPECT_EQ(kept->owner, 0);
  EXPECT_EQ(kept->phase, Phase::forward);
}

/// A step of the network, with its gradients, recorded or not.
struct StepOutcome {
  memory::StepMeasurement measured{};
  double loss = 0;
  std::vector<at::Tensor> weights{};
};

StepOutcome run_step(const plan::Plan& plan, bool is_recorded) {
  base::Settings settings;
  settings.model = {.levels = 2, .base_channels = 8};
  settings.model.channels = 3;
  settings.model.classes = 2;
  settings.model.dropout = 0.2;
  at::manual_seed(1);
  const auto model = make_model(settings.model);
  model->train();
  model->set_plan(plan);
  train::Optimizer optimizer(train::named_parameters(*model),
                             train::optimizer_options(settings.train));
  train::TrainStep step(*model, optimizer, {.precision = base::Precision::bf16, .accumulate = 2});
  const auto next = [](std::int64_t, const std::stop_token&) { return example_batch(); };
  static_cast<void>(step.run(1, 1e-3, next, {}));
  if (is_recorded) step.record_next_step();
  const train::StepResult result = step.run(2, 1e-3, next, {});
  return {result.measured, result.loss, model->parameters()};
}

TEST_P(UNetTimeline, Recording_ChangesNeitherResultsNorBytes) {
  const StepOutcome plain = run_step(GetParam(), false), recorded = run_step(GetParam(), true);
  ASSERT_NE(recorded.measured.timeline, nullptr);
  EXPECT_EQ(recorded.measured.peak_bytes, plain.measured.peak_bytes);
  EXPECT_EQ(recorded.measured.peak_stage, plain.measured.peak_stage);
  EXPECT_EQ(recorded.loss, plain.loss);
  for (std::size_t i = 0; i < plain.weights.size(); ++i) {
    EXPECT_TRUE(at::equal(recorded.weights[i], plain.weights[i])) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Plans, UNetTimeline,
                         testing::Values(plan::Plan(3, Policy::keep), plan::Plan(3, Policy::full),
                                         plan::Plan(3, Policy::light),
                                         plan::Plan{Policy::keep, Policy::full, Policy::keep}));

}  // namespace
}  // namespace headroom::models
