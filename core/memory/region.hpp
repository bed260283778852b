#pragma once
// A region: a body whose saved tensors are repeated in backward. Internal to the checkpointing
// engine. Owned by what was saved of it.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <vector>

#include "core/memory/checkpoint.hpp"
#include "core/memory/recorder_state.hpp"
#include "core/memory/saved_value.hpp"

namespace headroom::memory {

/// Autocast as it was in forward: a repeat that rounds otherwise would not be one.
struct AutocastState {
  c10::DeviceType device_type;
  bool enabled;
  at::ScalarType dtype;
};
[[nodiscard]] AutocastState autocast_state(c10::DeviceType device_type);

class Region : public std::enable_shared_from_this<Region> {
 public:
  /// `saved_inputs`: the recipes of `inputs`, one each.
  Region(Body body, const Tensors& inputs, std::vector<SavedValue> saved_inputs,
         RegionOptions options);

  /// The recipe of what autograd saves inside the region while its forward runs.
  [[nodiscard]] SavedValue save_inside(const at::Tensor& tensor);
  /// The i-th tensor saved inside, for backward.
  [[nodiscard]] at::Tensor internal(std::size_t index);
  [[nodiscard]] at::Tensor output(Use use);
  /// One more operation saved the output.
  void add_consumer();
  [[nodiscard]] bool saved_nothing() const { return internals_ == 0; }
  /// Called once, before there are consumers.
  void forward_is_done();

 private:
  enum class Extent { until_last_saved, whole };

  /// What the region's own backward takes next is held by its source where `backward_is_next`.
  [[nodiscard]] Tensors repeat_inputs(bool backward_is_next);
  at::Tensor repeat(Extent extent, bool backward_is_next);
  [[nodiscard]] at::Tensor repeat_output_only(bool backward_is_next);
  [[nodiscard]] at::Tensor repeat_output(bool backward_is_next);
  void note_recomputed();

  Body body_;
  RegionOptions options_;
  std::vector<SavedValue> inputs_;
  std::vector<TensorIdentity> input_ids_;
  std::vector<bool> input_needs_grad_;
  std::vector<bool> input_was_saved_;  ///< by an operation inside
  AutocastState autocast_;
  std::optional<at::Generator> generator_;  ///< nothing where forward drew nothing
  at::Tensor generator_state_;              ///< before forward
  std::shared_ptr<RecorderState> recorder_;

  std::size_t internals_ = 0;   ///< tensors saved inside
  std::size_t handed_out_ = 0;  ///< how many of them backward has taken since the last repeat
  std::size_t consumers_ = 0;   ///< operations that saved the output
  std::size_t asked_ = 0;       ///< how many of them have asked for it
  bool was_recomputed_ = false;
  Tensors repeated_;
  at::Tensor held_output_;  ///< repeated for the last consumer before it asked
};

/// Which region, offloaded run or repeat the thread is in.
struct EngineContext {
  Region* forward_region = nullptr;
  class OffloadedRun* offloaded_run = nullptr;
  struct Collector* collector = nullptr;
  bool repeating = false;
  bool hooks_off = false;
};
[[nodiscard]] EngineContext& engine_context();

/// Where a repeat puts what is saved, and when it stops.
struct Collector {
  Tensors& saved;
  const std::vector<TensorIdentity>& input_ids;
  std::size_t stop_after = 0;  ///< 0: never
};
struct RepeatIsComplete {};

/// Sets the context for a scope and restores it on every way out.
class ContextScope {
 public:
  explicit ContextScope(EngineContext context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  EngineContext outer_;
};

/// Parameters and statistics are kept whatever the policy: by kind, never by size.
[[nodiscard]] bool is_kept_by_kind(const at::Tensor& tensor);

}  // namespace headroom::memory
