#pragma once
// Exact count of tensor bytes, by stage and phase, with a budget. One meter per device; every
// allocation and free of LibTorch passes through it. Safe to call from any thread; windows are
// opened and closed by the worker.

#include <c10/core/Device.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/plan/phase.hpp"

namespace headroom::memory {

/// Index of a stage in its network, or one of these.
inline constexpr int kNoStage = -1;  ///< outside every stage: weights, optimizer, loss
inline constexpr int kMaxStages = 64;

/// What the meter saw since begin_window().
struct MeterReading {
  std::int64_t live_bytes = 0;           ///< now
  std::int64_t live_before_bytes = 0;    ///< when the window was opened
  std::int64_t peak_bytes = 0;           ///< highest live_bytes in the window
  std::int64_t reserved_bytes = 0;       ///< taken from the system now
  std::int64_t peak_reserved_bytes = 0;  ///< highest in the window
  std::int64_t refused_bytes = 0;  ///< what live_bytes would have been after the last allocation
                                   ///< that was refused; 0: none, or not known
  int peak_stage = kNoStage;       ///< stage at work when the peak was reached
  plan::Phase peak_phase = plan::Phase::data;
  /// Live bytes at the peak by the stage that allocated them; index 0 is kNoStage, stage s is s
  /// + 1.
  std::array<std::int64_t, kMaxStages + 1> at_peak_by_stage{};
  /// The same by the phase in which they were allocated.
  std::array<std::int64_t, plan::kPhases> at_peak_by_phase{};
};

class MemoryMeter {
 public:
  virtual ~MemoryMeter() = default;
  virtual void begin_window() = 0;
  [[nodiscard]] virtual MeterReading reading() const = 0;
  /// Bytes live at once beyond which an allocation throws LibTorch's own out-of-memory error; 0: no
  /// limit.
  virtual void set_budget(std::int64_t bytes) = 0;
  [[nodiscard]] virtual std::int64_t budget() const = 0;
  /// Gives every free block back to the system.
  virtual void release_cached() = 0;
};

/// The meter of a device that is in use. Throws base::Error (usage) for a device without one.
[[nodiscard]] MemoryMeter& meter_of(c10::Device device);

/// The n-th CPU allocation from now on fails as if the budget were exceeded (1: the next); 0
/// switches it off. For tests of every out-of-memory path.
void fail_allocation(std::int64_t n);

/// True where `error` is an out-of-memory error of LibTorch on either device, or std::bad_alloc.
[[nodiscard]] bool is_out_of_memory(const std::exception& error);

/// Marks what is allocated from here to the end of the scope, on this thread, as the stage's.
/// Nests.
class StageMark {
 public:
  explicit StageMark(int stage);
  ~StageMark();
  StageMark(const StageMark&) = delete;
  StageMark& operator=(const StageMark&) = delete;

 private:
  int outer_;
};

/// The same for the phase.
class PhaseMark {
 public:
  explicit PhaseMark(plan::Phase phase);
  ~PhaseMark();
  PhaseMark(const PhaseMark&) = delete;
  PhaseMark& operator=(const PhaseMark&) = delete;

 private:
  plan::Phase outer_;
};

}  // namespace headroom::memory
