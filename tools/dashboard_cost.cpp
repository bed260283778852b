// What the dashboard costs the training behind it: the same training without a window, with frames
// that are built and thrown away, and with frames drawn in software, in turns.
//
//   dashboard_cost [--rounds N] [--steps N]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/dashboard_session.hpp"
#include "app/dashboard_window.hpp"
#include "app/home_folder.hpp"
#include "app/window/draw_pacer.hpp"
#include "app/window/news_bell.hpp"
#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/memory/runtime.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/ui/headless_dashboard.hpp"
#include "tools/median.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

enum class Way { without, built, drawn };
constexpr std::array kWays = {Way::without, Way::built, Way::drawn};
constexpr std::array<const char*, 3> kNames = {"without a window", "frames built", "frames drawn"};
constexpr std::int64_t kWarmup = 5;

run::RunRequest request_in(const fs::path& home, std::int64_t steps) {
  run::RunRequest request = app::prepare_sample_run(home, {});
  request.settings.train.steps = steps + kWarmup + 1;
  request.settings.train.validate_every = 1'000'000;
  request.settings.train.save_every_seconds = 100'000;
  return request;
}

/// Runs the training and calls `turn` until it is done; seconds of a step, the mean over those
/// measured.
double drive(app::DashboardSession& session, const run::RunRequest& request, std::int64_t steps,
             const std::function<void()>& turn) {
  session.perform({.commands = {run::Configure{request}, run::StartRun{}}, .requests = {}});
  Clock::time_point begin;
  std::int64_t first = 0;
  for (;;) {
    turn();
    const auto now = session.snapshot();
    if (now->error) throw base::Error(now->error->kind, now->error->error);
    if (first == 0 && now->steps_done >= kWarmup) {
      first = now->steps_done;
      begin = Clock::now();
    }
    if (first > 0 && now->steps_done >= first + steps - kWarmup) {
      const double passed = base::seconds_between(begin, Clock::now());
      return passed / static_cast<double>(now->steps_done - first);
    }
  }
}

double train_without(const fs::path& home, std::int64_t steps) {
  app::NewsBell bell;
  app::SessionOptions options;
  options.home = home;
  options.on_news = [&bell] { bell.ring(); };
  options.for_people = false;
  app::DashboardSession session(std::move(options));
  return drive(session, request_in(home, steps), steps, [&] {
    bell.wait(1.0);
    session.poll();
  });
}

double train_built(const fs::path& home, std::int64_t steps) {
  tests::HeadlessDashboard dashboard(1920, 1080);
  app::NewsBell bell;
  app::DrawPacer pacer(Clock::now());
  app::SessionOptions options;
  options.home = home;
  options.on_news = [&bell] { bell.ring(); };
  app::DashboardSession session(std::move(options));
  std::int64_t drawn = -1;
  return drive(session, request_in(home, steps), steps, [&] {
    bell.wait(std::min(1.0, pacer.wait_seconds(Clock::now())));
    session.poll();
    dashboard.run = session.snapshot();
    dashboard.shell = session.shell();
    if (dashboard.run->revision != drawn) pacer.note_news();
    if (!pacer.is_due(Clock::now())) return;
    drawn = dashboard.run->revision;
    dashboard.frame();
    pacer.note_drawn(Clock::now(), dashboard.last_frame_seconds());
  });
}

double train_drawn(const fs::path& home, std::int64_t steps) {
  app::DashboardWindowOptions window_options;
  window_options.window.kind = app::WindowKind::offscreen;
  window_options.window.width = 1920;
  window_options.window.height = 1080;
  app::DashboardWindow window(window_options);
  app::SessionOptions options;
  options.home = home;
  options.on_news = [&window] { window.wake(); };
  app::DashboardSession session(std::move(options));
  return drive(session, request_in(home, steps), steps, [&] { window.turn(session, 1.0); });
}

double train(Way way, const fs::path& home, std::int64_t steps) {
  switch (way) {
    case Way::built:
      return train_built(home, steps);
    case Way::drawn:
      return train_drawn(home, steps);
    case Way::without:
      break;
  }
  return train_without(home, steps);
}

int measure(std::int64_t rounds, std::int64_t steps) {
  const tests::TemporaryFolder home;
  std::map<Way, std::vector<double>> ratios;
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::map<Way, double> seconds;
    for (std::size_t turn = 0; turn < kWays.size(); ++turn) {
      // Every second round in reverse, so that a machine that warms up favours none.
      const Way way = kWays[round % 2 == 0 ? turn : kWays.size() - 1 - turn];
      seconds[way] = train(way, home.path(), steps);
      fmt::print(stderr, "round {}/{}  {:18} {:.1f} ms a step\n", round + 1, rounds,
                 kNames[static_cast<std::size_t>(way)], seconds[way] * 1e3);
    }
    for (const Way way : kWays) ratios[way].push_back(seconds[way] / seconds[Way::without]);
  }
  for (const Way way : {Way::built, Way::drawn}) {
    const auto& all = ratios[way];
    fmt::print(
        "{}: {:.3f} x the training without a window (median of {} rounds, {:.3f} to {:.3f})\n",
        kNames[static_cast<std::size_t>(way)], median(all), all.size(),
        *std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end()));
  }
  return 0;
}

}  // namespace
}  // namespace headroom

int main(int count, char** arguments) {
  std::int64_t rounds = 5;
  std::int64_t steps = 60;
  CLI::App options{"What the dashboard costs the training behind it", "dashboard_cost"};
  options.add_option("--rounds", rounds, "How often the ways take turns")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  options.add_option("--steps", steps, "Measured steps of each training")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI11_PARSE(options, count, arguments);
  try {
    headroom::memory::install_runtime();
    return headroom::measure(rounds, steps);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "dashboard_cost: {}\n", problem.what());
    return 1;
  }
}
