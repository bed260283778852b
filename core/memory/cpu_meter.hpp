#pragma once
// The meter of the CPU: the allocator that LibTorch calls for every CPU tensor. One in the process,
// made by install_runtime().

#include <c10/core/Allocator.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "core/memory/block_pool.hpp"
#include "core/memory/meter.hpp"

namespace headroom::memory {

/// One allocation (bytes above 0) or free (below).
struct MeterEvent {
  std::chrono::steady_clock::time_point time{};
  std::int64_t bytes = 0;
  int stage = kNoStage;                   ///< that allocated the block
  plan::Phase phase = plan::Phase::data;  ///< in which it was allocated
  const void* block = nullptr;            ///< the address of its data
};

/// A block that is live, as the meter knows it.
struct MeterBlock {
  std::int64_t bytes = 0;
  int stage = kNoStage;  ///< that allocated it
  plan::Phase phase = plan::Phase::data;
};

/// Everything that was allocated and freed for a while, in order.
struct MeterRecording {
  std::array<std::int64_t, kMaxStages + 1> live_before_by_stage{};  ///< as MeterReading has it
  std::int64_t live_blocks_before = 0;
  std::vector<MeterEvent> events{};
  bool is_complete = true;  ///< false: events came when there was no room left for them
};

class CpuMeter final : public MemoryMeter, public c10::Allocator {
 public:
  CpuMeter();

  // MemoryMeter
  void begin_window() override;
  [[nodiscard]] MeterReading reading() const override;
  void set_budget(std::int64_t bytes) override;
  [[nodiscard]] std::int64_t budget() const override;
  void release_cached() override;

  // c10::Allocator. The context of a DataPtr is its data pointer, so that raw allocation works.
  c10::DataPtr allocate(std::size_t bytes) override;
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override;
  void copy_data(void* to, const void* from, std::size_t bytes) const override;

  /// Events are recorded from here on, replacing what was recorded before. Room for `most_events`
  /// is made now, in memory that is not counted.
  void begin_recording(std::size_t most_events);
  /// How many the recording has by now.
  [[nodiscard]] std::size_t recorded_events() const;
  /// Empty where nothing was recorded.
  [[nodiscard]] MeterRecording end_recording();

  /// Nothing where `data` is no memory of this meter.
  [[nodiscard]] static std::optional<MeterBlock> block_of(const c10::DataPtr& data);

  /// The n-th allocation from now on fails; 0: none does.
  void fail_allocation(std::int64_t n);

  /// Tensor bytes above which free blocks are not kept: reserved bytes stay below this many times
  /// the peak.
  static constexpr double kReservedToPeak = 1.1;

 private:
  struct Header;

  void free_block(Header* header) noexcept;
  void count(const Header& header, std::int64_t bytes);
  void record(const Header& header, std::int64_t bytes) noexcept;
  void check_budget(std::int64_t bytes);
  [[nodiscard]] Header* take_block(std::int64_t bytes);
  void note_reserved();
  static void release(void* data) noexcept;

  mutable std::mutex mutex_;
  BlockPool pool_;
  MeterReading window_;
  std::array<std::int64_t, kMaxStages + 1> live_by_stage_{};
  std::array<std::int64_t, plan::kPhases> live_by_phase_{};
  std::int64_t live_blocks_ = 0;
  std::optional<MeterRecording> recording_{};
  std::int64_t small_reserved_bytes_ = 0;
  std::int64_t previous_peak_bytes_ = 0;
  std::int64_t budget_bytes_ = 0;
  std::int64_t failing_allocation_ = 0;
};

/// The process's CPU meter; made at the first call, which install_runtime() makes.
[[nodiscard]] CpuMeter& cpu_meter();

/// Stage and phase at work on this thread.
struct MeterMarks {
  int stage = kNoStage;
  plan::Phase phase = plan::Phase::data;
};
[[nodiscard]] MeterMarks& thread_marks();

}  // namespace headroom::memory
