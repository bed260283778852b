#include "core/memory/region.hpp"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/equal.h>

#include <fmt/format.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/memory/offload.hpp"

namespace headroom::memory {
namespace {

/// Autocast for a repeat. Its cache of cast weights stays off, so that it cannot grow in backward.
class AutocastScope {
 public:
  explicit AutocastScope(const AutocastState& wanted)
      : outer_(autocast_state(wanted.device_type)),
        outer_cache_(at::autocast::is_autocast_cache_enabled()) {
    set(wanted);
    at::autocast::set_autocast_cache_enabled(false);
  }
  ~AutocastScope() {
    set(outer_);
    at::autocast::set_autocast_cache_enabled(outer_cache_);
  }
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  static void set(const AutocastState& state) {
    if (!at::autocast::is_autocast_available(state.device_type)) return;
    at::autocast::set_autocast_enabled(state.device_type, state.enabled);
    at::autocast::set_autocast_dtype(state.device_type, state.dtype);
  }
  AutocastState outer_;
  bool outer_cache_;
};

at::Tensor state_of(at::Generator& generator) {
  const std::lock_guard lock(generator.mutex());
  return generator.get_state();
}

/// Puts a generator back to the state it had in forward, and afterwards to where it was.
class GeneratorScope {
 public:
  GeneratorScope(std::optional<at::Generator> generator, const at::Tensor& state)
      : generator_(std::move(generator)) {
    if (generator_) {
      outer_ = state_of(*generator_);
      const std::lock_guard lock(generator_->mutex());
      generator_->set_state(state);
    }
  }
  ~GeneratorScope() {
    if (generator_) {
      const std::lock_guard lock(generator_->mutex());
      generator_->set_state(outer_);
    }
  }
  GeneratorScope(const GeneratorScope&) = delete;
  GeneratorScope& operator=(const GeneratorScope&) = delete;

 private:
  std::optional<at::Generator> generator_;
  at::Tensor outer_;
};

}  // namespace

void throw_broken(const std::string& stage, const std::string& what) {
  throw base::Error(base::ErrorKind::internal,
                    {.attempted = "repeating a stage in backward",
                     .subject = fmt::format("stage {}: {}", stage, what),
                     .remedy = "train with plan keep and report this network"});
}

AutocastState autocast_state(c10::DeviceType device_type) {
  if (!at::autocast::is_autocast_available(device_type)) return {device_type, false, at::kFloat};
  return {device_type, at::autocast::is_autocast_enabled(device_type),
          at::autocast::get_autocast_dtype(device_type)};
}

EngineContext& engine_context() {
  thread_local EngineContext context;
  return context;
}

ContextScope::ContextScope(EngineContext context)
    : outer_(std::exchange(engine_context(), context)) {}
ContextScope::~ContextScope() { engine_context() = outer_; }

bool is_kept_by_kind(const at::Tensor& tensor) {
  const bool is_parameter = tensor.is_leaf() && tensor.requires_grad();
  return is_parameter || tensor.dim() < 4;
}

KeptTensor keep(const at::Tensor& tensor, const std::string& stage_name) {
  return {tensor.detach(), tensor._version(), stage_name};
}

at::Tensor value_of(const SavedValue& saved, Use use) {
  if (const auto* kept = std::get_if<KeptTensor>(&saved)) {
    if (kept->tensor._version() != kept->version) {
      throw_broken(kept->stage_name, "a tensor that backward needs was changed in place");
    }
    return kept->tensor;
  }
  if (const auto* output = std::get_if<RegionOutput>(&saved)) {
    return output->region->output(use);
  }
  if (const auto* offloaded = std::get_if<InHostMemory>(&saved)) {
    return offloaded->saved_by_its_run && use == Use::backward ? offloaded->tensor->take()
                                                               : offloaded->tensor->look();
  }
  const auto& inside = std::get<RegionInternal>(saved);
  return inside.region->internal(inside.index);
}

TensorIdentity::TensorIdentity(const at::Tensor& tensor)
    : storage_(tensor.storage().unsafeGetStorageImpl()),
      weak_(tensor.storage().getWeakStorageImpl()),
      offset_(tensor.storage_offset()),
      sizes_(tensor.sizes()),
      strides_(tensor.strides()) {}

bool TensorIdentity::is(const at::Tensor& tensor) const {
  return storage_ == tensor.storage().unsafeGetStorageImpl() &&
         offset_ == tensor.storage_offset() && tensor.sizes() == sizes_ &&
         tensor.strides() == strides_;
}

Region::Region(Body body, const Tensors& inputs, std::vector<SavedValue> saved_inputs,
               RegionOptions options)
    : body_(std::move(body)),
      options_(std::move(options)),
      inputs_(std::move(saved_inputs)),
      autocast_(autocast_state(inputs.at(0).device().type())),
      recorder_(active_recorder()) {
  for (const at::Tensor& input : inputs) {
    input_ids_.emplace_back(input);
    input_needs_grad_.push_back(input.requires_grad());
    input_was_saved_.push_back(false);
  }
  const c10::Device device = inputs.at(0).device();
  if (!device.is_meta()) {  // nothing is drawn where there are no values
    generator_ = at::globalContext().defaultGenerator(device);
    generator_state_ = state_of(*generator_);
  }
}

SavedValue Region::save_inside(const at::Tensor& tensor) {
  for (std::size_t i = 0; i < input_ids_.size(); ++i) {
    if (input_ids_[i].is(tensor)) {
      input_was_saved_[i] = true;
      if (const auto* output = std::get_if<RegionOutput>(&inputs_[i])) {
        output->region->add_consumer();
      }
      return inputs_[i];
    }
  }
  if (is_kept_by_kind(tensor)) {
    return keep(tensor, options_.stage_name);
  }
  return RegionInternal{shared_from_this(), internals_++};
}

void Region::forward_is_done() {
  if (generator_ && at::equal(generator_state_, state_of(*generator_))) {
    generator_.reset();
    generator_state_.reset();
  }
  if (recorder_ && internals_ > 0) {
    recorder_->add_region(options_.stage);
  }
}

void Region::add_consumer() {
  if (recorder_ && internals_ == 0 && consumers_ == 0) {
    recorder_->add_region(options_.stage);
  }
  ++consumers_;
}

void Region::note_recomputed() {
  if (recorder_ && !std::exchange(was_recomputed_, true)) {
    recorder_->add_recomputed_region(options_.stage);
  }
}

Tensors Region::repeat_inputs(bool backward_is_next) {
  Tensors inputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool is_taken_next = backward_is_next && options_.holds_inputs && input_was_saved_[i];
    inputs.push_back(value_of(inputs_[i], is_taken_next ? Use::ahead : Use::repeat));
  }
  return inputs;
}

at::Tensor Region::repeat(Extent extent, bool backward_is_next) {
  const RecomputeTimer timer(recorder_, options_.stage);
  Tensors inputs = repeat_inputs(backward_is_next);
  std::vector<TensorIdentity> ids;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inputs[i] = inputs[i].detach().requires_grad_(input_needs_grad_[i]);
    ids.emplace_back(inputs[i]);
  }
  Tensors saved;
  Collector collector{saved, ids, extent == Extent::whole ? 0 : internals_};
  at::Tensor result;
  {
    const at::AutoGradMode grad_on(true);
    const ContextScope context({.collector = &collector, .repeating = true});
    const AutocastScope autocast(autocast_);
    const GeneratorScope generator(generator_, generator_state_);
    try {
      result = body_(std::move(inputs)).detach();
    } catch (const RepeatIsComplete&) {
      // The tensor that was saved last is there; what would follow is not needed.
    }
  }
  if (saved.size() != internals_) {
    throw_broken(options_.stage_name, fmt::format("the repeat saved {} tensors, forward saved {}",
                                                  saved.size(), internals_));
  }
  repeated_ = std::move(saved);
  handed_out_ = 0;
  note_recomputed();
  return result;
}

at::Tensor Region::repeat_output_only(bool backward_is_next) {
  const RecomputeTimer timer(recorder_, options_.stage);
  const at::NoGradGuard no_grad;
  const ContextScope context({.repeating = true, .hooks_off = true});
  const AutocastScope autocast(autocast_);
  const GeneratorScope generator(generator_, generator_state_);
  if (internals_ == 0) {
    note_recomputed();
  }
  return body_(repeat_inputs(backward_is_next));
}

at::Tensor Region::repeat_output(bool backward_is_next) {
  // The region's own backward takes what the same repeat saved inside.
  return backward_is_next && internals_ > 0 && handed_out_ == 0
             ? repeat(Extent::whole, backward_is_next)
             : repeat_output_only(backward_is_next);
}

at::Tensor Region::output(Use use) {
  const bool is_last = use != Use::repeat && asked_ + 1 >= consumers_;
  if (use == Use::backward) {
    asked_ = is_last ? 0 : asked_ + 1;
  }
  if (is_last && held_output_.defined()) {
    return use == Use::backward ? std::exchange(held_output_, at::Tensor()) : held_output_;
  }
  at::Tensor output = repeat_output(/*backward_is_next=*/is_last);
  if (is_last && use == Use::ahead) {
    held_output_ = output;
  }
  return output;
}

at::Tensor Region::internal(std::size_t index) {
  if (repeated_.empty() || !repeated_[index].defined()) {
    // An operation that draws random numbers may fill what it saves after it was saved (rrelu).
    repeat(generator_ ? Extent::whole : Extent::until_last_saved,
           /*backward_is_next=*/false);
  }
  at::Tensor value = std::exchange(repeated_[index], at::Tensor());
  if (++handed_out_ == internals_) {
    repeated_.clear();
    handed_out_ = 0;
  }
  return value;
}

}  // namespace headroom::memory
