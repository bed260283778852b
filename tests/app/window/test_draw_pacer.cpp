// When frames are due, with a clock that the test moves.
#include "app/window/draw_pacer.hpp"

#include <gtest/gtest.h>

namespace headroom::app {
namespace {

using namespace std::chrono_literals;

class Pacing : public testing::Test {
 protected:
  /// Draws every frame that is due in `time`, looking every 5 ms; returns the seconds of core used.
  double draw_for(std::chrono::milliseconds time, double frame_seconds, bool with_news) {
    double used = 0;
    for (auto passed = 0ms; passed < time; passed += 5ms) {
      now_ += 5ms;
      if (with_news) pacer_.note_news();
      if (!pacer_.is_due(now_)) continue;
      now_ += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
          std::chrono::duration<double>(frame_seconds));
      pacer_.note_drawn(now_, frame_seconds);
      used += frame_seconds;
      ++frames_;
    }
    return used;
  }

  DrawPacer::Time now_{1000s};
  DrawPacer pacer_{now_};
  int frames_ = 0;
};

TEST_F(Pacing, NothingHappens_NothingIsDrawnAfterTheFirstFrame) {
  draw_for(10s, 0.001, false);
  EXPECT_EQ(frames_, 1);
  EXPECT_DOUBLE_EQ(pacer_.wait_seconds(now_), 1.0);
}

TEST_F(Pacing, Input_IsShownAtOnceAndWhenATooltipWouldHaveCome) {
  draw_for(1s, 0.001, false);
  frames_ = 0;
  pacer_.note_input(now_);
  EXPECT_TRUE(pacer_.is_due(now_));
  EXPECT_DOUBLE_EQ(pacer_.wait_seconds(now_), 0.0);
  draw_for(600ms, 0.001, false);
  EXPECT_EQ(frames_, 3);
  draw_for(200ms, 0.001, false);
  EXPECT_EQ(frames_, 4);
  draw_for(5s, 0.001, false);
  EXPECT_EQ(frames_, 4);
}

TEST_F(Pacing, News_IsDrawnOnce) {
  draw_for(1s, 0.001, false);
  frames_ = 0;
  pacer_.note_news();
  draw_for(5s, 0.001, false);
  EXPECT_EQ(frames_, 1);
}

TEST_F(Pacing, LimitedDrawing_KeepsToATenthOfACore) {
  pacer_.set_limit(now_, DrawLimit::tenth_of_a_core);
  constexpr double kFrame = 0.06;
  const auto begin = now_;
  const double used = draw_for(60s, kFrame, true);
  const double passed = std::chrono::duration<double>(now_ - begin).count();
  // The credit that was there at the beginning and the frame that overdraws it come on top.
  EXPECT_LE(used, 0.1 * passed + 0.4 + kFrame);
  EXPECT_GE(used, 0.09 * passed);
}

TEST_F(Pacing, LimitedDrawing_AnswersTheFirstInputAfterAPauseAtOnce) {
  pacer_.set_limit(now_, DrawLimit::tenth_of_a_core);
  draw_for(10s, 0.06, false);
  pacer_.note_input(now_);
  EXPECT_TRUE(pacer_.is_due(now_));
}

TEST_F(Pacing, UnlimitedDrawing_FollowsEveryNews) {
  draw_for(1s, 0.01, true);
  EXPECT_GT(frames_, 190);
}

TEST_F(Pacing, InputAmongNews_IsAnsweredAtOnce) {
  pacer_.set_limit(now_, DrawLimit::tenth_of_a_core);
  draw_for(20s, 0.06, true);
  frames_ = 0;
  pacer_.note_input(now_);
  draw_for(250ms, 0.06, true);
  EXPECT_EQ(frames_, 3);  // pressed, released, settled
}

TEST_F(Pacing, RestlessInput_KeepsToATenthOfACoreToo) {
  pacer_.set_limit(now_, DrawLimit::tenth_of_a_core);
  const auto begin = now_;
  double used = 0;
  for (int i = 0; i < 600; ++i) {
    pacer_.note_input(now_);
    used += draw_for(100ms, 0.05, true);
  }
  const double passed = std::chrono::duration<double>(now_ - begin).count();
  EXPECT_LE(used, 0.1 * passed + 0.4 + 0.1);
}

TEST_F(Pacing, UnlimitedDrawing_LeavesNoDebtWhenALimitBegins) {
  for (int i = 0; i < 100; ++i) {
    pacer_.note_input(now_);
    draw_for(100ms, 0.06, true);
  }
  pacer_.set_limit(now_, DrawLimit::tenth_of_a_core);
  pacer_.note_news();
  EXPECT_TRUE(pacer_.is_due(now_));
}

TEST_F(Pacing, OneHugeFrame_DelaysTheNextAnswerByASecondAtMost) {
  pacer_.set_limit(now_, DrawLimit::tenth_of_a_core);
  pacer_.note_drawn(now_, 30);
  pacer_.note_input(now_);
  EXPECT_FALSE(pacer_.is_due(now_));
  EXPECT_LE(pacer_.wait_seconds(now_), 1.0);
  now_ += 1001ms;
  EXPECT_TRUE(pacer_.is_due(now_));
}

}  // namespace
}  // namespace headroom::app
