#pragma once
// The smallest network that is a StagedModel: convolution, batch norm, ReLU, dropout, and a head
// that upsamples when pooled. For tests of the trainer.

#include <torch/nn/functional.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/conv.h>

#include <memory>
#include <utility>

#include "core/base/error.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/train/model_factory.hpp"

namespace headroom::tests {

class TinyModel final : public train::StagedModel {
 public:
  /// Receptive field: one pixel around each.
  explicit TinyModel(const base::ModelSettings& settings)
      : StagedModel({{"enc1", kWidth, 1}, {"dec1", kWidth, 1}}, settings.channels, settings.classes,
                    /*stride=*/kStride),
        dropout_(settings.dropout) {
    using torch::nn::Conv2dOptions;
    conv_ = register_module(
        "conv",
        torch::nn::Conv2d(Conv2dOptions(settings.channels, kWidth, 3).padding(1).bias(false)));
    norm_ = register_module("norm", torch::nn::BatchNorm2d(kWidth));
    head_ = register_module("head", torch::nn::Conv2d(Conv2dOptions(kWidth, settings.classes, 1)));
  }

  static constexpr std::int64_t kWidth = 8, kStride = 4;

 private:
  at::Tensor do_forward(at::Tensor image) override {
    check_interrupt();
    at::Tensor features = at::relu(norm_(conv_(image)));
    image.reset();
    features = torch::nn::functional::dropout(
        features, torch::nn::functional::DropoutFuncOptions().p(dropout_).training(is_training()));
    memory::mark_backward(features, 0, interrupt());
    return head_(features);
  }

  train::NamedTensors do_file_tensors() const override {
    train::NamedTensors tensors;
    for (const auto& item : named_parameters()) {
      tensors[item.key()] = item.value().detach().contiguous();
    }
    for (const auto& item : named_buffers()) {
      tensors[item.key()] = item.value();
    }
    return tensors;
  }

  void do_load_file_tensors(const train::NamedTensors& tensors) override {
    const at::NoGradGuard no_graph;
    for (auto& [name, own] : do_file_tensors()) {
      if (!tensors.contains(name)) {
        throw base::Error(base::ErrorKind::usage, {"loading weights", name, "it is missing"});
      }
    }
    for (auto& item : named_parameters()) {
      item.value().copy_(tensors.at(item.key()));
    }
    for (auto& item : named_buffers()) {
      item.value().copy_(tensors.at(item.key()));
    }
  }

  void do_check_training_sizes(at::IntArrayRef padded_nchw) const override {
    if (padded_nchw[0] * padded_nchw[2] * padded_nchw[3] <= kStride * kStride) {
      throw base::Error(base::ErrorKind::usage,
                        {"checking the tile", "a norm sees too few values", "use a larger tile"});
    }
  }

  double dropout_;
  torch::nn::Conv2d conv_{nullptr};
  torch::nn::BatchNorm2d norm_{nullptr};
  torch::nn::Conv2d head_{nullptr};
};

inline std::shared_ptr<train::StagedModel> make_tiny_model(const base::ModelSettings& settings) {
  return std::make_shared<TinyModel>(settings);
}

/// Copies of every parameter and buffer, and what differs in a later look.
class StateSnapshot {
 public:
  explicit StateSnapshot(const train::StagedModel& model) {
    for (const auto& item : model.named_parameters()) {
      tensors_[item.key()] = item.value().detach().clone();
    }
    for (const auto& item : model.named_buffers()) {
      tensors_[item.key()] = item.value().clone();
    }
  }
  friend bool operator==(const StateSnapshot& a, const StateSnapshot& b) {
    for (const auto& [name, tensor] : a.tensors_) {
      if (!b.tensors_.contains(name) || !at::equal(tensor, b.tensors_.at(name))) {
        return false;
      }
    }
    return a.tensors_.size() == b.tensors_.size();
  }

 private:
  train::NamedTensors tensors_;
};

}  // namespace headroom::tests
