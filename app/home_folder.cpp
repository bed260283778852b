#include "app/home_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"
#include "core/formats/generate.hpp"
#include "core/run/run_folder.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

formats::GenerateOptions sample_options() {
  formats::GenerateOptions options;
  options.kind = formats::SampleKind::aerial;
  options.count = 24;
  options.size = 256;
  return options;
}

/// Made under another name and renamed, so that the folder is whole or not there.
void make_sample(const fs::path& folder, std::stop_token stop) {
  if (fs::exists(folder)) return;
  const fs::path partial = fs::path(folder) += fmt::format(".partial-{}", ::getpid());
  std::error_code failure;
  try {
    formats::generate_sample_set(sample_options(), partial, std::move(stop));
    fs::rename(partial, folder, failure);
  } catch (...) {
    fs::remove_all(partial, failure);
    throw;
  }
  if (failure) throw base::io_error("writing the sample", folder, failure.value());
}

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

/// The first field of the last row that has one: the step.
std::int64_t last_step_of(const fs::path& steps_csv) {
  std::ifstream file(steps_csv, std::ios::binary | std::ios::ate);
  constexpr std::streamoff kTail = 4096;
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kTail));
  std::int64_t step = 0;
  for (std::string line; std::getline(file, line);) {
    const auto number = base::parse_integer(line.substr(0, line.find(',')));
    if (number) step = *number;
  }
  return step;
}

std::optional<KnownRun> read_run(const fs::path& folder) {
  std::error_code failure;
  const fs::path state = folder / "state_last" / "state.safetensors";
  const auto saved = fs::last_write_time(state, failure);
  if (failure) return std::nullopt;
  KnownRun run{.folder = folder, .saved = saved};
  try {
    run.steps = run::read_run_description(folder).settings.train.steps;
  } catch (const base::Error&) {
    return std::nullopt;  // of a newer version, or being written
  }
  run.steps_done = last_step_of(folder / "steps.csv");
  return run;
}

}  // namespace

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
                    {.attempted = "choosing a folder for runs and preferences",
                     .subject = "HEADROOM_HOME, XDG_DATA_HOME and HOME are not set",
                     .remedy = "Set HEADROOM_HOME to a folder of yours"});
}

fs::path next_run_folder(const fs::path& home, const std::string& name) {
  for (int number = 1;; ++number) {
    fs::path folder = home / "runs" / fmt::format("{}-{:03}", name, number);
    std::error_code failure;
    if (!fs::exists(folder, failure)) return folder;
  }
}

run::RunRequest prepare_sample_run(const fs::path& home, std::stop_token stop) {
  const fs::path sample = home / "sample-aerial";
  make_sample(sample, std::move(stop));
  return {.settings = sample_settings(sample),
          .data_folder = sample,
          .run_folder = next_run_folder(home, "sample"),
          .start = run::RunStart::fresh};
}

std::vector<KnownRun> known_runs(const fs::path& home, std::size_t most) {
  std::vector<KnownRun> runs;
  std::error_code failure;
  for (fs::directory_iterator entry(home / "runs", failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (std::optional<KnownRun> run = read_run(entry->path())) runs.push_back(std::move(*run));
  }
  std::sort(runs.begin(), runs.end(),
            [](const KnownRun& a, const KnownRun& b) { return a.saved > b.saved; });
  if (runs.size() > most) runs.resize(most);
  return runs;
}

run::RunRequest resume_request(const fs::path& run_folder) {
  const run::RunDescription description = run::read_run_description(run_folder);
  return {.settings = description.settings,
          .data_folder = description.data_folder,
          .run_folder = fs::absolute(run_folder),
          .start = run::RunStart::resume};
}

}  // namespace headroom::app
