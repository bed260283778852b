#include "models/unet.hpp"

#include <fmt/format.h>
#include <torch/nn/modules/conv.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/memory/checkpoint.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/plan/plan.hpp"
#include "models/unet_stage.hpp"
#include "models/weight_halves.hpp"

namespace headroom::models {
namespace {

class UNet final : public train::StagedModel {
 public:
  explicit UNet(const base::ModelSettings& settings);

 private:
  [[nodiscard]] at::Tensor do_forward(at::Tensor image_nchw) override;
  [[nodiscard]] train::NamedTensors do_file_tensors() const override;
  void do_load_file_tensors(const train::NamedTensors& tensors) override;
  void do_check_training_sizes(at::IntArrayRef padded_nchw) const override;

  [[nodiscard]] at::Tensor run_stage(std::size_t index, memory::Tensors inputs);

  std::int64_t levels_;
  std::vector<std::shared_ptr<UNetStage>> stage_modules_;  ///< as stages()
  torch::nn::Conv2d head_{nullptr};
};

std::vector<train::StageShape> stage_shapes(const base::ModelSettings& settings) {
  std::vector<train::StageShape> shapes;
  for (const std::string& name : plan::unet_stage_names(settings.levels)) {
    const auto index = static_cast<std::int64_t>(shapes.size());
    const std::int64_t level = index < settings.levels ? index : 2 * (settings.levels - 1) - index;
    const std::int64_t out = settings.base_channels << level;
    const bool decodes = index >= settings.levels;
    const auto outputs = static_cast<double>(out);
    const auto inputs =
        static_cast<double>(index == 0 ? settings.channels : (decodes ? 2 * out : out / 2));
    const double up = decodes ? 2 * outputs * outputs
                              : 0;  // 2x2, stride 2: each output pixel has one input pixel
    const double conv_a = 9 * inputs * outputs, conv_b = 9 * outputs * outputs;
    shapes.push_back({.name = name,
                      .channels = out,
                      .downscale = std::int64_t{1} << level,
                      .macs_per_pixel = up + conv_a + conv_b,
                      .light_repeats_macs_per_pixel = up,
                      .full_repeats_macs_per_pixel = up + conv_a});
  }
  return shapes;
}

UNet::UNet(const base::ModelSettings& settings)
    : StagedModel(stage_shapes(settings), settings.channels, settings.classes,
                  std::int64_t{1} << (settings.levels - 1)),
      levels_(settings.levels) {
  for (std::size_t i = 0; i < stages().size(); ++i) {
    const train::StageShape& shape = stages()[i];
    StageOptions options{.index = static_cast<int>(i),
                         .name = shape.name,
                         .in_channels = i == 0 ? settings.channels : stages()[i - 1].channels,
                         .out_channels = shape.channels,
                         .norm = settings.norm,
                         .dropout = settings.dropout};
    if (i == 0) {
      options.entry = StageEntry::image;
    } else {
      options.entry = static_cast<std::int64_t>(i) < levels_ ? StageEntry::pool : StageEntry::up;
    }
    stage_modules_.push_back(register_module(shape.name, std::make_shared<UNetStage>(options)));
  }
  head_ = register_module("head", torch::nn::Conv2d(torch::nn::Conv2dOptions(settings.base_channels,
                                                                             settings.classes, 1)));
  initialise_convolution(*head_);
}

at::Tensor UNet::run_stage(std::size_t index, memory::Tensors inputs) {
  check_interrupt();
  const memory::StageScope scope(static_cast<int>(index));
  at::Tensor output = stage_modules_[index]->forward(std::move(inputs), plan()[index]);
  memory::mark_backward(output, static_cast<int>(index), interrupt());
  memory::mark_stage_end(output);
  return output;
}

at::Tensor UNet::do_forward(at::Tensor image_nchw) {
  // All Keep: no recipe is made, and autograd saves as it always does.
  std::optional<memory::ForwardScope> recipes;
  if (std::ranges::any_of(plan(), [](plan::Policy p) { return p != plan::Policy::keep; })) {
    recipes.emplace(device_copy());
  }
  // Every tensor is moved on as soon as the next operation has it: one that is held is memory at
  // the peak.
  at::Tensor x = std::move(image_nchw);
  memory::Tensors skips;
  const std::size_t stage_count = stages().size();
  for (std::size_t i = 0; i < stage_count; ++i) {
    memory::Tensors inputs;
    inputs.push_back(std::move(x));
    if (static_cast<std::int64_t>(i) >= levels_) {
      inputs.push_back(std::move(skips.back()));
      skips.pop_back();
    }
    x = run_stage(i, std::move(inputs));
    if (static_cast<std::int64_t>(i) < levels_ - 1) {
      skips.push_back(x);
    }
  }
  const memory::StageScope scope(static_cast<int>(stage_count));
  at::Tensor logits = head_(x);
  memory::mark_backward(logits, static_cast<int>(stage_count), nullptr);
  return logits;
}

void UNet::do_check_training_sizes(at::IntArrayRef padded_nchw) const {
  for (std::size_t i = 0; i < stages().size(); ++i) {
    const train::StageShape& shape = stages()[i];
    const std::array<std::int64_t, 4> sizes = {padded_nchw[0], shape.channels,
                                               padded_nchw[2] / shape.downscale,
                                               padded_nchw[3] / shape.downscale};
    if (stage_modules_[i]->values_per_statistic(sizes) < 2) {
      throw base::Error(
          base::ErrorKind::usage,
          {.attempted = "training the network",
           .subject = fmt::format(
               "a batch of {} tiles of {}x{} leaves stage {} {}x{} pixels, so that "
               "its norm sees one value",
               sizes[0], padded_nchw[2], padded_nchw[3], shape.name, sizes[2], sizes[3]),
           .remedy = "use a larger --tile or --batch, fewer --levels, or --norm group"});
    }
  }
}

train::NamedTensors UNet::do_file_tensors() const { return join_halves(named_tensors(*this)); }

void UNet::do_load_file_tensors(const train::NamedTensors& tensors) {
  copy_into(named_tensors(*this), tensors);
}

}  // namespace

std::shared_ptr<train::StagedModel> make_model(const base::ModelSettings& settings) {
  if (settings.model != "unet") {
    throw base::Error(base::ErrorKind::usage, {.attempted = "making the network",
                                               .subject = "model " + settings.model,
                                               .remedy = "use --model unet"});
  }
  return std::make_shared<UNet>(settings);
}

}  // namespace headroom::models
