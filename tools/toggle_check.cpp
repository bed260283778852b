// Trains twice on the same data: once with the plan left alone, once with every stage's policy
// drawn anew every few steps. Compares the two model files bit by bit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <variant>

#include "app/console.hpp"
#include "app/given_settings.hpp"
#include "app/run_composition.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/memory/runtime.hpp"
#include "core/run/controller.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;

struct ToggleOptions {
  std::string data{};
  std::string work{};
  std::string config{};
  std::int64_t steps = 200;
  std::int64_t every = 5;
  std::uint32_t seed = 0;
};

/// Posts a random plan of Keep, Light and Full after every few steps, as a person would who clicks
/// on stages.
class Toggler final : public run::EventSink {
 public:
  Toggler(std::int64_t every, std::uint32_t seed, std::function<void(run::Command)> post,
          std::int64_t& applied)
      : every_(every), random_(seed), post_(std::move(post)), applied_(applied) {}

 private:
  void do_handle(const run::Event& event) override {
    if (const auto* prepared = std::get_if<run::Prepared>(&event))
      stages_ = prepared->facts->stages.size();
    if (std::holds_alternative<run::PlanApplied>(event)) ++applied_;
    const auto* done = std::get_if<run::StepDone>(&event);
    if (done == nullptr || done->report.step % every_ != 0) return;
    plan::Plan plan(stages_);
    constexpr std::array kPolicies = {plan::Policy::keep, plan::Policy::light, plan::Policy::full};
    for (plan::Policy& policy : plan) policy = kPolicies[random_() % kPolicies.size()];
    post_(run::SetPlan{std::move(plan)});
  }

  std::int64_t every_;
  std::mt19937 random_;
  std::function<void(run::Command)> post_;
  std::int64_t& applied_;
  std::size_t stages_ = 0;
};

/// Trains to the end and returns the last model as bytes. `toggles`: every how many steps; 0:
/// never. `applied` counts the plans that steps ran with.
std::string train(const ToggleOptions& options, const base::Settings& settings,
                  const fs::path& run_folder, std::int64_t every, std::int64_t& applied) {
  std::unique_ptr<run::RunController> controller;
  run::ControllerOptions parts;
  parts.make_session = app::make_session_factory({});
  if (every > 0)
    parts.sinks.push_back(std::make_unique<Toggler>(
        every, options.seed,
        [&controller](run::Command command) { controller->post(std::move(command)); }, applied));
  controller = std::make_unique<run::RunController>(std::move(parts));
  controller->post(run::Configure{{.settings = settings,
                                   .data_folder = fs::absolute(options.data),
                                   .run_folder = run_folder,
                                   .start = run::RunStart::fresh}});
  controller->post(run::StartRun{});
  const auto snapshot = controller->wait_until_done();
  if (snapshot->error) throw base::Error(snapshot->error->kind, snapshot->error->error);
  return base::read_file(run_folder / "model_last.safetensors");
}

int check(const ToggleOptions& options) {
  memory::install_runtime();
  app::GivenSettings given;
  if (!options.config.empty()) given.set_config(options.config);
  base::Settings settings = given.applied_to({});
  settings.train.steps = options.steps;
  settings.train.epochs = 0;
  const fs::path work = fs::absolute(options.work);
  std::int64_t applied = 0;
  const std::string plain = train(options, settings, work / "plain", 0, applied);
  const std::string toggled = train(options, settings, work / "toggled", options.every, applied);
  const bool equal = plain == toggled;
  app::write_output(fmt::format("{{\"steps\": {}, \"plans_applied\": {}, \"bit_identical\": {}}}\n",
                                options.steps, applied, equal));
  // With a single plan nothing was toggled, and nothing proven.
  return equal && applied > 1 ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  headroom::ToggleOptions options;
  CLI::App command{
      "Trains with and without stages toggled at random and compares the final weights bit by bit"};
  command.add_option("DATA", options.data, "Data folder")->required();
  command.add_option("WORK", options.work, "New folder for the two runs")->required();
  command.add_option("--config", options.config, "Settings as headroom train --config takes them");
  command.add_option("--steps", options.steps, "Steps of each training")->capture_default_str();
  command.add_option("--every", options.every, "Steps between two toggles")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--toggle-seed", options.seed, "Decides the plans")->capture_default_str();
  CLI11_PARSE(command, argument_count, arguments);
  try {
    return headroom::check(options);
  } catch (const std::exception& error) {
    headroom::app::write_errors(fmt::format("toggle_check: {}\n", error.what()));
    return 1;
  }
}
