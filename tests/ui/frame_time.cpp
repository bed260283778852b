// How long it takes to build a frame while a long training runs: the whole dashboard with every
// panel in sight, 10 000 steps of history, 64 stages in the timeline, a new snapshot every eighth
// frame, the mouse on the charts, and validation images as large as they come that are changed,
// zoomed and compared in all layers. Then the workspace Data, with 20 000 samples, 300 mask values
// and 500 findings. Prints CPU milliseconds.
//
//   dashboard_frame_time [FRAMES]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/hostile_snapshots.hpp"
#include "tests/ui/sample_folder.hpp"
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

/// As large as a preview may be, with stripes in truth and prediction.
run::SharedPreview largest_preview(std::int64_t number) {
  constexpr std::int64_t kSide = run::SamplePreview::kMostPixels;
  constexpr auto kPixels = static_cast<std::size_t>(kSide * kSide);
  auto preview = std::make_shared<run::SamplePreview>();
  preview->sample_id = fmt::format("large_{}", number);
  preview->full_height = preview->full_width = kSide;
  preview->image = {.height = kSide, .width = kSide, .channels = 3};
  preview->image.pixels.resize(kPixels * 3, static_cast<std::byte>(90 + number));
  preview->truth = {.height = kSide, .width = kSide};
  preview->prediction = {.height = kSide, .width = kSide};
  for (std::size_t i = 0; i < kPixels; ++i) {
    preview->truth.labels.push_back(static_cast<std::uint8_t>(i / 100 % 4));
    preview->prediction.labels.push_back(static_cast<std::uint8_t>(i / 107 % 4));
  }
  return preview;
}

/// Once a second another layer, another zoom or another validation.
void change_preview(HeadlessDashboard& window, run::RunSnapshot& snapshot, int frame) {
  constexpr const char* kLayers[] = {"preview/layer/Truth", "preview/layer/Prediction",
                                     "preview/layer/Difference"};
  if (frame % 60 == 20) window.click(kLayers[frame / 60 % 3]);
  if (frame % 60 == 40) {
    window.move_to("preview/image");
    window.scroll(frame / 60 % 2 == 0 ? 4.0F : -4.0F);
  }
  if (frame % 240 == 0) snapshot.previews = {largest_preview(frame / 240)};
}

double at_share(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(share * last))];
}

void print_times(const char* name, std::vector<double> seconds) {
  for (double& each : seconds) each *= 1e3;
  std::ranges::sort(seconds);
  fmt::print("{}: {} frames: median {:.2f} ms, 99 % within {:.2f} ms, longest {:.2f} ms\n", name,
             seconds.size(), at_share(seconds, 0.5), at_share(seconds, 0.99), seconds.back());
}

/// Frames of the workspace Data on a folder with much of everything, while the mouse goes over it
/// and the samples are scrolled.
void measure_data(int frames) {
  HeadlessDashboard window;
  window.shell.data = sample_folder({.samples = 20'000, .mask_values = 300, .findings = 500});
  window.shell.pictures = sample_pictures(window.shell.data);
  window.run = shared(run_ready_on(*window.shell.data));
  window.settle();
  std::vector<double> milliseconds;
  window.keep_frame_seconds(milliseconds);
  for (int frame = 0; frame < frames; ++frame) {
    const float along = static_cast<float>(frame % 200) / 200;
    window.move_to(ImVec2{40 + 1800 * along, 150 + 850 * along});
    if (frame % 20 == 0) ImGui::GetIO().AddMouseWheelEvent(0, frame % 40 == 0 ? -3.0F : 3.0F);
  }
  print_times("data", milliseconds);
}

void measure(int frames) {
  HeadlessDashboard window;
  run::RunSnapshot snapshot = late_snapshot();
  window.run = shared(snapshot);
  window.settle();
  std::vector<double> milliseconds;
  window.keep_frame_seconds(milliseconds);
  for (int frame = 0; frame < frames; ++frame) {
    change_preview(window, snapshot, frame);
    if (frame % 8 == 0) {
      ++snapshot.last_step->step;
      ++snapshot.steps_done;
      ++snapshot.revision;
      snapshot.history.add(*snapshot.last_step);
      window.run = shared(snapshot);
    }
    const float along = static_cast<float>(frame % 200) / 200;
    window.move_to(ImVec2{620 + 840 * along, 150 + 850 * along});
  }
  print_times("train", milliseconds);
}

}  // namespace
}  // namespace headroom::tests

int main(int count, char** arguments) {
  const int frames = count > 1 ? std::atoi(arguments[1]) : 2000;
  headroom::tests::measure(std::max(1, frames));
  headroom::tests::measure_data(std::max(1, frames));
  return 0;
}
