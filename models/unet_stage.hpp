#pragma once
// One stage of the U-Net and what its policies mean. Owned by the network; worker thread.

#include <torch/nn/modules/conv.h>

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/settings.hpp"
#include "core/memory/checkpoint.hpp"
#include "core/plan/plan.hpp"
#include "models/norm.hpp"

namespace headroom::models {

/// How a stage begins.
enum class StageEntry {
  image,  ///< with the image itself
  pool,   ///< with 2x2 max pooling of the stage above
  up,     ///< with a 2x2 up-convolution of the stage below, and the skip of its own level
};

struct StageOptions {
  int index = 0;
  std::string name{};
  StageEntry entry = StageEntry::image;
  std::int64_t in_channels = 0, out_channels = 0;  ///< a skip has out_channels
  base::NormKind norm = base::NormKind::batch;
  double dropout = 0;  ///< whole channels, after the stage (Tompson et al. 2015)
};

class UNetStage : public torch::nn::Module {
 public:
  explicit UNetStage(const StageOptions& options);

  /// inputs: x [n, in, h, w], for `up` also the skip [n, out, 2h, 2w]; -> [n, out, h', w'] with h'
  /// = h, h / 2 or 2h.
  [[nodiscard]] at::Tensor forward(memory::Tensors inputs, plan::Policy policy);

  [[nodiscard]] std::int64_t values_per_statistic(at::IntArrayRef sizes) const {
    return norm_b_->values_per_statistic(sizes);
  }

 private:
  /// Up to the second convolution's result. Of Light, what is cheap is repeatable in it.
  [[nodiscard]] at::Tensor convolutions(memory::Tensors inputs, plan::Policy policy,
                                        const memory::Body& norm_act_a);
  [[nodiscard]] at::Tensor enter(at::Tensor x);
  /// `body` on `x`; for Light, backward repeats what it saves and gives.
  [[nodiscard]] at::Tensor run_cheap(plan::Policy policy, const memory::Body& body, at::Tensor x);
  /// The norm-acts, and dropout behind the second, with the statistics of one forward.
  [[nodiscard]] memory::Body norm_act_a() const;
  [[nodiscard]] memory::Body finish() const;
  [[nodiscard]] memory::RegionOptions region() const {
    return {.stage = options_.index, .stage_name = options_.name};
  }

  StageOptions options_;
  torch::nn::ConvTranspose2d up_{nullptr};
  torch::nn::Conv2d conv_a_{nullptr}, conv_a_skip_{nullptr}, conv_b_{nullptr};
  std::shared_ptr<NormAct> norm_a_, norm_b_;
};

/// He et al. 2015, for ReLU; the bias, where there is one, 0.
void initialise_convolution(torch::nn::Conv2dImpl& convolution);

}  // namespace headroom::models
