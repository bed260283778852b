#pragma once
// Progress on standard error: a bar that is redrawn in place on a terminal, plain lines otherwise.
// Owned and called by one thread.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/plan/phase.hpp"

namespace headroom::app {

/// Where a long task stands. What is not known is left out.
struct ProgressState {
  std::string activity{};  ///< "training", "predicting"
  std::int64_t done = 0;
  std::int64_t total = 0;  ///< 0: not known
  std::optional<double> loss{};
  std::optional<double> seconds_per_step{};
  std::optional<plan::PhaseSeconds> phases{};  ///< of one step; phases of 0 are not shown
  std::optional<std::int64_t> peak_bytes{};
  std::optional<double> seconds_left{};
};

/// Nothing known but the counts, and how much is done of the next one where that takes long.
[[nodiscard]] ProgressState make_progress(std::string activity, std::int64_t done,
                                          std::int64_t total, double share_of_next = 0);

/// One line of ASCII, at most `columns` long: a bar and as many facts as there is room for, the
/// less important dropped first.
[[nodiscard]] std::string render_bar(const ProgressState& state, int columns);
/// The same facts without a bar and without a limit.
[[nodiscard]] std::string render_line(const ProgressState& state);

enum class ProgressStyle { bar, lines, none };

class ProgressDisplay {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressDisplay(ProgressStyle style);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Shows the state unless the last one was shown a moment ago: 0.1 s for the bar, 5 s for lines.
  /// The first and the last state (done equals total) are always shown.
  void update(const ProgressState& state, Clock::time_point now);
  /// The next state is shown at once.
  void restart() { shown_at_.reset(); }
  /// Removes the bar, so that something else can be written.
  void clear();

 private:
  [[nodiscard]] std::string erase_sequence(int columns) const;

  ProgressStyle style_;
  std::optional<Clock::time_point> shown_at_{};
  std::string last_line_{};  ///< not repeated
  int drawn_length_ = 0;     ///< of the bar that stands on the terminal now
};

/// bar on a terminal, lines otherwise; none when asked to be quiet.
[[nodiscard]] ProgressStyle progress_style(bool quiet);

}  // namespace headroom::app
