#pragma once
// When the next frame is due: at once after input, soon after news, never for nothing, and, where
// drawing is done by the processor that trains, within a tenth of one core. Time comes in; one
// thread.

#include <chrono>

namespace headroom::app {

enum class DrawLimit { none, tenth_of_a_core };

class DrawPacer {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit DrawPacer(Time now) : filled_(now), last_input_(now) {}

  /// From none to a limit the credit begins full.
  void set_limit(Time now, DrawLimit limit);
  /// Input shows at once, and again when what it started (a tooltip) has come.
  void note_input(Time now);
  /// Something to be shown changed.
  void note_news() { has_news_ = true; }
  void note_motion() { moves_ = true; }

  [[nodiscard]] bool is_due(Time now);
  /// How long nothing is due, if nothing happens.
  [[nodiscard]] double wait_seconds(Time now);
  /// A frame was drawn that took so much of a core.
  void note_drawn(Time now, double cpu_seconds);

 private:
  void fill(Time now);
  [[nodiscard]] bool answers_input(Time now) const;
  [[nodiscard]] bool is_wanted(Time now) const;
  /// Seconds of credit that must be there before what is wanted may be drawn.
  [[nodiscard]] double needed_credit(Time now) const;

  DrawLimit limit_ = DrawLimit::none;
  double credit_seconds_ = kMostCredit;  ///< of a core that may be spent now
  Time filled_;
  Time last_input_;
  int owed_ = 1;            ///< frames due because of input
  bool late_owed_ = false;  ///< one more, when a tooltip would have come
  bool has_news_ = false;
  bool moves_ = false;

  static constexpr double kShare = 0.1;
  static constexpr double kMostCredit = 0.4;
  /// News leave this much for input, so that a click is answered at once while news come.
  static constexpr double kForInput = 0.3;
  /// Input overdraws by no more than this, and waits then.
  static constexpr double kMostDebt = 0.1;
  /// Later than ImGui's delay of tooltips after the mouse rests.
  static constexpr std::chrono::milliseconds kLate{700};
};

}  // namespace headroom::app
