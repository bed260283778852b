// Trains once undisturbed, then again and again with one random allocation refused. Counts how many
// of those trainings went on to their end, and how many ended with the same model file bit by bit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <variant>

#include "app/console.hpp"
#include "core/base/error.hpp"
#include "core/memory/cpu_meter.hpp"
#include "tools/training_check.hpp"

namespace headroom {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  TrainingChoice training{.steps = 20};
  std::string work{};
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

Ending train_with(const CheckOptions& options, const base::Settings& settings,
                  const fs::path& folder, std::int64_t failing) {
  const Ending ending = run_training(options.training, settings, folder, [failing](const Post&) {
    return std::make_unique<Injector>(failing);
  });
  memory::fail_allocation(0);
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
  base::Settings settings = settings_of(options.training);
  settings.step.device = "cpu";
  const fs::path work = fs::absolute(options.work);
  const Ending plain = train_with(options, settings, work / "plain", 0);
  const std::int64_t allocations = count_allocations();
  expect_finished(plain);

  std::mt19937 random(options.seed);
  std::uniform_int_distribution<std::int64_t> draw(1, allocations);
  std::int64_t went_on = 0, same_bits = 0, told = 0;
  for (std::int64_t i = 0; i < options.runs; ++i) {
    const std::int64_t failing = draw(random);
    const fs::path folder = work / "disturbed";
    const Ending ending = train_with(options, settings, folder, failing);
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
      "Trains with one random allocation refused, many times, and counts the trainings that go on",
      "oom_check"};
  headroom::add_training_options(command, options.training);
  command.add_option("WORK", options.work, "New folder for the runs")->required();
  command.add_option("--runs", options.runs, "Trainings that are disturbed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", options.seed, "Decides which allocations fail")
      ->capture_default_str();
  return headroom::run_check(command, argument_count, arguments,
                             [&options] { return headroom::check(options); });
}
