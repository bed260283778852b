#pragma once
// The states of the default random generators that a step on a device may move. Worker thread.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "core/train/staged_model.hpp"

namespace headroom::train {

/// "cpu" and, for a GPU, "device".
[[nodiscard]] NamedTensors generator_states(c10::Device device);
/// The inverse; `states` as generator_states gave them for the same device.
void set_generator_states(c10::Device device, const NamedTensors& states);

}  // namespace headroom::train
