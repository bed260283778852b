#pragma once
// A network with generated input, for bench, verify, calibration and fit: the same step that
// training runs, on random pixels and labels. Worker thread.

#include <cstddef>
#include <memory>
#include <stop_token>
#include <vector>

#include "core/base/settings.hpp"
#include "core/data/batch.hpp"
#include "core/train/model_factory.hpp"
#include "core/train/model_setup.hpp"

namespace headroom::train {

/// A tensor's values in memory that no meter counts: a training has no such copy.
class HostCopy {
 public:
  explicit HostCopy(const at::Tensor& tensor);
  void copy_to(at::Tensor& tensor) const;

 private:
  std::vector<std::byte> bytes_;
};

/// Classes 0 become 2, channels 0 become 3.
[[nodiscard]] base::Settings for_generated_input(base::Settings settings);

/// Tiles of a micro-batch; the sides in pixels.
struct TileBatch {
  std::int64_t batch = 1, height = 0, width = 0;
};

class GeneratedTask {
 public:
  /// Settings as for_generated_input makes them. The seed decides weights, pixels and labels.
  /// Budget and threads apply until the task ends. Throws base::Error (usage, out_of_memory).
  GeneratedTask(base::Settings settings, const ModelFactory& make_model);
  ~GeneratedTask();
  GeneratedTask(const GeneratedTask&) = delete;
  GeneratedTask& operator=(const GeneratedTask&) = delete;

  [[nodiscard]] StagedModel& model() { return *model_; }
  [[nodiscard]] const base::Settings& settings() const { return settings_; }
  [[nodiscard]] const Compute& compute() const { return compute_; }

  /// Weights, buffers, optimizer and generator as they were at first; `plan` applies from the next
  /// step on.
  void restart(const plan::Plan& plan);
  /// Steps from here on are of this size.
  void set_size(const TileBatch& size);
  /// As TrainStep has it.
  void record_next_step(TimelineDetail detail = TimelineDetail::for_display) {
    step_->record_next_step(detail);
  }
  /// One optimizer step; micro-batches are the same in every step. `number` from 1.
  [[nodiscard]] StepResult step(std::int64_t number, std::stop_token stop);
  /// Highest live bytes while one image of a tile's size is predicted, as validation does.
  [[nodiscard]] std::int64_t validation_peak_bytes(std::stop_token stop);

 private:
  void generate_batches();

  base::Settings settings_;
  int threads_before_;
  Compute compute_;
  std::shared_ptr<StagedModel> model_;
  std::vector<data::HostBatch> batches_{};
  std::vector<HostCopy> initial_state_;  ///< of parameters and buffers
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<TrainStep> step_;
};

}  // namespace headroom::train
