#include "core/memory/checkpoint.hpp"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "core/memory/engine.hpp"
#include "core/memory/offload.hpp"
#include "core/memory/region.hpp"

namespace headroom::memory {

/// Outputs of repeatable regions and offloaded runs of the forward that runs, found by storage when
/// a later operation saves them.
class ScopeState {
 public:
  explicit ScopeState(std::shared_ptr<DeviceCopy> copy) : copy_(std::move(copy)) {}

  [[nodiscard]] const std::shared_ptr<DeviceCopy>& device_copy() const { return copy_; }

  /// The output counts as the region's until it is changed in place.
  void declare_output(const at::Tensor& output, const RegionPtr& region) {
    if (region->saved_nothing()) {
      owned_.push_back(region);  // nothing else owns it until its consumer saves the output
    }
    declare(output, {.region = region});
  }

  void declare_output(const at::Tensor& output, std::shared_ptr<OffloadedRun> run) {
    declare(output, {.run = run});
    latest_run_ = std::move(run);
  }

  /// The recipe of a region's or offloaded run's output; nothing where the tensor is neither's.
  [[nodiscard]] std::optional<SavedValue> recipe_of_output(const at::Tensor& tensor) const {
    const auto found = outputs_.find(tensor.storage().unsafeGetStorageImpl());
    if (found == outputs_.end() || !found->second.identity.is(tensor) ||
        found->second.version != tensor._version()) {
      return std::nullopt;
    }
    if (const auto& run = found->second.source.run) {
      return InHostMemory{run->save(tensor)};
    }
    if (RegionPtr region = found->second.source.region.lock()) {
      return RegionOutput{std::move(region)};
    }
    return std::nullopt;
  }

  /// The offloaded run of the stage before the one that ends here; null where it was none.
  [[nodiscard]] std::shared_ptr<OffloadedRun> end_stage() {
    return std::exchange(run_before_, std::exchange(latest_run_, nullptr));
  }

 private:
  struct Source {
    std::weak_ptr<Region> region{};
    std::shared_ptr<OffloadedRun> run{};
  };
  struct Output {
    Source source;
    TensorIdentity identity;
    std::int64_t version;
  };

  void declare(const at::Tensor& output, Source source) {
    const TensorIdentity identity(output);
    outputs_.insert_or_assign(identity.storage(),
                              Output{std::move(source), identity, output._version()});
  }

  std::shared_ptr<DeviceCopy> copy_;
  std::unordered_map<const void*, Output> outputs_;
  std::vector<RegionPtr> owned_;
  std::shared_ptr<OffloadedRun> latest_run_, run_before_;
};

namespace {

ScopeState*& active_scope() {
  thread_local ScopeState* scope = nullptr;
  return scope;
}

SavedValue recipe_of(const at::Tensor& tensor, const std::string& stage_name) {
  std::optional<SavedValue> output = active_scope()->recipe_of_output(tensor);
  return output ? *std::move(output) : keep(tensor, stage_name);
}

/// Stands for one saved tensor in the autograd graph.
class RecipeHooks final : public torch::autograd::SavedVariableHooks {
 public:
  void call_pack_hook(const at::Tensor& tensor) override {
    if (Region* region = engine_context().forward_region) {
      saved_ = region->save_inside(tensor);
      return;
    }
    OffloadedRun* run = engine_context().offloaded_run;
    std::optional<SavedValue> output = active_scope()->recipe_of_output(tensor);
    if (!output && run != nullptr && !is_kept_by_kind(tensor)) {
      InHostMemory saved{run->save(tensor), /*saved_by_its_run=*/true};
      saved.tensor->add_consumer();
      saved_ = std::move(saved);
      return;
    }
    saved_ = output ? *std::move(output) : keep(tensor, "outside regions");
    if (const auto* of_region = std::get_if<RegionOutput>(&saved_)) {
      of_region->region->add_consumer();
    }
  }
  at::Tensor call_unpack_hook() override { return value_of(saved_, Use::backward); }

 private:
  SavedValue saved_;
};

/// Collects what a repeat saves, and ends it with the last tensor.
class CollectHooks final : public torch::autograd::SavedVariableHooks {
 public:
  explicit CollectHooks(Collector& collector) : collector_(collector) {}

  void call_pack_hook(const at::Tensor& tensor) override {
    for (const TensorIdentity& input : collector_.input_ids) {
      if (input.is(tensor)) {
        return;
      }
    }
    if (is_kept_by_kind(tensor)) {
      return;
    }
    collector_.saved.push_back(tensor.detach());
    if (collector_.saved.size() == collector_.stop_after) {
      throw RepeatIsComplete{};
    }
  }
  at::Tensor call_unpack_hook() override { return {}; }  // a repeat's own graph has no backward

 private:
  Collector& collector_;
};

/// Counts a call for as long as it runs.
class CountedIn {
 public:
  explicit CountedIn(int& count) : count_(count) { ++count_; }
  ~CountedIn() { --count_; }
  CountedIn(const CountedIn&) = delete;
  CountedIn& operator=(const CountedIn&) = delete;

 private:
  int& count_;
};

class CheckpointEngine final : public torch::autograd::Engine {
 public:
  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    const EngineContext& context = engine_context();
    if (context.collector != nullptr) {
      return std::make_unique<CollectHooks>(*context.collector);
    }
    if (active_scope() == nullptr || context.hooks_off) {
      return nullptr;
    }
    return std::make_unique<RecipeHooks>();
  }

  torch::autograd::variable_list execute(const torch::autograd::edge_list& roots,
                                         const torch::autograd::variable_list& inputs,
                                         bool keep_graph, bool create_graph, bool accumulate_grad,
                                         const torch::autograd::edge_list& outputs) override {
    thread_local int depth = 0;
    const CountedIn inside(depth);
    try {
      return Engine::execute(roots, inputs, keep_graph, create_graph, accumulate_grad, outputs);
    } catch (...) {
      // Operations that were ready when one failed stay in the thread's queue, and with them the
      // whole graph and all that it saved; the next backward does not take them out either.
      if (depth == 1) {
        init_local_ready_queue(std::make_shared<torch::autograd::ReadyQueue>());
      }
      throw;
    }
  }

  static torch::autograd::Engine& instance() {
    // Never destroyed: its device threads outlive main.
    static auto* engine = new CheckpointEngine;
    return *engine;
  }
};

/// False where a body just runs: what it saves is nobody's recipe.
bool makes_recipes() {
  const EngineContext& context = engine_context();
  return active_scope() != nullptr && context.forward_region == nullptr &&
         context.offloaded_run == nullptr && !context.repeating && at::GradMode::is_enabled();
}

struct RegionResult {
  at::Tensor output;
  RegionPtr region;  ///< null where the body just ran
};

RegionResult run_region(const Body& body, Tensors inputs, RegionOptions options) {
  if (!makes_recipes()) {
    return {body(std::move(inputs)), nullptr};
  }
  std::vector<SavedValue> recipes;
  for (const at::Tensor& input : inputs) {
    recipes.push_back(recipe_of(input, options.stage_name));
  }
  auto region = std::make_shared<Region>(body, inputs, std::move(recipes), std::move(options));
  const ContextScope scope({.forward_region = region.get()});
  at::Tensor output = body(std::move(inputs));  // moved: an input held here is memory at the peak
  region->forward_is_done();
  return {std::move(output), std::move(region)};
}

}  // namespace

ForwardScope::ForwardScope(std::shared_ptr<DeviceCopy> copy)
    : state_(std::make_unique<ScopeState>(std::move(copy))),
      outer_(std::exchange(active_scope(), state_.get())) {}

ForwardScope::~ForwardScope() { active_scope() = outer_; }

at::Tensor run_full(const Body& body, Tensors inputs, RegionOptions options) {
  return run_region(body, std::move(inputs), std::move(options)).output;
}

at::Tensor run_repeatable(const Body& body, Tensors inputs, RegionOptions options) {
  RegionResult result = run_region(body, std::move(inputs), std::move(options));
  if (result.region) {
    active_scope()->declare_output(result.output, result.region);
  }
  return std::move(result.output);
}

at::Tensor run_offloaded(const Body& body, Tensors inputs, RegionOptions options) {
  ScopeState* scope = active_scope();
  if (!makes_recipes() || !scope->device_copy()) {
    return body(std::move(inputs));
  }
  auto run = std::make_shared<OffloadedRun>(scope->device_copy(), std::move(options));
  const ContextScope context({.offloaded_run = run.get()});
  at::Tensor output = body(std::move(inputs));
  scope->declare_output(output, std::move(run));
  return output;
}

void mark_stage_end(const at::Tensor& stage_output) {
  if (active_scope() == nullptr) {
    return;
  }
  const std::shared_ptr<OffloadedRun> before = active_scope()->end_stage();
  if (before && stage_output.requires_grad()) {
    stage_output.register_hook([before](const at::Tensor&) { before->begin_fetch(); });
  }
}

bool is_repeating() { return engine_context().repeating; }

void install_engine() { torch::autograd::set_default_engine_stub(&CheckpointEngine::instance); }

}  // namespace headroom::memory
