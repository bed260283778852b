// Trains once undisturbed, then again and again with one random allocation refused. Counts how many
// of those trainings went on to their end, and how many ended with the same model file bit by bit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <variant>

#include "app/console.hpp"
#include "app/given_settings.hpp"
#include "app/run_composition.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/memory/runtime.hpp"
#include "core/run/controller.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::string data{};
  std::string work{};
  std::string config{};
  std::int64_t steps = 20;
  std::int64_t runs = 100;
  std::uint32_t seed = 0;
};

/// At the start of training the n-th allocation from there on is set to fail; 0: all of them are
/// counted instead.
class Injector final : public run::EventSink {
 public:
  explicit Injector(std::int64_t failing) : failing_(failing) {}

 private:
  void do_handle(const run::Event& event) override {
    if (!std::holds_alternative<run::Prepared>(event)) return;
    constexpr std::size_t kMostEvents = std::size_t{1} << 22;
    if (failing_ == 0) memory::cpu_meter().begin_recording(kMostEvents);
    memory::fail_allocation(failing_);
  }

  std::int64_t failing_;
};

struct Ending {
  std::shared_ptr<const run::RunSnapshot> snapshot{};
  std::string model{};  ///< the last one's bytes; empty where the run failed
};

Ending train(const CheckOptions& options, const base::Settings& settings, const fs::path& folder,
             std::int64_t failing) {
  run::ControllerOptions parts;
  parts.make_session = app::make_session_factory({});
  parts.sinks.push_back(std::make_unique<Injector>(failing));
  run::RunController controller(std::move(parts));
  controller.post(run::Configure{{.settings = settings,
                                  .data_folder = fs::absolute(options.data),
                                  .run_folder = folder,
                                  .start = run::RunStart::fresh}});
  controller.post(run::StartRun{});
  Ending ending{.snapshot = controller.wait_until_done()};
  memory::fail_allocation(0);
  if (!ending.snapshot->error) ending.model = base::read_file(folder / "model_last.safetensors");
  return ending;
}

/// Allocations of the training that was recorded.
std::int64_t count_allocations() {
  const memory::MeterRecording recording = memory::cpu_meter().end_recording();
  if (!recording.is_complete) {
    throw base::Error(base::ErrorKind::usage,
                      {"counting allocations", "the training has too many", "Give fewer --steps"});
  }
  return std::ranges::count_if(recording.events,
                               [](const memory::MeterEvent& event) { return event.bytes > 0; });
}

int check(const CheckOptions& options) {
  memory::install_runtime();
  app::GivenSettings given;
  if (!options.config.empty()) given.set_config(options.config);
  base::Settings settings = given.applied_to({});
  settings.train.steps = options.steps;
  settings.train.epochs = 0;
  settings.step.device = "cpu";
  const fs::path work = fs::absolute(options.work);
  const Ending plain = train(options, settings, work / "plain", 0);
  const std::int64_t allocations = count_allocations();
  if (plain.snapshot->error)
    throw base::Error(plain.snapshot->error->kind, plain.snapshot->error->error);

  std::mt19937 random(options.seed);
  std::uniform_int_distribution<std::int64_t> draw(1, allocations);
  std::int64_t went_on = 0, same_bits = 0, told = 0;
  for (std::int64_t i = 0; i < options.runs; ++i) {
    const std::int64_t failing = draw(random);
    const fs::path folder = work / "disturbed";
    const Ending ending = train(options, settings, folder, failing);
    fs::remove_all(folder);
    if (ending.snapshot->error) {
      app::write_errors(
          fmt::format("allocation {}: {}\n", failing, ending.snapshot->error->error.subject));
      continue;
    }
    ++went_on;
    if (ending.model == plain.model) {
      ++same_bits;
    } else {
      app::write_errors(fmt::format("allocation {}: another model\n", failing));
    }
    if (!ending.snapshot->memory_reliefs.empty()) ++told;
  }
  app::write_output(fmt::format(
      "{{\"allocations\": {}, \"runs\": {}, \"went_on\": {}, \"told\": {}, \"same_bits\": {}}}\n",
      allocations, options.runs, went_on, told, same_bits));
  return went_on == options.runs && same_bits == options.runs ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int argument_count, char** arguments) {
  headroom::CheckOptions options;
  CLI::App command{
      "Trains with one random allocation refused, many times, and counts the trainings that go on"};
  command.add_option("DATA", options.data, "Data folder")->required();
  command.add_option("WORK", options.work, "New folder for the runs")->required();
  command.add_option("--config", options.config, "Settings as headroom train --config takes them");
  command.add_option("--steps", options.steps, "Steps of each training")->capture_default_str();
  command.add_option("--runs", options.runs, "Trainings that are disturbed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", options.seed, "Decides which allocations fail")
      ->capture_default_str();
  CLI11_PARSE(command, argument_count, arguments);
  try {
    return headroom::check(options);
  } catch (const std::exception& error) {
    headroom::app::write_errors(fmt::format("oom_check: {}\n", error.what()));
    return 1;
  }
}
