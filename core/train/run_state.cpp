#include "core/train/run_state.hpp"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"
#include "core/train/generator_state.hpp"
#include "core/train/safetensors.hpp"

namespace headroom::train {
namespace {

constexpr const char* kVersionKey = "headroom_state_version";

std::filesystem::path state_folder(const std::filesystem::path& run_folder) {
  return run_folder / "state_last";
}
std::filesystem::path state_file(const std::filesystem::path& run_folder) {
  return state_folder(run_folder) / "state.safetensors";
}

/// Every tensor that training changes, by its name in the file; not copies.
NamedTensors live_tensors(const StagedModel& model, const Optimizer& optimizer) {
  NamedTensors tensors;
  for (const auto& parameter : model.named_parameters()) {
    tensors["parameter." + parameter.key()] = parameter.value();
  }
  for (const auto& buffer : model.named_buffers()) {
    tensors["buffer." + buffer.key()] = buffer.value();
  }
  for (const auto& [name, tensor] : optimizer.state()) {
    tensors["optimizer." + name] = tensor;
  }
  return tensors;
}

constexpr std::string_view kGeneratorPrefix = "generator.";

TextMap metadata_of(const RunProgress& progress) {
  return {{kVersionKey, std::to_string(kRunStateVersion)},
          {"step", std::to_string(progress.step)},
          {"micro_batch", std::to_string(progress.micro_batch)},
          {"best_mean_dice", base::format_real(progress.best_mean_dice)},
          {"peak_rate", base::format_real(progress.peak_rate)},
          {"plan", progress.plan},
          {"plan_setting", progress.plan_setting},
          {"tiles_at_once", std::to_string(progress.tiles_at_once)},
          {"fingerprint", progress.fingerprint},
          {"last_validated_step", std::to_string(progress.last_validated_step)}};
}

base::Error unusable(const std::filesystem::path& file, const std::string& what,
                     const std::string& remedy) {
  return {base::ErrorKind::usage,
          {"continuing the run", base::display_path(file) + ": " + what, remedy}};
}

/// Texts of one state file, with its name for messages.
struct Metadata {
  const std::filesystem::path& file;
  const TextMap& texts;

  [[nodiscard]] const std::string& text(const std::string& key) const {
    const auto found = texts.find(key);
    if (found == texts.end()) {
      throw unusable(file, "it has no \"" + key + "\"", "The file is damaged: start a new run");
    }
    return found->second;
  }
  template <typename Number>
  [[nodiscard]] Number number(const std::string& key,
                              std::optional<Number> (*parse)(std::string_view)) const {
    const auto value = parse(text(key));
    if (!value) {
      throw unusable(file, "its \"" + key + "\" is no number",
                     "The file is damaged: start a new run");
    }
    return *value;
  }
};

RunProgress progress_of(const Metadata& metadata) {
  if (metadata.number(kVersionKey, &base::parse_integer) > kRunStateVersion) {
    throw unusable(metadata.file, "it was written by a newer version of Headroom",
                   "Continue the run with that version");
  }
  RunProgress progress;
  progress.step = metadata.number("step", &base::parse_integer);
  progress.micro_batch = metadata.number("micro_batch", &base::parse_integer);
  progress.best_mean_dice = metadata.number("best_mean_dice", &base::parse_real);
  progress.peak_rate = metadata.number("peak_rate", &base::parse_real);
  progress.plan = metadata.text("plan");
  progress.plan_setting = metadata.text("plan_setting");
  // Version 1 has none.
  if (metadata.texts.contains("tiles_at_once")) {
    progress.tiles_at_once = metadata.number("tiles_at_once", &base::parse_integer);
  }
  progress.fingerprint = metadata.text("fingerprint");
  progress.last_validated_step = metadata.number("last_validated_step", &base::parse_integer);
  return progress;
}

/// Every live tensor must have its equal in the file, and the file nothing else.
void check_fits(const std::filesystem::path& file, const NamedTensors& live,
                const NamedTensors& stored) {
  const std::string remedy = "Continue with the settings that the run was started with";
  for (const auto& [name, tensor] : live) {
    const auto found = stored.find(name);
    if (found == stored.end()) {
      throw unusable(file, "it has no tensor " + name, remedy);
    }
    if (found->second.sizes() != tensor.sizes() ||
        found->second.scalar_type() != tensor.scalar_type()) {
      throw unusable(file,
                     c10::str(name, " is ", found->second.sizes(), " ", found->second.scalar_type(),
                              ", the run's is ", tensor.sizes(), " ", tensor.scalar_type()),
                     remedy);
    }
  }
  for (const auto& [name, tensor] : stored) {
    if (!name.starts_with(kGeneratorPrefix) && !live.contains(name)) {
      throw unusable(file, "the run has no tensor " + name, remedy);
    }
  }
}

NamedTensors stored_generators(const std::filesystem::path& file, const NamedTensors& stored,
                               c10::Device device) {
  NamedTensors states;
  for (const auto& [name, current] : generator_states(device)) {
    const auto found = stored.find(std::string(kGeneratorPrefix) + name);
    if (found == stored.end() || found->second.sizes() != current.sizes() ||
        found->second.scalar_type() != current.scalar_type()) {
      throw unusable(file, "it has no state of the random generator \"" + name + "\"",
                     "Continue on the kind of device that the run was started on");
    }
    states[name] = found->second;
  }
  return states;
}

}  // namespace

std::int64_t save_run_state(const std::filesystem::path& run_folder, const RunProgress& progress,
                            const StagedModel& model, const Optimizer& optimizer,
                            c10::Device device) {
  NamedTensors tensors = live_tensors(model, optimizer);
  for (const auto& [name, state] : generator_states(device)) {
    tensors[std::string(kGeneratorPrefix) + name] = state;
  }
  std::error_code problem;
  std::filesystem::create_directories(state_folder(run_folder), problem);
  if (problem) {
    throw base::io_error("saving the run's state", state_folder(run_folder), problem.value());
  }
  return write_safetensors(state_file(run_folder), tensors, metadata_of(progress));
}

RunProgress load_run_state(const std::filesystem::path& run_folder, StagedModel& model,
                           Optimizer& optimizer, c10::Device device) {
  const std::filesystem::path file = state_file(run_folder);
  if (!std::filesystem::exists(file)) {
    throw unusable(file, "it is not there", "The run has saved nothing yet: start a new one");
  }
  const SafetensorsContents contents = read_safetensors(file);
  RunProgress progress = progress_of({file, contents.metadata});
  NamedTensors live = live_tensors(model, optimizer);
  check_fits(file, live, contents.tensors);
  const NamedTensors generators = stored_generators(file, contents.tensors, device);
  const at::NoGradGuard no_graph;
  for (auto& [name, tensor] : live) {
    tensor.copy_(contents.tensors.at(name));
  }
  set_generator_states(device, generators);
  return progress;
}

}  // namespace headroom::train
