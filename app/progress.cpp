#include "app/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/console.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"

namespace headroom::app {
namespace {

constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(5);
constexpr int kSmallestBar = 10;
constexpr int kLargestBar = 30;

std::string counts_text(const ProgressState& state) {
  if (state.total == 0) return fmt::format("{} {}", state.activity, state.done);
  return fmt::format("{} {}/{}", state.activity, state.done, state.total);
}

std::string phases_text(const plan::PhaseSeconds& seconds) {
  std::string text;
  for (std::size_t i = 0; i < plan::kPhases; ++i) {
    if (seconds[i] < 0.0005) continue;
    text += fmt::format("{}{} {:.3f}", text.empty() ? "" : " ", plan::kPhaseNames[i], seconds[i]);
  }
  return text;
}

/// A fact with its rank: the lower, the longer it is kept on a narrow terminal.
struct Fact {
  int rank;
  std::string text;
};

/// In the order in which they are shown.
std::vector<Fact> facts_of(const ProgressState& state) {
  std::vector<Fact> facts;
  if (state.loss) facts.push_back({0, fmt::format("loss {:.4f}", *state.loss)});
  if (state.seconds_per_step)
    facts.push_back({3, fmt::format("{:.3f} s/step", *state.seconds_per_step)});
  if (state.phases) facts.push_back({4, phases_text(*state.phases)});
  if (state.peak_bytes) facts.push_back({2, "peak " + base::format_bytes(*state.peak_bytes)});
  if (state.seconds_left) facts.push_back({1, "ETA " + base::format_duration(*state.seconds_left)});
  std::erase_if(facts, [](const Fact& fact) { return fact.text.empty(); });
  return facts;
}

std::string joined(const std::string& counts, const std::vector<Fact>& facts) {
  std::string line = counts;
  for (const Fact& fact : facts) line += " | " + fact.text;
  return line;
}

std::string bar_text(const ProgressState& state, int width) {
  const int cells = width - 2;
  const double share =
      state.total > 0 ? static_cast<double>(state.done) / static_cast<double>(state.total) : 0;
  const int filled = std::clamp(static_cast<int>(share * cells), 0, cells);
  return fmt::format("[{}{}]", std::string(static_cast<std::size_t>(filled), '='),
                     std::string(static_cast<std::size_t>(cells - filled), ' '));
}

int length_of(const std::string& ascii) { return static_cast<int>(ascii.size()); }

}  // namespace

ProgressState make_progress(std::string activity, std::int64_t done, std::int64_t total,
                            double share_of_next) {
  ProgressState state;
  state.activity = std::move(activity);
  if (share_of_next > 0)
    state.activity += fmt::format(", {:.0f} % of the next", 100 * share_of_next);
  state.done = done;
  state.total = total;
  return state;
}

std::string render_line(const ProgressState& state) {
  return joined(counts_text(state), facts_of(state));
}

std::string render_bar(const ProgressState& state, int columns) {
  std::vector<Fact> facts = facts_of(state);
  std::string line = joined(counts_text(state), facts);
  while (!facts.empty() && length_of(line) > columns) {
    facts.erase(std::max_element(facts.begin(), facts.end(),
                                 [](const Fact& a, const Fact& b) { return a.rank < b.rank; }));
    line = joined(counts_text(state), facts);
  }
  const int room = columns - length_of(line) - 1;
  if (state.total > 0 && room >= kSmallestBar)
    line = bar_text(state, std::min(room, kLargestBar)) + ' ' + line;
  return line.substr(0, static_cast<std::size_t>(std::max(columns, 0)));
}

ProgressDisplay::ProgressDisplay(ProgressStyle style) : style_(style) {}

ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::update(const ProgressState& state, Clock::time_point now) {
  if (style_ == ProgressStyle::none) return;
  const auto interval =
      style_ == ProgressStyle::bar ? Clock::duration(kBarInterval) : kLineInterval;
  const bool is_last = state.done == state.total;
  if (shown_at_ && !is_last && now - *shown_at_ < interval) return;
  shown_at_ = now;
  if (style_ == ProgressStyle::lines) {
    const std::string line = render_line(state) + '\n';
    if (line != last_line_) write_errors(line);
    last_line_ = line;
    return;
  }
  // The last column stays free: a cursor behind it would wrap.
  const int columns = terminal_columns();
  const std::string bar = render_bar(state, columns - 1);
  write_errors(erase_sequence(columns) + bar);
  drawn_length_ = length_of(bar);
}

void ProgressDisplay::clear() {
  if (drawn_length_ == 0) return;
  write_errors(erase_sequence(terminal_columns()));
  drawn_length_ = 0;
}

std::string ProgressDisplay::erase_sequence(int columns) const {
  // On a terminal that became narrower the bar now takes several rows, and the cursor stands in the
  // last of them.
  const int rows_above = columns > 0 && drawn_length_ > 0 ? (drawn_length_ - 1) / columns : 0;
  return (rows_above > 0 ? fmt::format("\x1b[{}A", rows_above) : std::string()) + "\r\x1b[J";
}

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::none;
  return terminal_columns() > 0 ? ProgressStyle::bar : ProgressStyle::lines;
}

}  // namespace headroom::app
