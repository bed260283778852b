#include "core/train/generated_task.hpp"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <torch/utils.h>

#include <utility>

#include "core/data/counter_random.hpp"

namespace headroom::train {
namespace {

data::HostBatch generate_batch(const base::Settings& settings, std::int64_t index) {
  data::HostBatch batch{.batch = settings.step.batch,
                        .height = settings.step.tile_height,
                        .width = settings.step.tile_width,
                        .channels = settings.model.channels};
  data::CounterRandom random(settings.step.seed, /*stream=*/0, index);
  const std::int64_t pixels = batch.batch * batch.height * batch.width;
  for (std::int64_t i = 0; i < pixels * batch.channels; ++i) {
    batch.pixels.push_back(static_cast<float>(random.between(-1.7, 1.7)));  // variance about 1
  }
  for (std::int64_t i = 0; i < pixels; ++i) {
    batch.labels.push_back(static_cast<std::uint8_t>(random.below(settings.model.classes)));
  }
  return batch;
}

base::Settings resolved(base::Settings settings) {
  if (settings.model.classes == 0) {
    settings.model.classes = 2;
  }
  if (settings.model.channels == 0) {
    settings.model.channels = 3;
  }
  return settings;
}

std::vector<at::Tensor> copies_of(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> copies;
  for (const at::Tensor& tensor : tensors) {
    copies.push_back(tensor.detach().clone());
  }
  return copies;
}

void copy_back(const std::vector<at::Tensor>& from, const std::vector<at::Tensor>& to) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < from.size(); ++i) {
    to[i].copy_(from[i]);
  }
}

void seed_generators(std::int64_t seed) { torch::manual_seed(static_cast<std::uint64_t>(seed)); }

}  // namespace

GeneratedTask::GeneratedTask(base::Settings settings, const ModelFactory& make_model)
    : settings_(resolved(std::move(settings))), compute_(set_up_compute(settings_.step)) {
  seed_generators(settings_.step.seed);
  model_ = make_model(settings_.model);
  place_model(*model_, compute_);
  model_->train();
  model_->check_training_sizes({settings_.step.batch, settings_.model.channels,
                                settings_.step.tile_height, settings_.step.tile_width});
  for (std::int64_t i = 0; i < settings_.step.accumulate; ++i) {
    batches_.push_back(generate_batch(settings_, i));
  }
  initial_parameters_ = copies_of(model_->parameters());
  initial_buffers_ = copies_of(model_->buffers());
  restart(model_->plan());
}

void GeneratedTask::restart(const plan::Plan& plan) {
  model_->set_plan(plan);
  copy_back(initial_parameters_, model_->parameters());
  copy_back(initial_buffers_, model_->buffers());
  step_.reset();
  optimizer_ =
      std::make_unique<Optimizer>(named_parameters(*model_), optimizer_options(settings_.train));
  optimizer_->zero_grad();
  step_ = std::make_unique<TrainStep>(*model_, *optimizer_, step_options(settings_, compute_));
  seed_generators(settings_.step.seed);
}

StepResult GeneratedTask::step(std::int64_t number, std::stop_token stop) {
  return step_->run(
      number, settings_.train.learning_rate,
      [this](std::int64_t index, const std::stop_token&) {
        return batches_[static_cast<std::size_t>(index)];
      },
      std::move(stop));
}

}  // namespace headroom::train
