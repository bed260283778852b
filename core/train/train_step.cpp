#include "core/train/train_step.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/train/generator_state.hpp"
#include "core/train/losses.hpp"
#include "core/train/precision.hpp"

namespace headroom::train {
namespace {

/// As torch.nn.utils.clip_grad_norm_ has it.
constexpr double kClipEpsilon = 1e-6;

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
  DeviceBatch batch = load(next, 0);
  const double first_data_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  recorder_.begin_step(timeline_request(number, first_data_seconds));
  at::Tensor loss_sum = accumulate_gradients(std::move(batch));
  for (std::int64_t i = 1; i < options_.accumulate; ++i) {
    recorder_.enter(plan::Phase::data);
    loss_sum += accumulate_gradients(load(next, i));
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

DeviceBatch TrainStep::load(const NextBatch& next, std::int64_t index) {
  check_interrupt();
  return to_device(next(index, stop_), model_.classes(), options_.device, options_.memory_format);
}

at::Tensor TrainStep::accumulate_gradients(DeviceBatch batch) {
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
  loss.backward(at::full_like(loss, 1.0 / static_cast<double>(options_.accumulate)));
  return loss.detach();
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
