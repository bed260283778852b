#include "core/train/model_setup.hpp"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/memory/device_copy.hpp"
#include "core/train/device.hpp"
#include "core/train/precision.hpp"

namespace headroom::train {
namespace {

void set_determinism(bool deterministic, c10::Device device) {
  // LibTorch's CPU operations are deterministic as they are; the switch would only make them
  // slower.
  auto& context = at::globalContext();
  context.setDeterministicAlgorithms(deterministic && !device.is_cpu(), /*warn_only=*/false);
  context.setDeterministicCuDNN(deterministic);
  // Benchmark mode may take another algorithm for a repeat than for forward, so that results would
  // depend on the plan.
  context.setBenchmarkCuDNN(false);
}

std::int64_t resolve_count(const char* flag, std::int64_t setting, std::int64_t found) {
  if (setting != 0 && setting != found) {
    throw base::Error(
        base::ErrorKind::usage,
        {"preparing the network", fmt::format("{} {}, but the data has {}", flag, setting, found),
         "Leave the flag out, or give data and mapping that agree with it"});
  }
  return found;
}

}  // namespace

void resolve_counts(base::ModelSettings& settings, std::int64_t classes, std::int64_t channels) {
  settings.classes = resolve_count("--classes", settings.classes, classes);
  settings.channels = resolve_count("--channels", settings.channels, channels);
}

Compute set_up_compute(const base::StepSettings& settings) {
  Compute compute;
  compute.device = resolve_device(settings.device);
  if (settings.threads > 0) {
    at::set_num_threads(static_cast<int>(settings.threads));
  }
  compute.precision = resolve_precision(settings.precision, compute.device);
  compute.memory_format = resolve_memory_format(settings.memory_format);
  set_determinism(settings.deterministic, compute.device);
  return compute;
}

void place_model(StagedModel& model, const Compute& compute) {
  model.to(compute.device);
  if (!compute.device.is_cpu()) {
    model.set_device_copy(memory::make_device_copy(compute.device));
  }
  for (at::Tensor& parameter : model.parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.data().contiguous(compute.memory_format));
    }
  }
}

std::vector<std::pair<std::string, at::Tensor>> named_parameters(const StagedModel& model) {
  std::vector<std::pair<std::string, at::Tensor>> named;
  for (const auto& parameter : model.named_parameters()) {
    named.emplace_back(parameter.key(), parameter.value());
  }
  return named;
}

plan::Plan plan_of_setting(const std::string& text, const std::vector<std::string>& stages) {
  return plan::parse_plan(text == "auto" ? "keep" : text, stages);
}

OptimizerOptions optimizer_options(const base::TrainSettings& settings) {
  return {.kind = settings.optimizer, .weight_decay = settings.weight_decay};
}

TrainStepOptions step_options(const base::Settings& settings, const Compute& compute) {
  return {.device = compute.device,
          .precision = compute.precision,
          .memory_format = compute.memory_format,
          .loss = settings.train.loss,
          .accumulate = settings.step.accumulate,
          .clip_norm = settings.train.clip_norm};
}

}  // namespace headroom::train
