#include "app/step_calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/environment.hpp"
#include "app/home_folder.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/settings_schema.hpp"
#include "core/formats/file_digest.hpp"
#include "core/plan/step_costs_json.hpp"
#include "core/run/calibration.hpp"
#include "core/train/calibration.hpp"
#include "core/train/device.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/model_setup.hpp"
#include "core/train/precision.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

/// All that costs depend on, by name.
using Facts = std::map<std::string, std::string>;

/// Sets nothing up: a run may be computing.
Facts facts_of(base::Settings settings) {
  settings = train::for_generated_input(std::move(settings));
  const c10::Device device = train::resolve_device(settings.step.device);
  settings.step.precision = train::resolve_precision(settings.step.precision, device);
  const bool is_channels_last =
      train::resolve_memory_format(settings.step.memory_format) == c10::MemoryFormat::ChannelsLast;
  settings.step.memory_format =
      is_channels_last ? base::MemoryFormat::channels_last : base::MemoryFormat::contiguous;
  Facts facts;
  for (const base::SettingRow& row : base::settings_schema()) {
    if (run::decides_costs(row)) facts.emplace(row.key, base::text_of(settings, row));
  }
  facts["device"] = device.is_cpu() ? "cpu" : train::describe(device);
  const std::map<std::string, std::string> environment = describe_environment();
  for (const char* name : {"torch", "cpu", "cores"}) facts[name] = environment.at(name);
  facts["build"] = describe_build(base::build_commit(), "/proc/self/exe");
  return facts;
}

/// Nothing where the program has no home.
std::optional<fs::path> file_of(const Facts& facts) {
  const std::optional<fs::path> home = find_home_folder();
  if (!home) return std::nullopt;
  const std::string name = formats::digest_text(base::dump_json(facts));
  return *home / "calibrations" / (name + ".json");
}

std::string to_text(const StepCalibration& calibration, const Facts& facts) {
  const nlohmann::ordered_json document = {
      {"facts", facts},
      {"live_before_bytes",
       {calibration.live_before_bytes.constant, calibration.live_before_bytes.per_pixel}},
      {"costs", plan::to_json(calibration.costs)}};
  return base::dump_json(document) + '\n';
}

bool is_pair_of_numbers(const nlohmann::json& value) {
  return value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number();
}

/// Nothing where it is not what to_text wrote for these facts.
std::optional<StepCalibration> from_text(const std::string& text, const Facts& facts) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  const auto live_before = document.find("live_before_bytes");
  const auto costs = document.find("costs");
  if (document.value("facts", nlohmann::json()) != nlohmann::json(facts)) return std::nullopt;
  if (live_before == document.end() || !is_pair_of_numbers(*live_before)) return std::nullopt;
  if (costs == document.end()) return std::nullopt;
  std::optional<plan::StepCosts> read = plan::step_costs_from_json(*costs);
  if (!read) return std::nullopt;
  return StepCalibration{.costs = *std::move(read),
                         .live_before_bytes = {.constant = live_before->at(0).get<double>(),
                                               .per_pixel = live_before->at(1).get<double>()}};
}

void warn(const CalibrationRequest& request, const std::string& message) {
  if (request.on_warning) request.on_warning(message);
}

std::optional<StepCalibration> read_stored(const fs::path& file, const Facts& facts,
                                           const CalibrationRequest& request) {
  std::error_code failure;
  if (!fs::exists(file, failure)) return std::nullopt;
  try {
    std::optional<StepCalibration> stored = from_text(base::read_file(file), facts);
    if (!stored)
      warn(request, fmt::format("the calibration {} is damaged; the network is measured anew",
                                base::display_path(file)));
    return stored;
  } catch (const base::Error& error) {
    warn(request, fmt::format("{}; the network is measured anew", error.what()));
    return std::nullopt;
  }
}

void store(const fs::path& file, const std::string& text, const CalibrationRequest& request) {
  try {
    std::error_code failure;
    fs::create_directories(file.parent_path(), failure);
    base::write_file_atomically(file, text);
  } catch (const base::Error& error) {
    warn(request, fmt::format("{}; the calibration counts for this time only", error.what()));
  }
}

}  // namespace

std::optional<StepCalibration> find_calibration(const CalibrationRequest& request) {
  const Facts facts = facts_of(request.settings);
  const std::optional<fs::path> file = file_of(facts);
  return file ? read_stored(*file, facts, request) : std::nullopt;
}

StepCalibration calibrate_step(const CalibrationRequest& request, std::stop_token stop) {
  const Facts facts = facts_of(request.settings);
  const std::optional<fs::path> file = file_of(facts);
  if (file && request.use == CalibrationUse::stored_or_new) {
    if (auto stored = read_stored(*file, facts, request)) return *std::move(stored);
  }
  train::Calibration measured =
      train::calibrate({.settings = request.settings, .on_progress = request.on_progress},
                       models::make_model, std::move(stop));
  if (constexpr double kTolerated = 0.005; measured.worst_bytes_error > kTolerated) {
    warn(request, fmt::format("predicted peaks of this network can be off by {:.1f} %",
                              100 * measured.worst_bytes_error));
  }
  StepCalibration calibration{.costs = std::move(measured.costs),
                              .live_before_bytes = measured.live_before_bytes,
                              .seconds = measured.seconds};
  if (file) store(*file, to_text(calibration, facts), request);
  return calibration;
}

}  // namespace headroom::app
