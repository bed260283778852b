#include <gmock/gmock.h>

#include "app/progress.hpp"

namespace headroom::app {
namespace {

using testing::HasSubstr;
using testing::Not;

ProgressState training_state() {
  ProgressState state;
  state.activity = "training";
  state.done = 45;
  state.total = 300;
  state.loss = 0.4125;
  state.seconds_per_step = 0.38;
  state.phases = plan::PhaseSeconds{0, 0.1, 0.01, 0.2, 0.05, 0.02, 0, 0};
  state.peak_bytes = 154 * 1024 * 1024;
  state.seconds_left = 96.9;
  return state;
}

TEST(RenderLine, AllFactsKnown_ShowsEachOnce) {
  EXPECT_EQ(
      render_line(training_state()),
      "training 45/300 | loss 0.4125 | 0.380 s/step | forward 0.100 loss 0.010 backward 0.200 "
      "recompute 0.050 optimizer 0.020 | peak 154.0 MiB | ETA 1 min 37 s");
}

TEST(RenderLine, FactsUnknown_LeavesThemOut) {
  EXPECT_EQ(render_line({.activity = "predicting", .done = 1, .total = 2}), "predicting 1/2");
}

TEST(RenderBar, AnyWidth_NeverLongerThanTheTerminal) {
  for (int columns = 0; columns < 260; ++columns)
    EXPECT_LE(static_cast<int>(render_bar(training_state(), columns).size()), columns);
}

TEST(RenderBar, NarrowTerminal_KeepsCountsAndLossLongest) {
  EXPECT_EQ(render_bar(training_state(), 29), "training 45/300 | loss 0.4125");
  EXPECT_EQ(render_bar(training_state(), 28), "[=         ] training 45/300");
  EXPECT_THAT(render_bar(training_state(), 60), HasSubstr("ETA 1 min 37 s"));
  EXPECT_THAT(render_bar(training_state(), 60), Not(HasSubstr("peak")));
}

TEST(RenderBar, WideTerminal_BarShowsTheShareDone) {
  ProgressState state{.activity = "training", .done = 1, .total = 2};
  EXPECT_EQ(render_bar(state, 200), "[==============              ] training 1/2");
  state.done = 2;
  EXPECT_EQ(render_bar(state, 200), "[============================] training 2/2");
}

TEST(RenderBar, TotalNotKnown_ShowsTheCountAlone) {
  const ProgressState state{.activity = "calibrating, plans", .done = 2};
  EXPECT_EQ(render_bar(state, 200), "calibrating, plans 2");
  EXPECT_EQ(render_line(state), "calibrating, plans 2");
}

}  // namespace
}  // namespace headroom::app
