#pragma once
// The learning rate as a pure function of the step, and how many steps and validations a run has.
// Free of torch.

#include <cstdint>

#include "core/base/settings.hpp"

namespace headroom::train {

/// How many optimizer steps a run has and how they are divided.
struct RunLength {
  std::int64_t steps = 0;
  std::int64_t steps_per_epoch = 0;
  std::int64_t validate_every = 0;  ///< steps
};

/// Length of a run whose training side has `batches_per_epoch` micro-batches, of which a step takes
/// `accumulate`. Without steps and epochs in the settings: 100 epochs, at most 2000 steps.
/// Validation without a setting: once an epoch, and at least every tenth of the run.
[[nodiscard]] RunLength run_length(const base::TrainSettings& settings,
                                   std::int64_t batches_per_epoch, std::int64_t accumulate);

struct ScheduleOptions {
  base::ScheduleKind kind = base::ScheduleKind::cosine;
  double peak_rate = 1e-3;
  double warmup = 0.1;     ///< share of the steps over which the rate rises; not used by `constant`
  std::int64_t steps = 1;  ///< of the whole run
};

/// Learning rate of the 0-based `step`. Cosine and poly rise linearly to the peak over the warm-up
/// (Goyal et al. 2017, section 2.2), then fall towards 0: half a cosine (Loshchilov and Hutter,
/// SGDR, 2017, without restarts) or (1 - progress)^0.9 (Chen et al., DeepLab, 2017). Past the last
/// step it is 0. `constant` is the peak throughout.
[[nodiscard]] double learning_rate(const ScheduleOptions& schedule, std::int64_t step);

}  // namespace headroom::train
