#include "ui/slides.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui {

float Slides::position(const Value& value, double seconds) {
  const auto share =
      static_cast<float>(std::clamp((seconds - value.begin_seconds) / kSeconds, 0.0, 1.0));
  // Slows down towards its end.
  return value.from + (value.to - value.from) * (1 - (1 - share) * (1 - share));
}

float Slides::at(std::size_t index, float target, double seconds) {
  if (index >= values_.size()) values_.resize(index + 1);
  Value& value = values_[index];
  if (!value.is_known) {
    value = {.from = target, .to = target, .begin_seconds = seconds - kSeconds, .is_known = true};
  } else if (std::abs(target - value.to) > 1e-3F) {
    value.from = position(value, seconds);
    value.to = target;
    value.begin_seconds = seconds;
  }
  return position(value, seconds);
}

bool Slides::is_moving(double seconds) const {
  return std::any_of(values_.begin(), values_.end(), [seconds](const Value& value) {
    return value.is_known && value.from != value.to && seconds - value.begin_seconds < kSeconds;
  });
}

}  // namespace headroom::ui
