// Does training ever wait for data? Runs the training's own steps, and the same steps on one batch
// that is at hand already, in turns of some steps each, and compares the times pair by pair.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <utility>
#include <vector>

#include "app/console.hpp"
#include "app/training_data.hpp"
#include "core/data/cached_batch_source.hpp"
#include "core/train/training_session.hpp"
#include "models/unet.hpp"
#include "tools/median.hpp"
#include "tools/training_check.hpp"

namespace headroom {
namespace {

struct WaitOptions {
  TrainingChoice training{};
  std::int64_t turns = 5;
  std::int64_t steps_per_turn = 50;
  double limit = 1.05;
};

using Session = std::unique_ptr<train::TrainingSession>;

/// Nothing is saved or validated, so that the run folder is not used.
Session make_session(const WaitOptions& options, const base::Settings& settings, bool cached) {
  train::TrainingOptions training;
  training.settings = settings;
  training.make_model = models::make_model;
  training.load_data = [&options, settings](std::stop_token stop) {
    return app::load_training_data(std::filesystem::absolute(options.training.data), settings, {},
                                   std::move(stop));
  };
  if (cached)
    training.wrap_batches = [](std::unique_ptr<data::BatchSource> batches) {
      return std::make_unique<data::CachedBatchSource>(*batches, std::stop_token());
    };
  auto session = std::make_unique<train::TrainingSession>(std::move(training));
  static_cast<void>(session->prepare({}));
  return session;
}

double seconds_of_turn(train::TrainingSession& session, std::int64_t steps) {
  double seconds = 0;
  for (std::int64_t step = 0; step < steps; ++step) seconds += session.step({}).total_seconds;
  return seconds;
}

int check(const WaitOptions& options) {
  TrainingChoice choice = options.training;
  choice.steps = (options.turns + 1) * options.steps_per_turn;
  const base::Settings settings = settings_of(choice);
  const Session loaded = make_session(options, settings, false);
  const Session cached = make_session(options, settings, true);

  std::vector<double> ratios;
  for (std::int64_t turn = 0; turn <= options.turns; ++turn) {
    const double with_loading = seconds_of_turn(*loaded, options.steps_per_turn);
    const double without = seconds_of_turn(*cached, options.steps_per_turn);
    // The first turn warms caches up.
    if (turn > 0) ratios.push_back(with_loading / without);
  }
  app::write_output(
      fmt::format("{{\"turns\": {}, \"steps_per_turn\": {}, \"ratio_median\": {:.4f}, "
                  "\"ratio_max\": {:.4f}}}\n",
                  options.turns, options.steps_per_turn, median(ratios),
                  *std::max_element(ratios.begin(), ratios.end())));
  return median(ratios) <= options.limit ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  headroom::WaitOptions options;
  CLI::App command{
      "Time of training steps over the time of the same steps on one cached batch: median over "
      "pairs of turns. At most 2 * loader threads + 2 batches are ready when a turn begins, so "
      "turns should have many more steps than that",
      "data_wait_check"};
  headroom::add_data_options(command, options.training);
  command.add_option("--turns", options.turns, "Pairs of turns")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--steps-per-turn", options.steps_per_turn, "Steps in a turn")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--limit", options.limit, "Highest ratio that passes")->capture_default_str();
  return headroom::run_check(command, argument_count, arguments,
                             [&options] { return headroom::check(options); });
}
