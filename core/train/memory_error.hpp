#pragma once
// Out of memory as the person reads it.

#include <c10/core/Device.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/settings.hpp"
#include "core/memory/meter.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

/// Kind out_of_memory: where an allocation was refused and what the budget is. `attempted` and
/// `work` as in "predicting an image", "a window of 512x512". `refusal` is what
/// memory::is_out_of_memory said yes to, `remedy` what can still be tried.
[[nodiscard]] base::Error memory_error(const std::string& attempted, const std::string& work,
                                       c10::Device device, const std::string& remedy,
                                       const std::exception& refusal);

/// What is done when memory runs out, as its message tells it. Refers to what outlives the attempt.
struct StepAttempt {
  const char* attempted;  ///< "training"
  const StagedModel& model;
  const base::StepSettings& settings;
  c10::Device device;
  std::int64_t number = 0;         ///< of the step, from 1; 0: not told
  std::int64_t tiles_at_once = 0;  ///< where a micro-batch is computed in parts; 0: it is not
};

/// The same for a step, or what belongs to one. Gives free blocks back to the system.
[[nodiscard]] base::Error step_memory_error(const StepAttempt& attempt,
                                            const std::exception& refusal);

/// Calls `work`; LibTorch's out-of-memory becomes error_of(refusal).
template <typename ErrorOf, typename Work>
auto with_memory_errors_as(const ErrorOf& error_of, Work work) {
  try {
    return work();
  } catch (const base::Error&) {
    throw;
  } catch (const std::exception& problem) {
    if (!memory::is_out_of_memory(problem)) {
      throw;
    }
    throw error_of(problem);
  }
}

/// The same for a step, or what belongs to one.
template <typename Work>
auto with_memory_errors(const StepAttempt& attempt, Work work) {
  return with_memory_errors_as(
      [&](const std::exception& refusal) { return step_memory_error(attempt, refusal); },
      std::move(work));
}

}  // namespace headroom::train
