#include "core/plan/event_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "tests/core/plan/step_script.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::plan {
namespace {

using tests::recorded_sizes;
using tests::StepScript;
using Events = std::vector<std::vector<Affine>>;  // [events, owners]
using Key = std::pair<Phase, int>;

constexpr std::size_t kHead = 2, kOther = 3;  // two stages before them
constexpr int kNone = TimelineSpan::kNoOwner;
const Plan kPlan = {Policy::keep, Policy::full};
constexpr Affine kNothing{};

Affine constant(double bytes) { return {.constant = bytes}; }
Affine per_pixel(double bytes) { return {.per_pixel = bytes}; }

Events events_of(const std::vector<PairedMoment>& moments, Phase phase, int owner) {
  const auto found = std::ranges::find_if(moments, [&](const PairedMoment& moment) {
    return moment.phase == phase && moment.owner == owner;
  });
  return found == moments.end() ? Events{} : found->bytes_by_owner;
}

std::vector<Key> keys_of(const std::vector<PairedMoment>& moments) {
  std::vector<Key> keys;
  for (const PairedMoment& moment : moments) keys.emplace_back(moment.phase, moment.owner);
  return keys;
}

TEST(PairEvents, ConstantPerPixelAndPerImageBlocks_AreFoundExactly) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    return StepScript(kPlan)
        .change(kOther, 12 * pixels.step)
        .enter(Phase::forward, 0)
        .change(0, 4 * pixels.step)
        .change(0, 6 * pixels.image)
        .change(kHead, 1000)
        .change(0, -6 * pixels.image)
        .change(1, pixels.step / 4 + 64)
        .timeline();
  }));
  const Affine batch = per_pixel(12), kept = per_pixel(4);
  const Affine with_work = {.per_pixel = 4, .per_image_pixel = 6};
  const Affine mixed = {.constant = 64, .per_pixel = 0.25};
  EXPECT_EQ(
      events_of(moments, Phase::data, kNone),
      (Events{{kNothing, kNothing, kNothing, kNothing}, {kNothing, kNothing, kNothing, batch}}));
  const Events expected = {
      {kept, kNothing, kNothing, batch},
      {with_work, kNothing, kNothing, batch},
      {with_work, kNothing, constant(1000), batch},
      {kept, kNothing, constant(1000), batch},
      {kept, mixed, constant(1000), batch},
  };
  EXPECT_EQ(events_of(moments, Phase::forward, 0), expected);
}

TEST(PairEvents, WorkBufferOfTheLargeSizeAlone_CountsAsConstant) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    StepScript script(kPlan);
    script.enter(Phase::forward, 0).change(0, 4 * pixels.step);
    if (pixels.image == tests::kLargePixels.image) script.change(0, 100'000).change(0, -100'000);
    return script.change(0, 8 * pixels.step).timeline();
  }));
  const Affine with_buffer = {.constant = 100'000, .per_pixel = 4};
  const Events expected = {
      {per_pixel(4), kNothing, kNothing, kNothing},
      {with_buffer, kNothing, kNothing, kNothing},
      {per_pixel(4), kNothing, kNothing, kNothing},
      {per_pixel(12), kNothing, kNothing, kNothing},
  };
  EXPECT_EQ(events_of(moments, Phase::forward, 0), expected);
}

TEST(PairEvents, WorkBufferOfTheSmallSizesAlone_DoesNotCount) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    StepScript script(kPlan);
    script.enter(Phase::forward, 0).change(0, 4 * pixels.step);
    if (pixels.image != tests::kLargePixels.image) script.change(0, 5000).change(0, -5000);
    return script.change(0, 8 * pixels.step).timeline();
  }));
  const Events expected = {
      {per_pixel(4), kNothing, kNothing, kNothing},
      {per_pixel(12), kNothing, kNothing, kNothing},
  };
  EXPECT_EQ(events_of(moments, Phase::forward, 0), expected);
}

TEST(PairEvents, WorkBufferOfTheBatchedSizeAlone_CountsAsConstant) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    StepScript script(kPlan);
    script.enter(Phase::forward, 0).change(0, 4 * pixels.step);
    if (pixels.step > pixels.image) script.change(0, 90'001).change(0, -90'001);
    return script.change(0, 8 * pixels.step).timeline();
  }));
  const Events events = events_of(moments, Phase::forward, 0);
  const std::vector<Affine> with_buffer = {
      {.constant = 90'001, .per_pixel = 4}, kNothing, kNothing, kNothing};
  EXPECT_EQ(std::ranges::count(events, with_buffer), 1);
  // What comes after it is not taken to grow by it.
  EXPECT_EQ(
      std::ranges::count(events, std::vector<Affine>{per_pixel(12), kNothing, kNothing, kNothing}),
      1);
}

TEST(PairEvents, Repeats_BelongToTheBackwardThatFollows) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    return StepScript(kPlan)
        .enter(Phase::forward, 0)
        .change(0, 4 * pixels.step)
        .enter(Phase::forward, 1)
        .change(1, 2 * pixels.step)
        .enter(Phase::loss)
        .change(kOther, pixels.step)
        .enter(Phase::backward, kHead)
        .change(kHead, pixels.step)
        .enter(Phase::recompute, 1)
        .change(1, 8 * pixels.step)
        .enter(Phase::backward, 1)
        .change(1, -8 * pixels.step)
        .enter(Phase::recompute, 1)
        .change(1, 16 * pixels.step)
        .enter(Phase::backward, 1)
        .change(1, -18 * pixels.step)
        .enter(Phase::backward, 0)
        .change(0, -4 * pixels.step)
        .enter(Phase::optimizer)
        .change(kOther, -pixels.step)
        .timeline();
  }));
  EXPECT_EQ(keys_of(moments), (std::vector<Key>{{Phase::data, kNone},
                                                {Phase::forward, 0},
                                                {Phase::forward, 1},
                                                {Phase::loss, kNone},
                                                {Phase::backward, kHead},
                                                {Phase::backward, 1},
                                                {Phase::backward, 0},
                                                {Phase::optimizer, kNone}}));
  const Affine input = per_pixel(4), one = per_pixel(1);
  const Events expected = {
      {input, per_pixel(10), one, one},
      {input, per_pixel(2), one, one},
      {input, per_pixel(18), one, one},
      {input, kNothing, one, one},
  };
  EXPECT_EQ(events_of(moments, Phase::backward, 1), expected);
}

TEST(PairEvents, GapBetweenStages_BelongsToTheStageBefore) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    return StepScript(kPlan)
        .enter(Phase::forward, 0)
        .change(0, 4 * pixels.step)
        .enter(Phase::forward)
        .change(0, -3 * pixels.step)
        .enter(Phase::forward, 1)
        .change(1, 2 * pixels.step)
        .timeline();
  }));
  EXPECT_EQ(keys_of(moments),
            (std::vector<Key>{{Phase::data, kNone}, {Phase::forward, 0}, {Phase::forward, 1}}));
  EXPECT_EQ(events_of(moments, Phase::forward, 0).size(), 2U);
}

TEST(PairEvents, BlocksOfAStageFreedInTheNextBackward_ProlongItsOwn) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    return StepScript(kPlan)
        .enter(Phase::backward, 1)
        .change(1, 8 * pixels.step)
        .enter(Phase::backward, 0)
        .change(0, 2 * pixels.step)
        .change(1, -8 * pixels.step)
        .change(0, 4 * pixels.step)
        .change(0, -6 * pixels.step)
        .timeline();
  }));
  const Events of_stage_1 = {
      {kNothing, per_pixel(8), kNothing, kNothing},
      {per_pixel(2), per_pixel(8), kNothing, kNothing},
      {per_pixel(2), kNothing, kNothing, kNothing},
  };
  EXPECT_EQ(events_of(moments, Phase::backward, 1), of_stage_1);
  const Events of_stage_0 = {
      {per_pixel(6), kNothing, kNothing, kNothing},
      {kNothing, kNothing, kNothing, kNothing},
  };
  EXPECT_EQ(events_of(moments, Phase::backward, 0), of_stage_0);
}

TEST(PairEvents, BackwardThatWouldLoseAllItsEvents_KeepsThem) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    return StepScript(kPlan)
        .enter(Phase::backward, 1)
        .change(1, 8 * pixels.step)
        .enter(Phase::backward, 0)
        .change(1, -8 * pixels.step)
        .timeline();
  }));
  const Events expected = {
      {kNothing, kNothing, kNothing, kNothing},
  };
  EXPECT_EQ(events_of(moments, Phase::backward, 0), expected);
}

TEST(PairEvents, MicroBatches_AddToTheSameMoments) {
  const auto moments = pair_events(recorded_sizes([](const StepPixels& pixels) {
    StepScript script(kPlan);
    for (int micro_batch = 0; micro_batch < 2; ++micro_batch) {
      script.enter(Phase::forward, 0).change(0, 4 * pixels.step);
      script.enter(Phase::backward, 0).change(kOther, 1000).change(0, -4 * pixels.step);
    }
    return script.timeline();
  }));
  const Events expected = {
      {per_pixel(4), kNothing, kNothing, kNothing},
      {per_pixel(4), kNothing, kNothing, constant(1000)},
  };
  EXPECT_EQ(events_of(moments, Phase::forward, 0), expected);
  EXPECT_EQ(events_of(moments, Phase::backward, 0).size(), 4U);
}

RecordedSizes usable_sizes() {
  return recorded_sizes([](const StepPixels& pixels) {
    return StepScript(kPlan).enter(Phase::forward, 0).change(0, pixels.step).timeline();
  });
}

TEST(PairEvents, StepsThatCannotBeCompared_AreRefused) {
  using Break = std::function<void(RecordedSizes&)>;
  const std::vector<std::pair<const char*, Break>> breaks = {
      {"plan", [](RecordedSizes& sizes) { sizes.small.timeline.plan[0] = Policy::light; }},
      {"owners", [](RecordedSizes& sizes) { sizes.batched.timeline.owners[0] = "enc1"; }},
      {"moments", [](RecordedSizes& sizes) { sizes.small.timeline.spans.back().owner = 1; }},
      {"small is a batch", [](RecordedSizes& sizes) { sizes.small.pixels.step *= 2; }},
      {"batched is one image",
       [](RecordedSizes& sizes) { sizes.batched.pixels = sizes.small.pixels; }},
      {"batched is larger", [](RecordedSizes& sizes) { sizes.batched.pixels.image += 1; }},
      {"large is a batch", [](RecordedSizes& sizes) { sizes.large.pixels.step *= 2; }},
      {"large is small", [](RecordedSizes& sizes) { sizes.large.pixels = sizes.small.pixels; }},
  };
  EXPECT_EQ(pair_events(usable_sizes()).size(), 2U);
  for (const auto& [name, break_it] : breaks) {
    SCOPED_TRACE(name);
    RecordedSizes sizes = usable_sizes();
    break_it(sizes);
    const auto error = tests::thrown_error([&] { static_cast<void>(pair_events(sizes)); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->kind(), base::ErrorKind::internal);
  }
}

}  // namespace
}  // namespace headroom::plan
