#include "core/train/staged_model.hpp"

#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"

namespace headroom::train {
namespace {

const char* why_not(plan::Policy policy) {
  return policy == plan::Policy::offload
             ? "tensors that are kept lie in the machine's own memory already"
             : "this network has no such policy";
}

}  // namespace

StagedModel::StagedModel(std::vector<StageShape> stages, std::int64_t input_channels,
                         std::int64_t classes, std::int64_t stride)
    : stages_(std::move(stages)),
      input_channels_(input_channels),
      classes_(classes),
      stride_(stride),
      plan_(stages_.size(), plan::Policy::keep) {}

std::int64_t StagedModel::padded(std::int64_t side) const { return base::round_up(side, stride_); }

std::vector<std::string> StagedModel::stage_names() const {
  std::vector<std::string> names;
  for (const StageShape& stage : stages_) {
    names.push_back(stage.name);
  }
  return names;
}

std::vector<plan::Policy> StagedModel::policies() const {
  std::vector<plan::Policy> policies = {plan::Policy::keep, plan::Policy::light,
                                        plan::Policy::full};
  if (device_copy_) {
    policies.push_back(plan::Policy::offload);
  }
  return policies;
}

void StagedModel::set_plan(const plan::Plan& plan) {
  if (plan.size() != stages_.size()) {
    throw base::Error(
        base::ErrorKind::internal,
        {.attempted = "setting the plan",
         .subject = fmt::format("{} policies for {} stages", plan.size(), stages_.size()),
         .remedy = "give one policy for each stage"});
  }
  const std::vector<plan::Policy> possible = policies();
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (std::ranges::find(possible, plan[i]) == possible.end()) {
      throw base::Error(base::ErrorKind::usage,
                        {.attempted = "setting the plan",
                         .subject = fmt::format("{}={}: {}", stages_[i].name,
                                                plan::name_of(plan[i]), why_not(plan[i])),
                         .remedy = fmt::format("use one of the policies {}",
                                               fmt::join(plan::names_of(possible), ", "))});
    }
  }
  plan_ = plan;
}

void StagedModel::set_interrupt(std::function<void()> interrupt) {
  interrupt_ = std::move(interrupt);
}

void StagedModel::check_interrupt() const {
  if (interrupt_) {
    interrupt_();
  }
}

void StagedModel::check_training_sizes(at::IntArrayRef sizes_nchw) const {
  do_check_training_sizes(
      {sizes_nchw[0], sizes_nchw[1], padded(sizes_nchw[2]), padded(sizes_nchw[3])});
}

at::Tensor StagedModel::forward(at::Tensor image_nchw) {
  if (image_nchw.dim() != 4 || image_nchw.size(1) != input_channels_) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "running the network",
                       .subject = fmt::format("input with {} channels",
                                              image_nchw.dim() == 4 ? image_nchw.size(1) : 0),
                       .remedy = fmt::format("give images with {} channels", input_channels_)});
  }
  const std::int64_t height = image_nchw.size(2), width = image_nchw.size(3);
  const std::int64_t below = padded(height) - height;
  const std::int64_t right = padded(width) - width;
  if (is_training()) {
    check_training_sizes(image_nchw.sizes());
  }
  if (below > 0 || right > 0) {
    image_nchw = at::constant_pad_nd(image_nchw, {0, right, 0, below});
  }
  at::Tensor logits = do_forward(std::move(image_nchw));
  if (below > 0 || right > 0) {
    logits = logits.narrow(2, 0, height).narrow(3, 0, width);
  }
  return logits;
}

}  // namespace headroom::train
