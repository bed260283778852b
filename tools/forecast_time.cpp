// How soon the dashboard's program answers what a person changes: the curve of plans, and the map
// of what fits, after another plan, budget or size; at rest, and while a training runs.
//
//   forecast_time [--changes N]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/dashboard_session.hpp"
#include "app/home_folder.hpp"
#include "app/window/news_bell.hpp"
#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/memory/runtime.hpp"
#include "core/run/calibration.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tools/median.hpp"
#include "tools/training_check.hpp"

namespace headroom {
namespace {

using Clock = std::chrono::steady_clock;

enum class Change { plan, budget, size };

struct Waits {
  std::vector<double> curve_seconds{}, map_seconds{};
};

class ForecastTime {
 public:
  explicit ForecastTime(std::int64_t changes)
      : changes_(changes), session_({.home = home_.path(), .on_news = [this] { bell_.ring(); }}) {
    request_ = app::prepare_sample_run(home_.path(), {});
    request_.settings.train.steps = 1'000'000;
    request_.settings.train.validate_every = 1'000'000;
    session_.perform({.commands = {run::Configure{request_}}, .requests = {}});
    foresee_.settings = request_.settings;
    foresee_.settings.model.channels = 3;
    foresee_.settings.model.classes = 3;
    foresee_.cost_key = run::cost_key(foresee_.settings);
    foresee_.shape = {.batch = request_.settings.step.batch,
                      .height = request_.settings.step.tile_height,
                      .width = request_.settings.step.tile_width};
    foresee_.budget_bytes = std::int64_t{4} << 30;
    const auto levels = request_.settings.model.levels;
    foresee_.plans = {plan::Plan(plan::unet_stage_names(levels).size(), plan::Policy::keep)};
    session_.perform({.commands = {run::Calibrate{foresee_.settings}}, .requests = {foresee_}});
    wait_until([this] { return session_.shell().outlook.fits != nullptr; });
  }

  void print(const char* when) {
    for (const auto& [change, name] :
         {std::pair{Change::plan, "plan"}, {Change::budget, "budget"}, {Change::size, "size"}}) {
      const Waits waits = measure(change);
      fmt::print("{:18} {:6}  curve {:5.1f} ms, at most {:5.1f}", when, name,
                 median(waits.curve_seconds) * 1e3, std::ranges::max(waits.curve_seconds) * 1e3);
      if (!waits.map_seconds.empty()) {
        fmt::print("    map {:5.1f} ms, at most {:5.1f}", median(waits.map_seconds) * 1e3,
                   std::ranges::max(waits.map_seconds) * 1e3);
      }
      fmt::print("\n");
    }
  }

  void start() {
    session_.perform({.commands = {run::StartRun{}}, .requests = {}});
    wait_until([this] { return session_.snapshot()->steps_done >= 3; });
  }

 private:
  template <typename Condition>
  void wait_until(const Condition& holds) {
    for (session_.poll(); !holds(); session_.poll()) {
      const auto now = session_.snapshot();
      if (now->error) throw base::Error(now->error->kind, now->error->error);
      if (!session_.shell().outlook.problem.empty()) {
        throw base::Error(base::ErrorKind::internal, {.attempted = "predicting",
                                                      .subject = session_.shell().outlook.problem,
                                                      .remedy = "see the log"});
      }
      bell_.wait(1.0);
    }
  }

  /// As a person's clicks come: the answer to one is there before the next.
  Waits measure(Change change) {
    Waits waits;
    for (std::int64_t i = 0; i < changes_; ++i) {
      make(change, i);
      const auto begin = Clock::now();
      session_.perform({.commands = {}, .requests = {foresee_}});
      wait_until([this] { return has_curve(); });
      waits.curve_seconds.push_back(base::seconds_between(begin, Clock::now()));
      if (change == Change::plan) continue;  // the map is of all plans
      wait_until([this] { return has_map(); });
      waits.map_seconds.push_back(base::seconds_between(begin, Clock::now()));
    }
    return waits;
  }

  void make(Change change, std::int64_t number) {
    switch (change) {
      case Change::plan: {
        plan::Policy& policy =
            foresee_.plans[0][static_cast<std::size_t>(number) % foresee_.plans[0].size()];
        policy = policy == plan::Policy::keep ? plan::Policy::full : plan::Policy::keep;
        return;
      }
      case Change::budget:
        foresee_.budget_bytes =
            (std::int64_t{1} << 30) + (number % 7 + 1) * (std::int64_t{1} << 28);
        return;
      case Change::size:
        foresee_.shape.height = foresee_.shape.width = 256 + 32 * (number % 5);
        return;
    }
  }

  [[nodiscard]] run::ForecastQuestion question_of(const run::SharedCosts& costs) const {
    return {.costs = costs,
            .shape = foresee_.shape,
            .limits = plan::limits_of(foresee_.budget_bytes),
            .plans = foresee_.plans};
  }
  [[nodiscard]] bool has_curve() const {
    const auto& plans = session_.shell().outlook.plans;
    return plans && run::are_equal(plans->question, question_of(plans->question.costs));
  }
  [[nodiscard]] bool has_map() const {
    const auto& fits = session_.shell().outlook.fits;
    return fits && run::have_same_map(fits->question, question_of(fits->question.costs));
  }

  std::int64_t changes_;
  tests::TemporaryFolder home_;
  app::NewsBell bell_;
  run::RunRequest request_{};
  ui::Foresee foresee_{};
  app::DashboardSession session_;  ///< last: rings the bell to its end
};

}  // namespace
}  // namespace headroom

int main(int count, char** arguments) {
  std::int64_t changes = 20;
  CLI::App options{"How soon curve and map follow a change, at rest and beside a training",
                   "forecast_time"};
  options.add_option("--changes", changes, "Of each kind")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  return headroom::run_check(options, count, arguments, [&] {
    headroom::memory::install_runtime();
    headroom::ForecastTime time(changes);
    time.print("at rest");
    time.start();
    time.print("beside a training");
    return 0;
  });
}
