#pragma once
// What a network is to the trainer: an ordered list of named stages, each with a policy.
// Implemented in models/; owned and called by the worker thread only.

#include <torch/nn/module.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/memory/device_copy.hpp"
#include "core/plan/plan.hpp"

namespace headroom::train {

/// Where a stage stands in the network; sizes are of its output.
struct StageShape {
  std::string name{};
  std::int64_t channels = 0;
  std::int64_t downscale = 1;  ///< output side = padded input side / downscale
  double macs_per_pixel = 0;   ///< multiply-adds of its convolutions in forward, per output pixel
  double light_repeats_macs_per_pixel = 0;  ///< how many of them Light computes again
  double full_repeats_macs_per_pixel = 0;   ///< and Full
};

/// Tensors by their name in a model file.
using NamedTensors = std::map<std::string, at::Tensor>;

class StagedModel : public torch::nn::Module {
 public:
  /// image [n, c, h, w] of any size -> logits [n, classes, h, w], padded to the stride and cropped
  /// inside. Throws base::Error (usage) when the shape cannot be used (channels differ; a norm
  /// would see one value per channel).
  [[nodiscard]] at::Tensor forward(at::Tensor image_nchw);

  /// One policy per stage; takes effect with the next forward. Throws base::Error (usage) for a
  /// policy that the network has not.
  void set_plan(const plan::Plan& plan);
  [[nodiscard]] const plan::Plan& plan() const { return plan_; }
  /// What a stage can do here: offload only where there is a device copy.
  [[nodiscard]] std::vector<plan::Policy> policies() const;
  /// Where the saved tensors of stages with the policy offload go.
  void set_device_copy(std::shared_ptr<memory::DeviceCopy> copy) { device_copy_ = std::move(copy); }
  [[nodiscard]] const std::vector<StageShape>& stages() const { return stages_; }
  [[nodiscard]] std::vector<std::string> stage_names() const;
  [[nodiscard]] std::int64_t input_channels() const { return input_channels_; }
  [[nodiscard]] std::int64_t classes() const { return classes_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }
  /// The side of an image as the stages see it: the next multiple of the stride.
  [[nodiscard]] std::int64_t padded(std::int64_t side) const;

  /// Throws base::Error (usage) when in training, with images of these sizes [n, c, h, w], a norm
  /// would see one value for a statistic.
  void check_training_sizes(at::IntArrayRef sizes_nchw) const;

  /// Called at every stage's border, in forward and in backward; what it throws ends the pass.
  /// Empty: nothing is called.
  void set_interrupt(std::function<void()> interrupt);

  /// Parameters and buffers as a plain U-Net names and shapes them (a convolution kept in parts is
  /// one weight here); tensors are contiguous and detached (copies where they must be).
  [[nodiscard]] NamedTensors file_tensors() const { return do_file_tensors(); }
  /// The inverse. Throws base::Error (usage) naming a tensor that is missing, unknown or of another
  /// shape; then nothing was changed.
  void load_file_tensors(const NamedTensors& tensors) { do_load_file_tensors(tensors); }

 protected:
  StagedModel(std::vector<StageShape> stages, std::int64_t input_channels, std::int64_t classes,
              std::int64_t stride);

  void check_interrupt() const;
  [[nodiscard]] const std::function<void()>& interrupt() const { return interrupt_; }
  [[nodiscard]] const std::shared_ptr<memory::DeviceCopy>& device_copy() const {
    return device_copy_;
  }

 private:
  /// image is padded to the stride.
  [[nodiscard]] virtual at::Tensor do_forward(at::Tensor image_nchw) = 0;
  [[nodiscard]] virtual NamedTensors do_file_tensors() const = 0;
  virtual void do_load_file_tensors(const NamedTensors& tensors) = 0;
  virtual void do_check_training_sizes(at::IntArrayRef padded_nchw) const = 0;

  std::vector<StageShape> stages_;
  std::vector<plan::Policy> policies_ = {plan::Policy::keep, plan::Policy::full};
  std::int64_t input_channels_, classes_, stride_;
  plan::Plan plan_;
  std::function<void()> interrupt_;
  std::shared_ptr<memory::DeviceCopy> device_copy_;
};

}  // namespace headroom::train
