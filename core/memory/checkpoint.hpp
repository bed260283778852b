#pragma once
// Activation checkpointing without reordering a single operation. The autograd graph is the
// ordinary one; what it saves becomes a recipe: the tensor itself, "the output of a region, repeat
// it", or "what a region saved inside, repeat it". Results are bit-identical to keeping everything.
// Method: Chen et al. 2016, "Training Deep Nets with Sublinear Memory Cost", on LibTorch's
// saved-tensor hooks. Needs install_runtime(). Forward and backward may run on any thread; one
// model's forward runs on one thread.

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/memory/meter.hpp"

namespace headroom::memory {

using Tensors = std::vector<at::Tensor>;
/// Computes a region's output from its inputs. Called again in backward with equal inputs: it must
/// depend on nothing that changes in between but parameters, and must not change its inputs in
/// place. It owns its inputs and should drop each as soon as it is used. A body that draws from the
/// default generator of its inputs' device draws the same again.
using Body = std::function<at::Tensor(Tensors)>;

struct RegionOptions {
  int stage = kNoStage;      ///< whose bytes and milliseconds the region's are
  std::string stage_name{};  ///< for messages
  /// Where backward wants first the output and then what the body saved of its inputs, the inputs
  /// that are repeated for the one are held for the other: one repeat less of what they come from,
  /// for their bytes in between.
  bool holds_inputs = false;
};

/// Opened around a model's forward that has regions. Outside a scope, in no-grad mode and inside
/// another region, a region is just its body.
class ForwardScope {
 public:
  /// `copy`: where run_offloaded's tensors go; without one it runs its body like any other.
  explicit ForwardScope(std::shared_ptr<class DeviceCopy> copy = nullptr);
  ~ForwardScope();
  ForwardScope(const ForwardScope&) = delete;
  ForwardScope& operator=(const ForwardScope&) = delete;

 private:
  std::unique_ptr<class ScopeState> state_;
  class ScopeState* outer_;
};

/// Keeps the inputs only; backward repeats the body, up to the last tensor it needs. Throws
/// whatever the body throws; in backward base::Error (internal) naming the stage when an input was
/// changed in place since, or the repeat does not do what forward did.
[[nodiscard]] at::Tensor run_full(const Body& body, Tensors inputs, RegionOptions options);

/// The same, and the output itself is not kept either where later operations save it: they repeat
/// the body. For bodies that are cheap for their bytes: norm and activation, pooling, dropout.
[[nodiscard]] at::Tensor run_repeatable(const Body& body, Tensors inputs, RegionOptions options);

/// Runs the body once; what it saves, and the output where later operations save it, waits for
/// backward in host memory. Backward fetches each tensor while it works on the one that was saved
/// after it.
[[nodiscard]] at::Tensor run_offloaded(const Body& body, Tensors inputs, RegionOptions options);

/// Told the output of every stage while the scope is open: from the moment backward has its
/// gradient, what the stage before it wants first from host memory is on its way.
void mark_stage_end(const at::Tensor& stage_output);

/// True while a body runs again in backward: what must happen once a step (running statistics) must
/// not happen then.
[[nodiscard]] bool is_repeating();

}  // namespace headroom::memory
