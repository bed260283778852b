#pragma once
// What the checks share that train a folder of images: options, settings, a training from start to
// end, and the frame around main.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/settings.hpp"
#include "core/run/controller.hpp"

namespace headroom {

struct TrainingChoice {
  std::string data{};
  std::string config{};  ///< file as headroom train --config takes it; empty: the defaults
  std::int64_t steps = 0;
};

/// DATA and --config for `choice`, which has to outlive the command.
void add_data_options(CLI::App& command, TrainingChoice& choice);

/// The same and --steps, whose default is what `choice` has.
void add_training_options(CLI::App& command, TrainingChoice& choice);

/// With the choice's steps, whatever the file says. Throws base::Error (usage).
[[nodiscard]] base::Settings settings_of(const TrainingChoice& choice);

struct Ending {
  std::shared_ptr<const run::RunSnapshot> snapshot{};
  std::string model{};  ///< the last one's bytes; empty where the run failed
};

using Post = std::function<void(run::Command)>;
/// A sink for a run's events; what it posts goes to that run.
using MakeSink = std::function<std::unique_ptr<run::EventSink>(Post)>;

/// Trains to the end. `make_sink` may be empty.
[[nodiscard]] Ending run_training(const TrainingChoice& choice, const base::Settings& settings,
                                  const std::filesystem::path& folder, const MakeSink& make_sink);

/// Throws the base::Error that the run ended with, if any.
void expect_finished(const Ending& ending);

/// Parses, then calls `check`: its value is the exit code. What it throws is written and gives 1.
[[nodiscard]] int run_check(CLI::App& command, int argument_count, char** arguments,
                            const std::function<int()>& check);

}  // namespace headroom
