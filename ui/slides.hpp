#pragma once
// Values that slide to a new one instead of jumping. Owned by a panel's state; the UI thread.

#include <cstddef>
#include <vector>

namespace headroom::ui {

class Slides {
 public:
  static constexpr double kSeconds = 0.12;

  /// The value of `index` at steady time `seconds`, on its way to `target`. The first target is
  /// reached at once.
  [[nodiscard]] float at(std::size_t index, float target, double seconds);
  /// Every value is at its target from now on.
  void settle() { values_.clear(); }
  [[nodiscard]] bool is_moving(double seconds) const;

 private:
  struct Value {
    float from = 0, to = 0;
    double begin_seconds = 0;
    bool is_known = false;
  };

  [[nodiscard]] static float position(const Value& value, double seconds);

  std::vector<Value> values_{};
};

}  // namespace headroom::ui
