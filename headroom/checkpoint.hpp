#pragma once
// Activation checkpointing for any LibTorch network: what backward needs of a stage is kept, or
// repeated, or fetched from host memory, as its policy says. Loss, gradients, buffers and random
// numbers are bit-identical whatever the plan. docs/checkpoint_library.md shows how it is used.
//
//   keep      what autograd saves
//   light     the results of layers that cost work; the cheap ones between them are repeated
//   full      the stage's inputs; the stage is repeated up to its last layer that costs work
//   offload   nothing on the device; it waits in pinned host memory (CUDA only)
//
// Only activations of at least four dimensions, [n, c, h, w] or more, are repeated or fetched.
// Forward and backward of one network run on one thread, which also owns its Stages. Errors are
// std::exceptions whose text names stage, cause and remedy.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <torch/nn/modules/container/any.h>
#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

namespace memory {
class ForwardScope;
}

/// Makes the checkpointing autograd engine and the metering CPU allocator LibTorch's own. Once,
/// first thing in main: before any tensor exists and before anything asks LibTorch about CUDA
/// (seeding is such a question). A second call does nothing.
void install();

/// Tensor bytes that may be live on the device at once; an allocation beyond them throws LibTorch's
/// out-of-memory error. 0: no limit.
void set_budget(c10::Device device, std::int64_t bytes);
/// True for that error, whatever library reports it.
[[nodiscard]] bool is_out_of_memory(const std::exception& error);
/// True while a layer runs again in backward: what must happen once a step (running statistics)
/// must not happen then.
[[nodiscard]] bool is_repeating();

using Tensors = std::vector<at::Tensor>;

/// What repeating a layer costs for the bytes that it gives back.
enum class Cost {
  low,   ///< norm, activation, pooling, upsampling, dropout
  high,  ///< convolution, linear
};

/// One link in the chain of operations that a stage is.
struct Layer {
  /// Owns its inputs, must not change them in place, and must depend on nothing else that changes
  /// before backward but parameters.
  std::function<at::Tensor(Tensors)> body{};
  Cost cost = Cost::high;
};
using Layers = std::vector<Layer>;

/// A module that takes and gives one tensor: cheap where no parameter of it has more than one
/// dimension. Its buffers stay as they are when it is repeated, so running statistics move once.
[[nodiscard]] Layer layer_of(torch::nn::AnyModule module);
/// Its modules one by one; they stay shared with it.
[[nodiscard]] Layers layers_of(const torch::nn::SequentialImpl& modules);

struct StageReading {
  std::string name{};
  std::int64_t kept_bytes = 0;        ///< live growth over its forward, its output included
  std::int64_t bytes_at_peak = 0;     ///< allocated by it and live at the step's peak; CPU only
  std::int64_t repeated_regions = 0;  ///< pieces of it that backward repeated or fetched
  double forward_seconds = 0;
  double backward_seconds = 0;  ///< without what it repeated
  double repeat_seconds = 0;
};

/// What one step took. Bytes are those of tensors.
struct StepReading {
  double seconds = 0;
  std::int64_t live_before_bytes = 0;  ///< weights, optimizer state
  std::int64_t peak_bytes = 0;         ///< highest live bytes above live_before_bytes
  std::int64_t reserved_bytes = 0;     ///< highest that was taken from the system
  std::string stage_at_peak{};         ///< empty: outside every stage, or not known
  std::vector<StageReading> stages{};  ///< as named
};

/// The stages of one network: what each keeps for backward, and what it takes.
class Stages {
 public:
  /// In the order in which forward runs them; names without '=' and ','. All of them keep.
  explicit Stages(std::vector<std::string> names, c10::Device device = c10::kCPU);
  ~Stages();
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;

  /// "keep", "light", "full" or "offload" for all of them, or "a=full,b=light" (the rest keep).
  /// From the next forward on.
  void set_plan(const std::string& plan);
  [[nodiscard]] std::string plan() const;

  /// Runs a stage inside a ForwardPass; outside one, and where no gradients are wanted, its layers
  /// just run. The first layer gets the inputs, every other one the result of the one before it.
  /// Move the inputs in: a tensor that the caller holds is memory at the peak.
  [[nodiscard]] at::Tensor run(const std::string& stage, const Layers& layers, Tensors inputs);
  [[nodiscard]] at::Tensor run(const std::string& stage, const torch::nn::Sequential& modules,
                               at::Tensor input);

  /// Everything from here to end_step() is measured as one step: forward, loss, backward, update. A
  /// step that failed needs no end.
  void begin_step();
  [[nodiscard]] StepReading end_step();

 private:
  friend class ForwardPass;
  struct State;
  std::unique_ptr<State> state_;
};

/// Open around a network's forward; backward may come after it.
class ForwardPass {
 public:
  explicit ForwardPass(const Stages& stages);
  ~ForwardPass();
  ForwardPass(const ForwardPass&) = delete;
  ForwardPass& operator=(const ForwardPass&) = delete;

 private:
  std::unique_ptr<memory::ForwardScope> scope_;  ///< null where every stage keeps
};

}  // namespace headroom
