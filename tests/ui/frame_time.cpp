// How long it takes to build a frame while a long training runs: the whole dashboard with every
// panel in sight, 10 000 steps of history, 64 stages in the timeline, a new snapshot every eighth
// frame and the mouse on the charts. Prints CPU milliseconds.
//
//   dashboard_frame_time [FRAMES]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/hostile_snapshots.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

/// A deep network late in a long run, with the timeline of a network of 64 stages.
run::RunSnapshot late_snapshot() {
  run::RunSnapshot snapshot =
      training_snapshot({.levels = 8, .steps = 20'000, .steps_done = 12'000});
  for (const HostileSnapshot& hostile : hostile_snapshots()) {
    if (hostile.name == "64 stages") snapshot.timeline = hostile.run->timeline;
  }
  return snapshot;
}

double at_share(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(share * last))];
}

void measure(int frames) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot = late_snapshot();
  window.run = shared(snapshot);
  window.settle();
  std::vector<double> milliseconds;
  for (int frame = 0; frame < frames; ++frame) {
    if (frame % 8 == 0) {
      ++snapshot.last_step->step;
      ++snapshot.steps_done;
      ++snapshot.revision;
      snapshot.history.add(*snapshot.last_step);
      window.run = shared(snapshot);
    }
    const float along = static_cast<float>(frame % 200) / 200;
    window.move_to(ImVec2{620 + 840 * along, 150 + 850 * along});
    milliseconds.push_back(window.last_frame_seconds() * 1e3);
  }
  std::ranges::sort(milliseconds);
  fmt::print("{} frames: median {:.2f} ms, 99 % within {:.2f} ms, longest {:.2f} ms\n", frames,
             at_share(milliseconds, 0.5), at_share(milliseconds, 0.99), milliseconds.back());
}

}  // namespace
}  // namespace headroom::tests

int main(int count, char** arguments) {
  const int frames = count > 1 ? std::atoi(arguments[1]) : 2000;
  headroom::tests::measure(std::max(1, frames));
  return 0;
}
