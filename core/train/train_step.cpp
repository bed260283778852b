#include "core/train/train_step.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "core/base/rounding.hpp"
#include "core/plan/memory_ladder.hpp"
#include "core/train/generator_state.hpp"
#include "core/train/losses.hpp"
#include "core/train/precision.hpp"

namespace headroom::train {
namespace {

/// As torch.nn.utils.clip_grad_norm_ has it.
constexpr double kClipEpsilon = 1e-6;

/// Pixels that the loss counts.
std::int64_t counted_pixels(const data::HostBatch& batch) {
  const auto ignored = std::ranges::count(batch.labels, base::kIgnoreLabel);
  return std::ssize(batch.labels) - ignored;
}

}  // namespace

TrainStep::TrainStep(StagedModel& model, Optimizer& optimizer, TrainStepOptions options)
    : model_(model),
      optimizer_(optimizer),
      options_(options),
      recorder_(options.device, static_cast<std::int64_t>(model.stages().size())),
      buffers_(model.buffers()) {
  for (const at::Tensor& buffer : buffers_) {
    buffers_before_.push_back(buffer.clone());
  }
  model_.set_interrupt([this] { check_interrupt(); });
}

TrainStep::~TrainStep() { model_.set_interrupt({}); }

StepResult TrainStep::run(std::int64_t number, double learning_rate, const NextBatch& next,
                          std::stop_token stop) {
  optimizer_.zero_grad();
  remember();
  stop_ = std::move(stop);
  try {
    StepResult result = attempt(number, learning_rate, next);
    stop_ = {};
    return result;
  } catch (...) {
    stop_ = {};
    recorder_.abandon_step();
    optimizer_.zero_grad();
    restore();
    throw;
  }
}

StepResult TrainStep::attempt(std::int64_t number, double learning_rate, const NextBatch& next) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Part> parts = load(next, 0);
  DeviceBatch first = to_device(parts.front());
  const double first_data_seconds = base::seconds_between(start, std::chrono::steady_clock::now());
  recorder_.begin_step(timeline_request(number, first_data_seconds));
  if (recorder_.is_recorded()) {
    name_state();
  }
  at::Tensor loss_sum = accumulate_gradients(std::move(first), parts.front().weight);
  parts.erase(parts.begin());
  for (std::int64_t index = 0; index < options_.accumulate; ++index) {
    if (index > 0) {
      recorder_.enter(plan::Phase::data);
      parts = load(next, index);
    }
    for (Part& part : parts) {
      recorder_.enter(plan::Phase::data);
      loss_sum += accumulate_gradients(to_device(part), part.weight);
    }
  }
  recorder_.enter(plan::Phase::optimizer);
  StepResult result;
  result.loss = loss_sum.item<double>() / static_cast<double>(options_.accumulate);
  update(number, result.loss, learning_rate);
  result.measured = recorder_.end_step();
  result.measured.seconds[static_cast<std::size_t>(plan::Phase::data)] += first_data_seconds;
  result.measured.total_seconds += first_data_seconds;
  return result;
}

std::optional<memory::TimelineRequest> TrainStep::timeline_request(std::int64_t number,
                                                                   double data_seconds) {
  const std::optional<TimelineDetail> detail = std::exchange(recorded_, std::nullopt);
  if (!detail) {
    return std::nullopt;
  }
  return memory::TimelineRequest{.step = number,
                                 .stages = model_.stage_names(),
                                 .plan = model_.plan(),
                                 .seconds_before = data_seconds,
                                 .has_every_event = *detail == TimelineDetail::every_event};
}

void TrainStep::name_state() {
  using memory::TensorUse;
  for (const auto& parameter : model_.named_parameters()) {
    recorder_.name_tensor(parameter.value(), TensorUse::parameter, parameter.key());
  }
  const auto buffers = model_.named_buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    recorder_.name_tensor(buffers[i].value(), TensorUse::buffer, buffers[i].key());
    recorder_.name_tensor(buffers_before_[i], TensorUse::kept_copy, buffers[i].key());
  }
  for (const auto& [name, tensor] : optimizer_.state()) {
    recorder_.name_tensor(tensor, TensorUse::optimizer_state, name);
  }
  for (const auto& [name, state] : generators_before_) {
    recorder_.name_tensor(state, TensorUse::kept_copy, "generator " + name);
  }
}

void TrainStep::name_gradients() {
  for (const auto& parameter : model_.named_parameters()) {
    recorder_.name_tensor(parameter.value().grad(), memory::TensorUse::gradient, parameter.key());
  }
}

std::vector<TrainStep::Part> TrainStep::load(const NextBatch& next, std::int64_t index) {
  check_interrupt();
  data::HostBatch batch = next(index, stop_);
  std::vector<Part> parts;
  if (tiles_at_once_ == 0 || batch.batch <= tiles_at_once_) {
    parts.push_back({.batch = std::move(batch)});
    return parts;
  }
  // Where no pixel counts every loss is 0, whatever its weight.
  const double all = static_cast<double>(std::max<std::int64_t>(1, counted_pixels(batch)));
  const std::int64_t count = base::divide_up(batch.batch, tiles_at_once_);
  for (data::HostBatch& each : data::split_batch(std::move(batch), count)) {
    const double weight = static_cast<double>(counted_pixels(each)) / all;
    parts.push_back({std::move(each), weight});
  }
  return parts;
}

DeviceBatch TrainStep::to_device(Part& part) const {
  const data::HostBatch batch = std::exchange(part.batch, {});
  return train::to_device(batch, model_.classes(), options_.device, options_.memory_format);
}

at::Tensor TrainStep::accumulate_gradients(DeviceBatch batch, double weight) {
  recorder_.name_tensor(batch.image, memory::TensorUse::batch, "image");
  recorder_.name_tensor(batch.labels, memory::TensorUse::batch, "labels");
  recorder_.enter(plan::Phase::forward);
  at::Tensor logits;
  {
    const AutocastScope autocast(options_.device.type(), options_.precision);
    logits = model_.forward(std::move(batch.image));
  }
  recorder_.enter(plan::Phase::loss);
  at::Tensor loss =
      segmentation_loss(std::move(logits), std::exchange(batch.labels, {}), options_.loss);
  recorder_.enter(plan::Phase::backward);
  loss.backward(at::full_like(loss, weight / static_cast<double>(options_.accumulate)));
  if (recorder_.is_recorded()) {
    name_gradients();
  }
  return weight == 1 ? loss.detach() : loss.detach() * weight;
}

void TrainStep::update(std::int64_t number, double loss, double learning_rate) {
  const double norm = optimizer_.gradient_norm().item<double>();
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    throw base::Error(
        base::ErrorKind::usage,
        {"training", fmt::format("step {}: loss {}, gradient norm {}", number, loss, norm),
         "The state before this step is kept. Try a smaller --lr, --clip-norm 1 or "
         "--precision fp32, and look for extreme pixel values"});
  }
  if (options_.clip_norm > 0 && norm > options_.clip_norm) {
    optimizer_.scale_gradients(options_.clip_norm / (norm + kClipEpsilon));
  }
  check_interrupt();
  optimizer_.step(learning_rate);
}

void TrainStep::check_interrupt() const {
  if (stop_.stop_requested()) {
    throw base::Error(base::ErrorKind::interrupted,
                      {"training", "stop was requested within a step",
                       "The step was abandoned and is the next one when the run continues"});
  }
}

void TrainStep::remember() {
  const at::NoGradGuard no_graph;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    buffers_before_[i].copy_(buffers_[i]);
  }
  generators_before_ = generator_states(options_.device);
}

void TrainStep::restore() {
  const at::NoGradGuard no_graph;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    buffers_[i].copy_(buffers_before_[i]);
  }
  set_generator_states(options_.device, generators_before_);
}

}  // namespace headroom::train
