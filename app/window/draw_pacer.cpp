#include "app/window/draw_pacer.hpp"

#include <algorithm>

namespace headroom::app {
namespace {

/// Nothing happens: how often the loop looks round.
constexpr double kIdleSeconds = 1.0;
/// What pressing, releasing and hovering need to settle.
constexpr int kFramesOfInput = 3;

double seconds_between(DrawPacer::Time from, DrawPacer::Time to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

void DrawPacer::note_input(Time now) {
  last_input_ = now;
  owed_ = kFramesOfInput;
  late_owed_ = true;
}

void DrawPacer::fill(Time now) {
  credit_seconds_ = std::min(kMostCredit, credit_seconds_ + kShare * seconds_between(filled_, now));
  filled_ = now;
}

bool DrawPacer::is_wanted(Time now) const {
  return owed_ > 0 || has_news_ || moves_ || (late_owed_ && now - last_input_ >= kLate);
}

bool DrawPacer::is_due(Time now) {
  fill(now);
  return is_wanted(now) && (limit_ == DrawLimit::none || credit_seconds_ >= 0);
}

double DrawPacer::wait_seconds(Time now) {
  fill(now);
  if (!is_wanted(now)) {
    if (!late_owed_) return kIdleSeconds;
    return std::clamp(
        std::chrono::duration<double>(kLate).count() - seconds_between(last_input_, now), 0.001,
        kIdleSeconds);
  }
  const bool must_save = limit_ == DrawLimit::tenth_of_a_core && credit_seconds_ < 0;
  return must_save ? std::max(0.001, -credit_seconds_ / kShare) : 0;
}

void DrawPacer::note_drawn(Time now, double cpu_seconds) {
  fill(now);
  credit_seconds_ -= cpu_seconds;
  owed_ = std::max(0, owed_ - 1);
  if (now - last_input_ >= kLate) late_owed_ = false;
  has_news_ = moves_ = false;
}

}  // namespace headroom::app
