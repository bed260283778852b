#include "core/memory/checkpoint.hpp"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <unordered_map>
#include <utility>

#include "core/memory/engine.hpp"
#include "core/memory/region.hpp"

namespace headroom::memory {

/// Outputs of repeatable regions of the forward that runs, found by storage when a later operation
/// saves them.
class ScopeState {
 public:
  /// The output counts as the region's until it is changed in place.
  void declare_output(const at::Tensor& output, const RegionPtr& region) {
    if (region->saved_nothing()) {
      owned_.push_back(region);  // nothing else owns it until its consumer saves the output
    }
    const TensorIdentity identity(output);
    outputs_.insert_or_assign(identity.storage(), Output{region, identity, output._version()});
  }

  /// The region whose output this is; nullptr where it is none's.
  [[nodiscard]] RegionPtr region_of(const at::Tensor& tensor) const {
    const auto found = outputs_.find(tensor.storage().unsafeGetStorageImpl());
    if (found == outputs_.end() || !found->second.identity.is(tensor) ||
        found->second.version != tensor._version()) {
      return nullptr;
    }
    return found->second.region.lock();
  }

 private:
  struct Output {
    std::weak_ptr<Region> region;
    TensorIdentity identity;
    std::int64_t version;
  };
  std::unordered_map<const void*, Output> outputs_;
  std::vector<RegionPtr> owned_;
};

namespace {

ScopeState*& active_scope() {
  thread_local ScopeState* scope = nullptr;
  return scope;
}

SavedValue recipe_of(const at::Tensor& tensor, const std::string& stage_name) {
  if (RegionPtr region = active_scope()->region_of(tensor)) {
    return RegionOutput{std::move(region)};
  }
  return keep(tensor, stage_name);
}

/// Stands for one saved tensor in the autograd graph.
class RecipeHooks final : public torch::autograd::SavedVariableHooks {
 public:
  void call_pack_hook(const at::Tensor& tensor) override {
    if (Region* region = engine_context().forward_region) {
      saved_ = region->save_inside(tensor);
      return;
    }
    saved_ = recipe_of(tensor, "outside regions");
    if (const auto* output = std::get_if<RegionOutput>(&saved_)) {
      output->region->add_consumer();
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

  static torch::autograd::Engine& instance() {
    // Never destroyed: its device threads outlive main.
    static auto* engine = new CheckpointEngine;
    return *engine;
  }
};

struct RegionResult {
  at::Tensor output;
  RegionPtr region;  ///< null where the body just ran
};

RegionResult run_region(const Body& body, Tensors inputs, RegionOptions options) {
  const EngineContext& context = engine_context();
  if (active_scope() == nullptr || context.forward_region != nullptr || context.repeating ||
      !at::GradMode::is_enabled()) {
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

ForwardScope::ForwardScope()
    : state_(std::make_unique<ScopeState>()), outer_(std::exchange(active_scope(), state_.get())) {}

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

bool is_repeating() { return engine_context().repeating; }

void install_engine() { torch::autograd::set_default_engine_stub(&CheckpointEngine::instance); }

}  // namespace headroom::memory
