#include "tools/training_check.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "app/console.hpp"
#include "app/given_settings.hpp"
#include "app/run_composition.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/memory/runtime.hpp"

namespace headroom {

void add_data_options(CLI::App& command, TrainingChoice& choice) {
  command.add_option("DATA", choice.data, "Data folder")->required();
  command.add_option("--config", choice.config, "Settings as headroom train --config takes them");
}

void add_training_options(CLI::App& command, TrainingChoice& choice) {
  add_data_options(command, choice);
  command.add_option("--steps", choice.steps, "Steps of each training")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

base::Settings settings_of(const TrainingChoice& choice) {
  app::GivenSettings given;
  if (!choice.config.empty()) given.set_config(choice.config);
  base::Settings settings = given.applied_to({});
  settings.train.steps = choice.steps;
  settings.train.epochs = 0;
  return settings;
}

Ending run_training(const TrainingChoice& choice, const base::Settings& settings,
                    const std::filesystem::path& folder, const MakeSink& make_sink) {
  std::unique_ptr<run::RunController> controller;
  run::ControllerOptions parts;
  parts.make_session = app::make_session_factory({});
  if (make_sink) {
    parts.sinks.push_back(
        make_sink([&controller](run::Command command) { controller->post(std::move(command)); }));
  }
  controller = std::make_unique<run::RunController>(std::move(parts));
  controller->post(run::Configure{{.settings = settings,
                                   .data_folder = std::filesystem::absolute(choice.data),
                                   .run_folder = folder,
                                   .start = run::RunStart::fresh}});
  controller->post(run::StartRun{});
  Ending ending{.snapshot = controller->wait_until_done()};
  if (!ending.snapshot->error) ending.model = base::read_file(folder / "model_last.safetensors");
  return ending;
}

void expect_finished(const Ending& ending) {
  const auto& failure = ending.snapshot->error;
  if (failure) throw base::Error(failure->kind, failure->error);
}

int run_check(CLI::App& command, int argument_count, char** arguments,
              const std::function<int()>& check) {
  CLI11_PARSE(command, argument_count, arguments);
  try {
    memory::install_runtime();
    return check();
  } catch (const std::exception& error) {
    app::write_errors(fmt::format("{}: {}\n", command.get_name(), error.what()));
    return 1;
  }
}

}  // namespace headroom
