#include "app/home_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
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

/// What the run's events say of its length and of the last save; both stand near the ends of the
/// file.
struct Progress {
  std::int64_t saved_step = 0;
  std::int64_t steps = 0;
};

Progress progress_of(const fs::path& events) {
  std::ifstream file(events, std::ios::binary);
  Progress progress;
  for (std::string line; std::getline(file, line);) {
    // Most lines are of other events: they are not parsed.
    const bool is_saved = line.find("\"event\":\"saved\"") != std::string::npos;
    const bool is_prepared = line.find("\"event\":\"prepared\"") != std::string::npos;
    if (!is_saved && !is_prepared) continue;
    const auto event = nlohmann::json::parse(line, nullptr, false);
    if (!event.is_object()) continue;
    if (is_saved) progress.saved_step = event.value("step", std::int64_t{0});
    if (is_prepared) progress.steps = event.value("steps", std::int64_t{0});
  }
  return progress;
}

/// Nothing where nothing was saved.
std::optional<KnownRun> read_run(const fs::path& folder, fs::file_time_type saved) {
  const Progress progress = progress_of(folder / "events.jsonl");
  if (progress.saved_step == 0) return std::nullopt;
  try {
    return KnownRun{.folder = folder,
                    .data_folder = run::read_run_description(folder).data_folder,
                    .steps_done = progress.saved_step,
                    .steps = progress.steps,
                    .saved = saved};
  } catch (const base::Error&) {
    return std::nullopt;  // of a newer version, or being written
  }
}

}  // namespace

std::optional<fs::path> find_home_folder() {
  const auto from = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path own = from("HEADROOM_HOME"); !own.empty()) return fs::absolute(own);
  if (const fs::path shared = from("XDG_DATA_HOME"); shared.is_absolute())
    return shared / "headroom";
  if (const fs::path home = from("HOME"); home.is_absolute())
    return home / ".local" / "share" / "headroom";
  return std::nullopt;
}

fs::path home_folder() {
  if (std::optional<fs::path> home = find_home_folder()) return *std::move(home);
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
  std::vector<std::pair<fs::file_time_type, fs::path>> folders;
  std::error_code failure;
  for (fs::directory_iterator entry(home / "runs", failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::error_code missing;
    const auto saved =
        fs::last_write_time(entry->path() / "state_last" / "state.safetensors", missing);
    if (!missing) folders.emplace_back(saved, entry->path());
  }
  std::sort(folders.begin(), folders.end(), std::greater<>());
  std::vector<KnownRun> runs;
  for (const auto& [saved, folder] : folders) {
    if (runs.size() == most) break;
    if (std::optional<KnownRun> run = read_run(folder, saved)) runs.push_back(std::move(*run));
  }
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
