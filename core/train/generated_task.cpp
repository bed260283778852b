#include "core/train/generated_task.hpp"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/utils.h>

#include <utility>

#include "core/base/image.hpp"
#include "core/data/counter_random.hpp"
#include "core/memory/meter.hpp"
#include "core/train/device.hpp"
#include "core/train/memory_error.hpp"
#include "core/train/predictor.hpp"

namespace headroom::train {
namespace {

data::HostBatch generate_batch(const base::Settings& settings, std::int64_t index) {
  data::HostBatch batch{.batch = settings.step.batch,
                        .height = settings.step.tile_height,
                        .width = settings.step.tile_width,
                        .channels = settings.model.channels};
  data::CounterRandom random(settings.step.seed, /*stream=*/0, index);
  const std::int64_t pixels = batch.batch * batch.height * batch.width;
  batch.pixels.reserve(static_cast<std::size_t>(pixels * batch.channels));
  batch.labels.reserve(static_cast<std::size_t>(pixels));
  for (std::int64_t i = 0; i < pixels * batch.channels; ++i) {
    batch.pixels.push_back(static_cast<float>(random.between(-1.7, 1.7)));  // variance about 1
  }
  for (std::int64_t i = 0; i < pixels; ++i) {
    batch.labels.push_back(static_cast<std::uint8_t>(random.below(settings.model.classes)));
  }
  return batch;
}

std::vector<at::Tensor> state_of(const StagedModel& model) {
  std::vector<at::Tensor> state = model.parameters();
  for (const at::Tensor& buffer : model.buffers()) {
    state.push_back(buffer);
  }
  return state;
}

void seed_generators(std::int64_t seed) { torch::manual_seed(static_cast<std::uint64_t>(seed)); }

}  // namespace

base::Settings for_generated_input(base::Settings settings) {
  if (settings.model.classes == 0) {
    settings.model.classes = 2;
  }
  if (settings.model.channels == 0) {
    settings.model.channels = 3;
  }
  return settings;
}

HostCopy::HostCopy(const at::Tensor& tensor) : bytes_(tensor.nbytes()) {
  at::from_blob(bytes_.data(), tensor.sizes(), tensor.options().device(at::kCPU))
      .copy_(tensor.detach());
}

void HostCopy::copy_to(at::Tensor& tensor) const {
  const at::NoGradGuard no_grad;
  // from_blob has no const form; the view is only read.
  auto* bytes = const_cast<std::byte*>(bytes_.data());
  tensor.copy_(at::from_blob(bytes, tensor.sizes(), tensor.options().device(at::kCPU)));
}

GeneratedTask::GeneratedTask(base::Settings settings, const ModelFactory& make_model)
    : settings_(for_generated_input(std::move(settings))),
      threads_before_(at::get_num_threads()),
      compute_(set_up_compute(settings_.step)) {
  seed_generators(settings_.step.seed);
  model_ = make_model(settings_.model);
  place_model(*model_, compute_);
  model_->train();
  generate_batches();
  for (const at::Tensor& tensor : state_of(*model_)) {
    initial_state_.emplace_back(tensor);
  }
  restart(model_->plan());
  memory::meter_of(compute_.device)
      .set_budget(resolve_budget(settings_.step.budget_bytes, compute_.device));
}

GeneratedTask::~GeneratedTask() {
  memory::meter_of(compute_.device).set_budget(0);
  at::set_num_threads(threads_before_);
}

void GeneratedTask::generate_batches() {
  model_->check_training_sizes({settings_.step.batch, settings_.model.channels,
                                settings_.step.tile_height, settings_.step.tile_width});
  batches_.clear();
  for (std::int64_t i = 0; i < settings_.step.accumulate; ++i) {
    batches_.push_back(generate_batch(settings_, i));
  }
}

void GeneratedTask::set_size(const TileBatch& size) {
  settings_.step.batch = size.batch;
  settings_.step.tile_height = size.height;
  settings_.step.tile_width = size.width;
  generate_batches();
}

void GeneratedTask::restart(const plan::Plan& plan) {
  model_->set_plan(plan);
  std::vector<at::Tensor> state = state_of(*model_);
  for (std::size_t i = 0; i < state.size(); ++i) {
    initial_state_[i].copy_to(state[i]);
  }
  step_.reset();
  optimizer_ =
      std::make_unique<Optimizer>(named_parameters(*model_), optimizer_options(settings_.train));
  optimizer_->zero_grad();
  step_ = std::make_unique<TrainStep>(*model_, *optimizer_, step_options(settings_, compute_));
  seed_generators(settings_.step.seed);
}

StepResult GeneratedTask::step(std::int64_t number, std::stop_token stop) {
  const auto next = [this](std::int64_t index, const std::stop_token&) {
    return batches_[static_cast<std::size_t>(index)];
  };
  const StepAttempt attempt{.attempted = "running a step",
                            .model = *model_,
                            .settings = settings_.step,
                            .device = compute_.device};
  return with_memory_errors(attempt, [&] {
    return step_->run(number, settings_.train.learning_rate, next, std::move(stop));
  });
}

std::int64_t GeneratedTask::validation_peak_bytes(std::stop_token stop) {
  const auto bands = static_cast<std::size_t>(settings_.model.channels);
  base::Image image{.height = settings_.step.tile_height,
                    .width = settings_.step.tile_width,
                    .channels = settings_.model.channels};
  image.pixels.resize(static_cast<std::size_t>(image.height * image.width * image.channels));
  Predictor predictor(*model_, {.device = compute_.device,
                                .precision = compute_.precision,
                                .memory_format = compute_.memory_format,
                                .normalisation = {.shift = std::vector<double>(bands, 0.0),
                                                  .scale = std::vector<double>(bands, 1.0)},
                                .tile_height = image.height,
                                .tile_width = image.width});
  memory::MemoryMeter& meter = memory::meter_of(compute_.device);
  meter.begin_window();
  static_cast<void>(predictor.predict(image, std::move(stop)));
  return meter.reading().peak_bytes;
}

}  // namespace headroom::train
