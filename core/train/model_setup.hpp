#pragma once
// How settings become a network on a device: used alike by training, bench and verify, so that all
// of them run the same step. Worker thread.

#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/settings.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/staged_model.hpp"
#include "core/train/train_step.hpp"

namespace headroom::train {

/// Where and in which numbers a run computes, resolved from the settings.
struct Compute {
  c10::Device device{c10::kCPU};
  base::Precision precision = base::Precision::fp32;
  c10::MemoryFormat memory_format = c10::MemoryFormat::ChannelsLast;
};

/// Classes and channels of 0 become what the data has. Throws base::Error (usage) where others were
/// given.
void resolve_counts(base::ModelSettings& settings, std::int64_t classes, std::int64_t channels);

/// Resolves device, precision and memory format and sets the process's threads and determinism
/// accordingly. Throws base::Error (usage).
[[nodiscard]] Compute set_up_compute(const base::StepSettings& settings);

/// Moves the network to the device and its 4-dimensional weights to the format.
void place_model(StagedModel& model, const Compute& compute);

[[nodiscard]] std::vector<std::pair<std::string, at::Tensor>> named_parameters(
    const StagedModel& model);

/// The plan that a setting names; "auto", where nothing was chosen for it, is keep.
[[nodiscard]] plan::Plan plan_of_setting(const std::string& text,
                                         const std::vector<std::string>& stages);

[[nodiscard]] OptimizerOptions optimizer_options(const base::TrainSettings& settings);
[[nodiscard]] TrainStepOptions step_options(const base::Settings& settings, const Compute& compute);

}  // namespace headroom::train
