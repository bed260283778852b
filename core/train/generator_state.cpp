#include "core/train/generator_state.hpp"

#include <ATen/Context.h>

#include <mutex>

namespace headroom::train {
namespace {

at::Tensor state_of(c10::Device device) {
  auto generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

void set_state(c10::Device device, const at::Tensor& state) {
  auto generator = at::globalContext().defaultGenerator(device);
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace

NamedTensors generator_states(c10::Device device) {
  NamedTensors states{{"cpu", state_of(c10::kCPU)}};
  if (!device.is_cpu()) {
    states["device"] = state_of(device);
  }
  return states;
}

void set_generator_states(c10::Device device, const NamedTensors& states) {
  set_state(c10::kCPU, states.at("cpu"));
  if (!device.is_cpu()) {
    set_state(device, states.at("device"));
  }
}

}  // namespace headroom::train
