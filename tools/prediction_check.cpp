// Predicted against measured: calibrates a network, then runs real steps of random plans, sizes and
// batches, each beside Keep of the same size, and compares peaks and times. Prints a table, and a
// line for each case that is far off.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"
#include "core/plan/cost_model.hpp"
#include "core/plan/fit_map.hpp"
#include "core/train/calibration.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/random_plans.hpp"
#include "models/unet.hpp"
#include "tools/median.hpp"
#include "tools/training_check.hpp"

namespace headroom {
namespace {

struct CheckOptions {
  std::int64_t network = 0;
  std::int64_t cases = 40;
  std::int64_t most_pixels = 16 * 192 * 192;  ///< of a batch
  std::int64_t timed_steps = 3;               ///< of each case; 0: times are not compared
  std::uint32_t seed = 0;
};

struct Outcome {
  double bytes_ratio = 0;    ///< predicted over measured
  double seconds_ratio = 0;  ///< of the times over Keep's: predicted over measured
};

class PredictionCheck {
 public:
  PredictionCheck(base::Settings settings, const CheckOptions& options)
      : settings_(std::move(settings)),
        options_(options),
        random_(options.seed),
        calibration_(train::calibrate({.settings = settings_}, models::make_model, {})) {
    fmt::print("calibrated in {:.1f} s by {} plans, checked to {:.3f} %\n", calibration_.seconds,
               calibration_.plans, 100 * calibration_.worst_bytes_error);
    std::size_t entries = 0, widest = 0;
    for (const plan::StepMoment& moment : calibration_.costs.moments) {
      for (const plan::CostTable& table : moment.bytes) {
        entries += table.by_combination.size();
        widest = std::max(widest, table.stages.size());
      }
    }
    fmt::print("{} moments, {} combinations, tables of up to {} stages\n",
               calibration_.costs.moments.size(), entries, widest);
  }

  std::vector<Outcome> run() {
    std::vector<Outcome> outcomes;
    for (std::int64_t i = 0; i < options_.cases; ++i) outcomes.push_back(run_case());
    return outcomes;
  }

 private:
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }

  base::Settings random_size() {
    const std::int64_t stride = calibration_.costs.stride;
    base::Settings settings = settings_;
    settings.step.batch = std::int64_t{1} << below(4);
    const auto most_side =
        static_cast<std::int64_t>(std::sqrt(options_.most_pixels / settings.step.batch));
    const auto side = [&] {
      const std::int64_t least = std::min<std::int64_t>(4, most_side / stride);
      return (least + below(most_side / stride - least + 1)) * stride;
    };
    settings.step.tile_height = side();
    settings.step.tile_width = side();
    return settings;
  }

  Outcome run_case() {
    const base::Settings settings = random_size();
    const plan::Plan plan =
        train::random_plan(calibration_.costs.policies, calibration_.costs.stages.size(),
                           options_.seed, drawn_plans_++);
    const plan::Plan keep(plan.size(), plan::Policy::keep);
    train::GeneratedTask task(settings, models::make_model);
    std::vector<double> plan_seconds, keep_seconds;
    std::int64_t number = 0;
    const auto step = [&](const plan::Plan& of) {
      task.model().set_plan(of);
      return task.step(++number, {}).measured;
    };
    const std::int64_t peak_bytes = step(plan).peak_total_bytes;
    // The first step of Keep takes more memory from the system, which costs time once.
    if (options_.timed_steps > 0) step(keep);
    for (std::int64_t i = 0; i < options_.timed_steps; ++i) {
      keep_seconds.push_back(step(keep).total_seconds);
      plan_seconds.push_back(step(plan).total_seconds);
    }
    const plan::BatchShape shape{settings.step.batch, settings.step.tile_height,
                                 settings.step.tile_width};
    const plan::StepPixels pixels = plan::pixels_of(shape, calibration_.costs.stride);
    const auto predicted = plan::predict(calibration_.costs, plan, pixels);
    const auto predicted_keep = plan::predict(calibration_.costs, keep, pixels);
    if (!predicted || !predicted_keep) {
      throw base::Error(base::ErrorKind::internal,
                        {"predicting a step", "a plan that was not measured", "Calibrate again"});
    }
    Outcome outcome{.bytes_ratio = static_cast<double>(predicted->peak_total_bytes) /
                                   static_cast<double>(peak_bytes)};
    if (options_.timed_steps > 0) {
      const double measured = median(plan_seconds) / median(keep_seconds);
      outcome.seconds_ratio =
          predicted->seconds_per_step / predicted_keep->seconds_per_step / measured;
    }
    fmt::print("{}x{}x{} {}: peak {} predicted {} ({:+.3f} %), time {:+.1f} %\n",
               settings.step.batch, settings.step.tile_height, settings.step.tile_width,
               plan::to_string(plan, calibration_.costs.stages), base::format_bytes(peak_bytes),
               base::format_bytes(predicted->peak_total_bytes), 100 * (outcome.bytes_ratio - 1),
               100 * (outcome.seconds_ratio - 1));
    return outcome;
  }

  base::Settings settings_;
  CheckOptions options_;
  std::mt19937 random_;
  std::int64_t drawn_plans_ = 0;
  train::Calibration calibration_;
};

double share(const std::vector<Outcome>& outcomes, double Outcome::*ratio, double tolerance) {
  const auto within = std::ranges::count_if(
      outcomes, [&](const Outcome& outcome) { return std::abs(outcome.*ratio - 1) <= tolerance; });
  return static_cast<double>(within) / static_cast<double>(outcomes.size());
}

struct Network {
  std::int64_t levels, base_channels;
  base::NormKind norm;
  std::int64_t classes;
  base::Precision precision;
};

/// So different that what holds for all of them is not tuned to one.
constexpr std::array kNetworks = {
    Network{5, 32, base::NormKind::batch, 2, base::Precision::fp32},
    Network{4, 16, base::NormKind::group, 12, base::Precision::bf16},
    Network{6, 8, base::NormKind::instance, 2, base::Precision::fp32},
    Network{5, 16, base::NormKind::batch, 12, base::Precision::bf16},
    Network{4, 32, base::NormKind::instance, 12, base::Precision::fp32},
};

base::Settings settings_of(const Network& network) {
  base::Settings settings;
  settings.model.levels = network.levels;
  settings.model.base_channels = network.base_channels;
  settings.model.norm = network.norm;
  settings.model.classes = network.classes;
  settings.step.precision = network.precision;
  return settings;
}

/// What the networks differ in.
std::string text_of(const base::Settings& settings) {
  std::string text;
  for (const char* key : {"levels", "base_channels", "norm", "classes", "precision"}) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", key,
                        base::text_of(settings, *base::find_setting(key)));
  }
  return text;
}

int check(const CheckOptions& options) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < kNetworks.size(); ++i) {
    if (options.network != 0 && options.network != static_cast<std::int64_t>(i + 1)) continue;
    const base::Settings settings = settings_of(kNetworks[i]);
    fmt::print("network {}: {}\n", i + 1, text_of(settings));
    const std::vector<Outcome> more = PredictionCheck(settings, options).run();
    outcomes.insert(outcomes.end(), more.begin(), more.end());
  }
  const double lowest = std::ranges::min(outcomes, {}, &Outcome::bytes_ratio).bytes_ratio;
  const double highest = std::ranges::max(outcomes, {}, &Outcome::bytes_ratio).bytes_ratio;
  fmt::print("{} cases: peak within 1 % in {:.1f} %, from {:+.2f} % to {:+.2f} %\n",
             outcomes.size(), 100 * share(outcomes, &Outcome::bytes_ratio, 0.01),
             100 * (lowest - 1), 100 * (highest - 1));
  if (options.timed_steps > 0) {
    fmt::print("time over Keep's within 8 % in {:.1f} %\n",
               100 * share(outcomes, &Outcome::seconds_ratio, 0.08));
  }
  return lowest >= 0.995 && share(outcomes, &Outcome::bytes_ratio, 0.01) >= 0.95 ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  headroom::CheckOptions options;
  CLI::App command{"Predicted against measured peaks and times of random plans and sizes",
                   "prediction_check"};
  command.add_option("--network", options.network, "1 to 5; 0: all");
  command.add_option("--cases", options.cases, "Random plans and sizes of each network");
  command.add_option("--most-pixels", options.most_pixels, "Of a batch");
  command.add_option("--timed-steps", options.timed_steps, "Of each case; 0: no times");
  command.add_option("--seed", options.seed, "Draws the cases");
  return headroom::run_check(command, argument_count, arguments,
                             [&options] { return headroom::check(options); });
}
