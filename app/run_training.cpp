#include "app/run_training.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/console.hpp"
#include "app/run_composition.hpp"
#include "app/run_remains.hpp"
#include "app/signal_watch.hpp"
#include "app/training_printer.hpp"
#include "app/training_summary.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/plan/plan.hpp"
#include "core/run/controller.hpp"
#include "core/train/device.hpp"
#include "core/train/model_setup.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

/// What could be told only after minutes of reading data.
void check_before_reading(const base::Settings& settings) {
  const auto device = train::resolve_device(settings.step.device);
  static_cast<void>(train::resolve_budget(settings.step.budget_bytes, device));
  static_cast<void>(
      train::plan_of_setting(settings.step.plan, plan::unet_stage_names(settings.model.levels)));
}

std::shared_ptr<const run::RunSnapshot> drive(const run::RunRequest& request,
                                              const OutputOptions& output) {
  base::Log log(output.quiet ? base::LogVerbosity::quiet : base::LogVerbosity::normal);
  auto printer = std::make_unique<TrainingPrinter>(log, progress_style(output.quiet));
  run::ControllerOptions options;
  options.make_session = make_session_factory(
      {.on_progress = [shown = printer.get()](const formats::ScanProgress& progress) {
        shown->show_scan(progress);
      }});
  options.sinks.push_back(std::move(printer));

  run::RunController controller(std::move(options));
  controller.post(run::Configure{request});
  controller.post(run::StartRun{});
  // After the start: a signal that waits already would else ask a run to stop that is not there.
  const SignalWatch watch([&controller] {
    write_errors("\nStopping: the state is being saved. Once more ends at once.\n");
    controller.post(run::StopAndSave{});
  });
  return controller.wait_until_done();
}

}  // namespace

std::shared_ptr<const run::RunSnapshot> run_to_end(const run::RunRequest& request,
                                                   const OutputOptions& output) {
  check_before_reading(request.settings);
  const bool was_there = fs::exists(request.run_folder);
  std::shared_ptr<const run::RunSnapshot> snapshot = drive(request, output);
  if (!snapshot->error) return snapshot;
  if (left_nothing(*snapshot)) remove_remains(request.run_folder, was_there);
  throw base::Error(snapshot->error->kind, snapshot->error->error);
}

std::string continue_hint(const fs::path& run_folder) {
  return fmt::format("Continue with: headroom train --resume '{}'", base::display_path(run_folder));
}

int report_result(const run::RunSnapshot& snapshot, const OutputOptions& output) {
  const bool was_stopped = snapshot.outcome == run::Outcome::stopped;
  if (output.json) {
    write_output(base::dump_json(result_to_json(snapshot), 2) + '\n');
  } else {
    write_output(describe_result(snapshot));
  }
  if (!was_stopped) return 0;
  write_errors(snapshot.steps_done > 0
                   ? fmt::format("headroom: stopped after step {}. {}\n", snapshot.steps_done,
                                 continue_hint(snapshot.request->run_folder))
                   : std::string("headroom: stopped before the first step; nothing was saved\n"));
  return static_cast<int>(base::ErrorKind::interrupted);
}

}  // namespace headroom::app
