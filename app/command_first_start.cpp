#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stop_token>
#include <string>
#include <system_error>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/run_training.hpp"
#include "app/signal_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

/// Where the program keeps what nobody named a place for.
fs::path home_folder() {
  const auto from = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path own = from("HEADROOM_HOME"); !own.empty()) return fs::absolute(own);
  if (const fs::path shared = from("XDG_DATA_HOME"); shared.is_absolute())
    return shared / "headroom";
  if (const fs::path home = from("HOME"); home.is_absolute())
    return home / ".local" / "share" / "headroom";
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "choosing a folder for the sample",
                     .subject = "HEADROOM_HOME, XDG_DATA_HOME and HOME are not set",
                     .remedy = "Set HEADROOM_HOME to a folder of yours"});
}

formats::GenerateOptions sample_options() {
  formats::GenerateOptions options;
  options.kind = formats::SampleKind::aerial;
  options.count = 24;
  options.size = 256;
  return options;
}

/// Made under another name and renamed, so that the folder is whole or not there.
void make_sample(const fs::path& folder) {
  if (fs::exists(folder)) return;
  const fs::path partial = fs::path(folder) += fmt::format(".partial-{}", ::getpid());
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  std::error_code failure;
  try {
    formats::generate_sample_set(sample_options(), partial, stop.get_token());
    fs::rename(partial, folder, failure);
  } catch (...) {
    fs::remove_all(partial, failure);
    throw;
  }
  if (failure) throw base::io_error("writing the sample", folder, failure.value());
}

fs::path next_run_folder(const fs::path& runs) {
  for (int number = 1;; ++number) {
    fs::path folder = runs / fmt::format("sample-{:03}", number);
    if (!fs::exists(folder)) return folder;
  }
}

/// About two minutes on two cores.
base::Settings sample_settings(const fs::path& sample) {
  base::Settings settings;
  settings.model.levels = 4;
  settings.model.base_channels = 16;
  settings.step.tile_height = 256;
  settings.step.tile_width = 256;
  settings.step.batch = 4;
  settings.data.mapping = (sample / "classes.json").string();
  settings.train.steps = 400;
  settings.train.validate_every = 50;
  return settings;
}

}  // namespace

int perform(const FirstStart& command) {
  const fs::path home = home_folder();
  const fs::path sample = home / "sample-aerial";
  make_sample(sample);
  const fs::path run_folder = next_run_folder(home / "runs");
  if (!command.output.quiet)
    write_errors(fmt::format("Training the generated sample {} into {}\n",
                             base::display_path(sample), base::display_path(run_folder)));
  const auto snapshot = run_to_end({.settings = sample_settings(sample),
                                    .data_folder = sample,
                                    .run_folder = run_folder,
                                    .start = run::RunStart::fresh},
                                   command.output);
  return report_result(*snapshot, command.output);
}

}  // namespace headroom::app
