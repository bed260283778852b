#include "headroom/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/error.hpp"
#include "core/memory/checkpoint.hpp"
#include "core/memory/device_copy.hpp"
#include "core/memory/meter.hpp"
#include "core/memory/runtime.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/plan/plan.hpp"
#include "headroom/unmoved_buffers.hpp"

namespace headroom {
namespace {

using LayerIterator = Layers::const_iterator;

bool is_cheap(const torch::nn::Module& module) {
  return std::ranges::all_of(module.parameters(),
                             [](const at::Tensor& parameter) { return parameter.dim() <= 1; });
}

Tensors one(at::Tensor tensor) {
  Tensors tensors;
  tensors.push_back(std::move(tensor));
  return tensors;
}

at::Tensor run_chain(const Layers& layers, Tensors inputs) {
  for (const Layer& layer : layers) {
    inputs = one(layer.body(std::move(inputs)));
  }
  return std::move(inputs.front());
}

/// The layers from `begin` to `end` as one body.
memory::Body chain(LayerIterator begin, LayerIterator end) {
  return [layers = Layers(begin, end)](Tensors inputs) {
    return run_chain(layers, std::move(inputs));
  };
}

/// Neighbours that are cheap are repeated together.
at::Tensor run_light(const Layers& layers, Tensors inputs, const memory::RegionOptions& region) {
  const auto is_high = [](const Layer& layer) { return layer.cost == Cost::high; };
  for (auto next = layers.begin(); next != layers.end();) {
    const auto costly = std::find_if(next, layers.end(), is_high);
    if (costly != next) {
      inputs = one(memory::run_repeatable(chain(next, costly), std::move(inputs), region));
      next = costly;
    } else {
      inputs = one(next->body(std::move(inputs)));
      ++next;
    }
  }
  return std::move(inputs.front());
}

/// The border lies behind the last layer that costs work: its input is saved before it computes, so
/// it is never repeated. What follows is cheap and a region of its own.
at::Tensor run_full(const Layers& layers, Tensors inputs, const memory::RegionOptions& region) {
  const auto border = std::find_if(layers.rbegin(), layers.rend(), [](const Layer& layer) {
                        return layer.cost == Cost::high;
                      }).base();
  if (border != layers.begin()) {
    inputs = one(memory::run_full(chain(layers.begin(), border), std::move(inputs), region));
  }
  if (border != layers.end()) {
    inputs = one(memory::run_repeatable(chain(border, layers.end()), std::move(inputs), region));
  }
  return std::move(inputs.front());
}

at::Tensor run_as(plan::Policy policy, const Layers& layers, Tensors inputs,
                  const memory::RegionOptions& region) {
  switch (policy) {
    case plan::Policy::light:
      return run_light(layers, std::move(inputs), region);
    case plan::Policy::full:
      return run_full(layers, std::move(inputs), region);
    case plan::Policy::offload:
      return memory::run_offloaded(chain(layers.begin(), layers.end()), std::move(inputs), region);
    case plan::Policy::keep:
      break;
  }
  return run_chain(layers, std::move(inputs));
}

[[noreturn]] void throw_usage(const std::string& attempted, const std::string& subject,
                              const std::string& remedy) {
  throw base::Error(base::ErrorKind::usage, {attempted, subject, remedy});
}

void check_names(const std::vector<std::string>& names) {
  if (names.empty() || names.size() >= memory::kMaxStages) {
    throw_usage("naming stages", fmt::format("{} of them", names.size()),
                fmt::format("give 1 to {}", memory::kMaxStages - 1));
  }
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of("=, ") != std::string::npos ||
        std::ranges::count(names, name) != 1) {
      throw_usage("naming stages", fmt::format("'{}'", name),
                  "give names that differ, without '=', ',' and spaces");
    }
  }
}

}  // namespace

void install() { memory::install_runtime(); }

void set_budget(c10::Device device, std::int64_t bytes) {
  memory::meter_of(device).set_budget(bytes);
}

bool is_out_of_memory(const std::exception& error) { return memory::is_out_of_memory(error); }

bool is_repeating() { return memory::is_repeating(); }

Layer layer_of(torch::nn::AnyModule module) {
  const Cost cost = is_cheap(*module.ptr()) ? Cost::low : Cost::high;
  return {[module = std::move(module)](Tensors inputs) mutable {
            const UnmovedBuffers unmoved(*module.ptr(), is_repeating());
            return module.forward(std::move(inputs.at(0)));
          },
          cost};
}

Layers layers_of(const torch::nn::SequentialImpl& modules) {
  Layers layers;
  for (const torch::nn::AnyModule& module : modules) {
    layers.push_back(layer_of(module));
  }
  return layers;
}

struct Stages::State {
  std::vector<std::string> names;
  c10::Device device;
  plan::Plan plan;
  std::shared_ptr<memory::DeviceCopy> copy;  ///< null on the CPU
  memory::StepRecorder recorder;

  [[nodiscard]] std::size_t index_of(const std::string& stage) const {
    const auto found = std::ranges::find(names, stage);
    if (found == names.end()) {
      throw_usage("running a stage", fmt::format("'{}'", stage),
                  fmt::format("the stages are {}", fmt::join(names, ", ")));
    }
    return static_cast<std::size_t>(found - names.begin());
  }
};

Stages::Stages(std::vector<std::string> names, c10::Device device) {
  check_names(names);
  const std::size_t count = names.size();
  state_.reset(new State{.names = std::move(names),
                         .device = device,
                         .plan = plan::Plan(count, plan::Policy::keep),
                         .copy = device.is_cpu() ? nullptr : memory::make_device_copy(device),
                         .recorder = {device, static_cast<std::int64_t>(count)}});
}

Stages::~Stages() = default;

void Stages::set_plan(const std::string& plan) {
  plan::Plan parsed = plan::parse_plan(plan, state_->names);
  if (!state_->copy && std::ranges::count(parsed, plan::Policy::offload) > 0) {
    throw_usage("setting the plan", fmt::format("offload on device {}", state_->device.str()),
                "use keep, light or full: the CPU's tensors lie in host memory already");
  }
  state_->plan = std::move(parsed);
}

std::string Stages::plan() const { return plan::to_string(state_->plan, state_->names); }

at::Tensor Stages::run(const std::string& stage, const Layers& layers, Tensors inputs) {
  const std::size_t index = state_->index_of(stage);
  if (layers.empty() || inputs.empty()) {
    throw_usage("running a stage", fmt::format("'{}' without layers or inputs", stage),
                "give at least one of each");
  }
  const int number = static_cast<int>(index);
  const memory::StageScope scope(number);
  at::Tensor output = run_as(state_->plan[index], layers, std::move(inputs),
                             {.stage = number, .stage_name = stage});
  memory::mark_backward(output, number, nullptr);
  memory::mark_stage_end(output);
  return output;
}

at::Tensor Stages::run(const std::string& stage, const torch::nn::Sequential& modules,
                       at::Tensor input) {
  return run(stage, layers_of(*modules), one(std::move(input)));
}

void Stages::begin_step() { state_->recorder.begin_step(); }

StepReading Stages::end_step() {
  const memory::StepMeasurement measured = state_->recorder.end_step();
  StepReading reading{.seconds = measured.total_seconds,
                      .live_before_bytes = measured.live_before_bytes,
                      .peak_bytes = measured.peak_bytes,
                      .reserved_bytes = measured.reserved_bytes};
  for (std::size_t s = 0; s < state_->names.size(); ++s) {
    const memory::StageMeasurement& stage = measured.stages[s];
    reading.stages.push_back({.name = state_->names[s],
                              .kept_bytes = stage.kept_bytes,
                              .bytes_at_peak = stage.bytes_at_peak,
                              .repeated_regions = stage.recomputed_regions,
                              .forward_seconds = stage.forward_seconds,
                              .backward_seconds = stage.backward_seconds,
                              .repeat_seconds = stage.recompute_seconds});
    if (measured.peak_stage == static_cast<int>(s)) {
      reading.stage_at_peak = state_->names[s];
    }
  }
  return reading;
}

ForwardPass::ForwardPass(const Stages& stages) {
  if (!plan::is_all_keep(stages.state_->plan)) {
    scope_ = std::make_unique<memory::ForwardScope>(stages.state_->copy);
  }
}

ForwardPass::~ForwardPass() = default;

}  // namespace headroom
