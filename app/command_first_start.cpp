#include <fmt/format.h>

#include <stop_token>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/home_folder.hpp"
#include "app/run_training.hpp"
#include "app/signal_watch.hpp"
#include "app/window/window.hpp"
#include "core/base/io_error.hpp"

namespace headroom::app {
namespace {

run::RunRequest sample_run() {
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  return prepare_sample_run(home_folder(), stop.get_token());
}

int train_the_sample(const FirstStart& command) {
  const run::RunRequest request = sample_run();
  if (!command.output.quiet)
    write_errors(fmt::format("There is no display: training the generated sample {} into {}\n",
                             base::display_path(request.data_folder),
                             base::display_path(request.run_folder)));
  return report_result(*run_to_end(request, command.output), command.output);
}

}  // namespace

int perform(const FirstStart& command) {
  return has_display() ? perform(GuiCommand{.output = command.output}) : train_the_sample(command);
}

}  // namespace headroom::app
