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

void DrawPacer::set_limit(Time now, DrawLimit limit) {
  if (limit == limit_) return;
  limit_ = limit;
  credit_seconds_ = kMostCredit;
  filled_ = now;
}

void DrawPacer::note_input(Time now) {
  last_input_ = now;
  owed_ = kFramesOfInput;
  late_owed_ = true;
}

void DrawPacer::fill(Time now) {
  credit_seconds_ = std::min(kMostCredit, credit_seconds_ + kShare * seconds_between(filled_, now));
  filled_ = now;
}

bool DrawPacer::answers_input(Time now) const {
  return owed_ > 0 || (late_owed_ && now - last_input_ >= kLate);
}

bool DrawPacer::is_wanted(Time now) const { return answers_input(now) || has_news_ || moves_; }

double DrawPacer::needed_credit(Time now) const { return answers_input(now) ? 0.0 : kForInput; }

bool DrawPacer::is_due(Time now) {
  fill(now);
  return is_wanted(now) && (limit_ == DrawLimit::none || credit_seconds_ >= needed_credit(now));
}

double DrawPacer::wait_seconds(Time now) {
  fill(now);
  double wait = kIdleSeconds;
  if (is_wanted(now)) {
    const double missing = limit_ == DrawLimit::none ? 0.0 : needed_credit(now) - credit_seconds_;
    wait = missing <= 0 ? 0.0 : std::max(0.001, missing / kShare);
  }
  if (late_owed_ && owed_ == 0) {
    const double late = std::chrono::duration<double>(kLate).count();
    wait = std::min(wait, std::max(0.001, late - seconds_between(last_input_, now)));
  }
  return std::min(wait, kIdleSeconds);
}

void DrawPacer::note_drawn(Time now, double cpu_seconds) {
  fill(now);
  if (limit_ != DrawLimit::none) {
    credit_seconds_ = std::max(credit_seconds_ - cpu_seconds, -kMostDebt);
  }
  owed_ = std::max(0, owed_ - 1);
  if (now - last_input_ >= kLate) late_owed_ = false;
  has_news_ = moves_ = false;
}

}  // namespace headroom::app
