#pragma once
// One optimizer step: forward, loss and backward of every micro-batch, then the update. A step that
// fails or is interrupted leaves weights, buffers, optimizer state and generators as they were.
// Worker thread.

#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/settings.hpp"
#include "core/data/batch.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/train/host_tensors.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

struct TrainStepOptions {
  c10::Device device{c10::kCPU};
  base::Precision precision = base::Precision::fp32;  ///< resolved
  c10::MemoryFormat memory_format = c10::MemoryFormat::ChannelsLast;
  base::LossKind loss = base::LossKind::ce_dice;
  std::int64_t accumulate =
      1;                 ///< micro-batches; each counts with 1 / accumulate, whatever it ignores
  double clip_norm = 0;  ///< 0: gradients are not clipped
};

/// Points for a chart and the tensors of the peak, or a point for every event without them.
enum class TimelineDetail { for_display, every_event };

struct StepResult {
  double loss = 0;  ///< mean over the micro-batches
  memory::StepMeasurement measured{};
};

class TrainStep {
 public:
  /// Model and optimizer outlive this object. The model's interrupt is taken.
  TrainStep(StagedModel& model, Optimizer& optimizer, TrainStepOptions options);
  ~TrainStep();
  TrainStep(const TrainStep&) = delete;
  TrainStep& operator=(const TrainStep&) = delete;

  /// The step that runs next has a timeline, where the device can give one.
  void record_next_step(TimelineDetail detail = TimelineDetail::for_display) { recorded_ = detail; }

  /// A micro-batch with more tiles is computed in parts, from the next step on; 0: in one. Cross-
  /// entropy stays its mean over the pixels that count; what a batch norm or Dice sees is a part.
  void set_tiles_at_once(std::int64_t tiles) { tiles_at_once_ = tiles; }

  /// Micro-batch `index` of this step, 0 … accumulate - 1.
  using NextBatch = std::function<data::HostBatch(std::int64_t index, std::stop_token stop)>;

  /// `number` is the step's in messages, from 1. What the data phase takes is measured too; the
  /// bytes of the first part are part of what was live before the step. Throws base::Error:
  /// interrupted when `stop` was requested before the update, usage when loss or gradients are not
  /// finite, and whatever `next` or LibTorch throws.
  [[nodiscard]] StepResult run(std::int64_t number, double learning_rate, const NextBatch& next,
                               std::stop_token stop);

 private:
  [[nodiscard]] StepResult attempt(std::int64_t number, double learning_rate,
                                   const NextBatch& next);
  /// What is computed at once, and its weight in the mean over its micro-batch.
  struct Part {
    data::HostBatch batch;
    double weight = 1;
  };
  [[nodiscard]] std::vector<Part> load(const NextBatch& next, std::int64_t index);
  [[nodiscard]] DeviceBatch to_device(Part& part) const;
  /// The part's share of the sum of the micro-batches' losses.
  [[nodiscard]] at::Tensor accumulate_gradients(DeviceBatch batch, double weight);
  void update(std::int64_t number, double loss, double learning_rate);
  [[nodiscard]] std::optional<memory::TimelineRequest> timeline_request(std::int64_t number,
                                                                        double data_seconds);
  /// Tells the recording of a step what the tensors are that no operation of the step makes, or
  /// that it only adds to.
  void name_state();
  void name_gradients();
  void check_interrupt() const;
  void remember();
  void restore();

  StagedModel& model_;
  Optimizer& optimizer_;
  TrainStepOptions options_;
  memory::StepRecorder recorder_;
  std::vector<at::Tensor> buffers_;         ///< the model's
  std::vector<at::Tensor> buffers_before_;  ///< copies of them, refreshed at each step's beginning
  NamedTensors generators_before_;
  std::int64_t tiles_at_once_ = 0;
  std::optional<TimelineDetail> recorded_{};
  std::stop_token stop_;  ///< of the step that runs; without a source between steps
};

}  // namespace headroom::train
