#include <fmt/format.h>

#include "app/commands.hpp"
#include "app/home_folder.hpp"
#include "app/run_training.hpp"
#include "core/base/error.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const char* subject, const char* remedy) {
  throw base::Error(
      base::ErrorKind::usage,
      {.attempted = "reading the command line", .subject = subject, .remedy = remedy});
}

run::RunRequest request_of(const TrainCommand& command) {
  if (!command.resume.empty()) {
    if (!command.data.empty() || !command.out.empty())
      refuse("--resume together with DATA or --out",
             "Give the run only: it knows its data, and goes on in its own folder");
    command.given.require_changeable_on_resume();
    run::RunRequest request = resume_request(command.resume);
    // The length of a run is one of the two; the one given anew replaces the other.
    if (command.given.has_flag("steps")) request.settings.train.epochs = 0;
    if (command.given.has_flag("epochs")) request.settings.train.steps = 0;
    request.settings = command.given.applied_to(request.settings);
    // Another budget has another best plan.
    request.plan_is_given =
        command.given.has_flag("plan") ||
        (command.given.has_flag("budget") && request.settings.step.plan == "auto");
    return request;
  }
  if (command.data.empty()) refuse("train without DATA", "Name the folder with images and masks");
  if (command.out.empty())
    refuse("train without --out", "Name a new folder for the run: --out RUN");
  return {.settings = command.given.applied_to({}),
          .data_folder = fs::absolute(command.data),
          .run_folder = fs::absolute(command.out),
          .start = run::RunStart::fresh};
}

}  // namespace

int perform(const TrainCommand& command) {
  return report_result(*run_to_end(request_of(command), command.output), command.output);
}

}  // namespace headroom::app
