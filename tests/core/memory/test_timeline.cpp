#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "core/memory/checkpoint.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/memory/timeline_recording.hpp"

namespace headroom::memory {
namespace {

using plan::Phase;
using plan::StepTimeline;
using plan::TimelineSpan;
using Clock = std::chrono::steady_clock;

at::Tensor tensor_of(std::int64_t bytes) { return at::empty({bytes}, at::kByte); }

TEST(MeterRecording, EveryEvent_AddsUpToTheLiveBytesOfThatMoment) {
  CpuMeter& meter = cpu_meter();
  meter.begin_window();
  std::vector<std::int64_t> live = {meter.reading().live_bytes};
  std::vector<at::Tensor> tensors(10);
  meter.begin_recording(1000);
  for (int i = 0; i < 30; ++i) {
    const StageMark mark(i % 4 - 1);
    at::Tensor& tensor = tensors[static_cast<std::size_t>(i * 7 % 10)];
    if (tensor.defined()) {
      tensor.reset();
      live.push_back(meter.reading().live_bytes);
    }
    tensor = tensor_of(1 + i * 5000);
    live.push_back(meter.reading().live_bytes);
  }
  const MeterRecording recording = meter.end_recording();
  tensors.clear();

  ASSERT_TRUE(recording.is_complete);
  StepTimeline timeline;
  timeline.owners = {"a", "b", "head", "other"};
  add_points(timeline, recording, recording.events.front().time, 0);
  ASSERT_EQ(timeline.seconds.size(), live.size());
  for (std::size_t point = 0; point < live.size(); ++point) {
    EXPECT_EQ(timeline.total_bytes(point), live[point]);
  }
  EXPECT_TRUE(std::ranges::is_sorted(timeline.seconds));
  EXPECT_EQ(timeline.total_bytes(timeline.peak_point), meter.reading().peak_bytes);
}

TEST(MeterRecording, Ended_RecordsNoMore) {
  CpuMeter& meter = cpu_meter();
  meter.begin_recording(10);
  static_cast<void>(tensor_of(100));
  EXPECT_EQ(meter.end_recording().events.size(), 2U);
  static_cast<void>(tensor_of(100));
  EXPECT_TRUE(meter.end_recording().events.empty());
}

TEST(MeterRecording, MoreEventsThanRoom_SaysThatItIsNotComplete) {
  CpuMeter& meter = cpu_meter();
  meter.begin_recording(3);
  for (int i = 0; i < 3; ++i) static_cast<void>(tensor_of(100));
  const MeterRecording recording = meter.end_recording();
  EXPECT_EQ(recording.events.size(), 3U);
  EXPECT_FALSE(recording.is_complete);
}

/// A network of two stages: 4000 events in 12 seconds. None falls on the border of two stretches.
class ManyEvents : public testing::Test {
 protected:
  ManyEvents() {
    recording_.live_before_by_stage[0] = 1000;
    for (std::int64_t i = 0; i < 4000; ++i) {
      const std::int64_t bytes = i % 2 == 0 ? 10 + i % 100 : -(10 + (i - 1) % 100);
      add(3 * i + 1, bytes, static_cast<int>(i / 2 % 4) - 1);
    }
  }
  void add(std::int64_t millisecond, std::int64_t bytes, int stage) {
    recording_.events.push_back({start_ + std::chrono::milliseconds(millisecond), bytes, stage});
  }
  [[nodiscard]] StepTimeline timeline() const {
    StepTimeline timeline;
    timeline.owners = {"enc1", "dec1", "head", "other"};
    add_points(timeline, recording_, start_, 0.5);
    return timeline;
  }

  Clock::time_point start_{std::chrono::hours(1)};
  MeterRecording recording_{};
};

TEST_F(ManyEvents, Reduced_KeepsTheHighestOfEachStretch) {
  const StepTimeline timeline = this->timeline();
  EXPECT_EQ(timeline.seconds.size(), StepTimeline::kPoints);
  EXPECT_EQ(timeline.total_bytes(timeline.peak_point), 1108);
  EXPECT_DOUBLE_EQ(timeline.seconds[timeline.peak_point], 0.5 + 0.295);
  EXPECT_TRUE(std::ranges::is_sorted(timeline.seconds));
  // By hand: the live bytes after event i, and the stretch of 11.998 s / 600 that it falls into.
  std::vector<std::int64_t> highest(StepTimeline::kPoints, 1000);
  for (std::int64_t i = 0; i < 4000; ++i) {
    const std::int64_t live = i % 2 == 0 ? 1010 + i % 100 : 1000;
    auto& of_stretch =
        highest[static_cast<std::size_t>(std::min<std::int64_t>((3 * i + 1) * 600 / 11998, 599))];
    of_stretch = std::max(of_stretch, live);
  }
  for (std::size_t point = 0; point < highest.size(); ++point) {
    EXPECT_EQ(timeline.total_bytes(point), highest[point]) << point;
  }
}

TEST_F(ManyEvents, SingleSpike_IsThePeakPointWithItsOwner) {
  recording_.events.insert(recording_.events.begin() + 2001,
                           {start_ + std::chrono::milliseconds(6001), 777'777, 1});
  recording_.events.insert(recording_.events.begin() + 2002,
                           {start_ + std::chrono::milliseconds(6001), -777'777, 1});
  const StepTimeline timeline = this->timeline();
  EXPECT_EQ(timeline.bytes(timeline.peak_point, 1), 777'777);
  EXPECT_DOUBLE_EQ(timeline.seconds[timeline.peak_point], 6.501);
}

TEST(TimelineOwner, StagesHeadAndTheRest) {
  EXPECT_EQ(timeline_owner(0, 2), 0U);
  EXPECT_EQ(timeline_owner(1, 2), 1U);
  EXPECT_EQ(timeline_owner(2, 2), 2U);
  EXPECT_EQ(timeline_owner(kNoStage, 2), 3U);
  EXPECT_EQ(timeline_owner(7, 2), 3U);
}

/// Two stages and a head, the first one repeated in backward; the second holds the peak.
class RecordedStep : public testing::Test {
 protected:
  RecordedStep() {
    weights_ = at::randn({8, 8, 3, 3}).requires_grad_(true);
    StepRecorder recorder(c10::kCPU, 2);
    recorder.begin_step(TimelineRequest{.step = 7,
                                        .stages = {"enc1", "dec1"},
                                        .plan = {plan::Policy::full, plan::Policy::keep},
                                        .seconds_before = 0.25});
    live_before_ = cpu_meter().reading().live_bytes;
    recorder.enter(Phase::forward);
    at::Tensor loss = forward();
    recorder.enter(Phase::loss);
    loss = loss.sum();
    recorder.enter(Phase::backward);
    loss.backward();
    recorder.enter(Phase::optimizer);
    measured_ = recorder.end_step();
  }

  at::Tensor forward() {
    const ForwardScope recipes;
    at::Tensor x = at::randn({1, 8, 64, 64});
    {
      const StageScope scope(0);
      Tensors inputs;
      inputs.push_back(std::move(x));
      x = run_full(
          [this](Tensors values) {
            at::Tensor y = at::conv2d(values.at(0), weights_, {}, 1, 1);
            return at::conv2d(at::relu(y), weights_, {}, 1, 1);
          },
          std::move(inputs), {.stage = 0, .stage_name = "enc1"});
      mark_backward(x, 0, nullptr);
    }
    {
      const StageScope scope(1);
      const at::Tensor scratch = tensor_of(64 << 20);
      x = at::sigmoid(x);
      mark_backward(x, 1, nullptr);
    }
    const StageScope scope(2);
    x = x * 2;
    mark_backward(x, 2, nullptr);
    return x;
  }

  at::Tensor weights_;
  std::int64_t live_before_ = 0;
  StepMeasurement measured_;
};

TEST_F(RecordedStep, PeakAndItsOwner_AgreeWithTheMeasurement) {
  ASSERT_NE(measured_.timeline, nullptr);
  const StepTimeline& timeline = *measured_.timeline;
  EXPECT_EQ(timeline.step, 7);
  EXPECT_EQ(timeline.owners, (std::vector<std::string>{"enc1", "dec1", "head", "other"}));
  EXPECT_EQ(timeline.total_bytes(timeline.peak_point), measured_.peak_total_bytes);
  EXPECT_EQ(measured_.peak_stage, 1);
  EXPECT_EQ(timeline.peak_owner, 1);
  EXPECT_EQ(timeline.peak_phase, measured_.peak_phase);
  for (std::size_t stage = 0; stage < 3; ++stage) {
    EXPECT_EQ(timeline.bytes(timeline.peak_point, stage), measured_.stages[stage].bytes_at_peak);
  }
  EXPECT_EQ(timeline.total_bytes(0), live_before_);
}

TEST_F(RecordedStep, Spans_FollowEachOtherFromBeginToEnd) {
  const StepTimeline& timeline = *measured_.timeline;
  EXPECT_NEAR(timeline.total_seconds, measured_.total_seconds + 0.25, 1e-9);
  ASSERT_FALSE(timeline.spans.empty());
  double end = 0;
  for (const TimelineSpan& span : timeline.spans) {
    EXPECT_DOUBLE_EQ(span.begin_seconds, end);
    EXPECT_GT(span.end_seconds, span.begin_seconds);
    end = span.end_seconds;
  }
  EXPECT_DOUBLE_EQ(end, timeline.total_seconds);
  EXPECT_EQ(timeline.spans.front().phase, Phase::data);
  EXPECT_GE(timeline.spans.front().end_seconds, 0.25);
  EXPECT_EQ(timeline.spans.back().phase, Phase::optimizer);
}

TEST_F(RecordedStep, Spans_NameStagesInForwardBackwardAndTheRepeat) {
  std::vector<std::pair<Phase, int>> order;
  for (const TimelineSpan& span : measured_.timeline->spans) {
    if (span.owner != TimelineSpan::kNoOwner) order.emplace_back(span.phase, span.owner);
  }
  const std::vector<std::pair<Phase, int>> expected = {
      {Phase::forward, 0},  {Phase::forward, 1},  {Phase::forward, 2},   {Phase::backward, 2},
      {Phase::backward, 1}, {Phase::backward, 0}, {Phase::recompute, 0}, {Phase::backward, 0}};
  EXPECT_EQ(order, expected);
}

TEST_F(RecordedStep, SecondsOfSpans_AreThoseOfThePhases) {
  plan::PhaseSeconds seconds{};
  for (const TimelineSpan& span : measured_.timeline->spans) {
    seconds[static_cast<std::size_t>(span.phase)] += span.end_seconds - span.begin_seconds;
  }
  for (const Phase phase : {Phase::forward, Phase::backward, Phase::recompute}) {
    const auto index = static_cast<std::size_t>(phase);
    EXPECT_NEAR(seconds[index], measured_.seconds[index], 1e-6) << plan::kPhaseNames[index];
  }
}

TEST(StepRecorderTimeline, NotAskedFor_IsNull) {
  StepRecorder recorder(c10::kCPU, 1);
  recorder.begin_step();
  static_cast<void>(tensor_of(100));
  EXPECT_EQ(recorder.end_step().timeline, nullptr);
}

TEST(StepRecorderTimeline, AbandonedStep_EndsTheRecording) {
  StepRecorder recorder(c10::kCPU, 1);
  recorder.begin_step(TimelineRequest{.step = 1, .stages = {"enc1"}});
  recorder.abandon_step();
  static_cast<void>(tensor_of(100));
  EXPECT_TRUE(cpu_meter().end_recording().events.empty());
}

TEST(StepRecorderTimeline, MoreEventsThanRoom_IsRecordedTheNextTime) {
  StepRecorder recorder(c10::kCPU, 1);
  const auto record = [&] {
    recorder.begin_step(TimelineRequest{.step = 1, .stages = {"enc1"}});
    for (std::size_t i = 0; i < TimelineRecording::kFirstEvents; ++i) {
      static_cast<void>(tensor_of(100));
    }
    return recorder.end_step().timeline;
  };
  EXPECT_EQ(record(), nullptr);
  const auto timeline = record();
  ASSERT_NE(timeline, nullptr);
  EXPECT_LE(timeline->seconds.size(), StepTimeline::kPoints);
}

}  // namespace
}  // namespace headroom::memory
