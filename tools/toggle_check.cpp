// Trains twice on the same data: once with the plan left alone, once with every stage's policy
// drawn anew every few steps. Compares the two model files bit by bit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "app/console.hpp"
#include "core/train/random_plans.hpp"
#include "tools/training_check.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;

struct ToggleOptions {
  TrainingChoice training{.steps = 200};
  std::string work{};
  std::int64_t every = 5;
  std::int64_t seed = 0;
};

/// Posts a random plan after every few steps, as a person would who clicks on stages.
class Toggler final : public run::EventSink {
 public:
  /// `applied` counts the plans that steps ran with.
  Toggler(const ToggleOptions& options, Post post, std::int64_t& applied)
      : options_(options), post_(std::move(post)), applied_(applied) {}

 private:
  void do_handle(const run::Event& event) override {
    if (const auto* prepared = std::get_if<run::Prepared>(&event)) facts_ = prepared->facts;
    if (std::holds_alternative<run::PlanApplied>(event)) ++applied_;
    const auto* done = std::get_if<run::StepDone>(&event);
    if (done == nullptr || done->report.step % options_.every != 0) return;
    post_(run::SetPlan{
        train::random_plan(facts_->policies, facts_->stages.size(), options_.seed, drawn_++)});
  }

  const ToggleOptions& options_;
  Post post_;
  std::int64_t& applied_;
  std::shared_ptr<const run::SessionFacts> facts_;
  std::int64_t drawn_ = 0;
};

int check(const ToggleOptions& options) {
  const base::Settings settings = settings_of(options.training);
  const std::filesystem::path work = std::filesystem::absolute(options.work);
  std::int64_t applied = 0;
  const Ending plain = run_training(options.training, settings, work / "plain", {});
  expect_finished(plain);
  const Ending toggled = run_training(options.training, settings, work / "toggled", [&](Post post) {
    return std::make_unique<Toggler>(options, std::move(post), applied);
  });
  expect_finished(toggled);
  const bool equal = plain.model == toggled.model;
  app::write_output(fmt::format("{{\"steps\": {}, \"plans_applied\": {}, \"bit_identical\": {}}}\n",
                                options.training.steps, applied, equal));
  // With a single plan nothing was toggled, and nothing proven.
  return equal && applied > 1 ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  headroom::ToggleOptions options;
  CLI::App command{
      "Trains with and without stages toggled at random and compares the final weights bit by bit",
      "toggle_check"};
  headroom::add_training_options(command, options.training);
  command.add_option("WORK", options.work, "New folder for the two runs")->required();
  command.add_option("--every", options.every, "Steps between two toggles")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--toggle-seed", options.seed, "Decides the plans")->capture_default_str();
  return headroom::run_check(command, argument_count, arguments,
                             [&options] { return headroom::check(options); });
}
