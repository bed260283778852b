#include "core/memory/cpu_meter.hpp"

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/machine_memory.hpp"

namespace headroom::memory {
namespace {

/// Blocks below this come from malloc: they are many, short-lived and few bytes in sum.
constexpr std::int64_t kSmallBytes = std::int64_t{256} << 10;
constexpr std::size_t kAlignment = 64;

std::size_t stage_slot(int stage) { return static_cast<std::size_t>(stage + 1); }

}  // namespace

/// In front of every block; its size keeps the data aligned.
struct alignas(kAlignment) CpuMeter::Header {
  std::int64_t bytes = 0;        ///< as asked for by LibTorch
  std::int64_t block_bytes = 0;  ///< with this header, as taken from pool or system
  int stage = kNoStage;
  plan::Phase phase = plan::Phase::data;
  bool pooled = false;
};

CpuMeter::CpuMeter() : pool_(4 * base::read_machine_memory().total_bytes) {}

CpuMeter& cpu_meter() {
  // Never destroyed: tensors in static storage are freed after main.
  static auto* meter = new CpuMeter;
  return *meter;
}

MeterMarks& thread_marks() {
  thread_local MeterMarks marks;
  return marks;
}

void CpuMeter::begin_window() {
  const std::lock_guard lock(mutex_);
  previous_peak_bytes_ = window_.peak_bytes;
  window_.live_before_bytes = window_.live_bytes;
  window_.peak_bytes = window_.live_bytes;
  window_.peak_stage = kNoStage;
  window_.refused_bytes = 0;
  window_.peak_phase = thread_marks().phase;
  window_.at_peak_by_stage = live_by_stage_;
  window_.at_peak_by_phase = live_by_phase_;
  pool_.trim(
      static_cast<std::int64_t>(kReservedToPeak * static_cast<double>(previous_peak_bytes_)) -
      small_reserved_bytes_);
  window_.peak_reserved_bytes = 0;
  note_reserved();
}

MeterReading CpuMeter::reading() const {
  const std::lock_guard lock(mutex_);
  return window_;
}

void CpuMeter::set_budget(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  budget_bytes_ = bytes;
}

std::int64_t CpuMeter::budget() const {
  const std::lock_guard lock(mutex_);
  return budget_bytes_;
}

void CpuMeter::release_cached() {
  const std::lock_guard lock(mutex_);
  pool_.trim(0);
  note_reserved();
}

void CpuMeter::begin_recording(std::size_t most_events) {
  MeterRecording recording;
  recording.events.reserve(most_events);
  const std::lock_guard lock(mutex_);
  recording.live_before_by_stage = live_by_stage_;
  recording.live_blocks_before = live_blocks_;
  recording_ = std::move(recording);
}

MeterRecording CpuMeter::end_recording() {
  const std::lock_guard lock(mutex_);
  return std::exchange(recording_, std::nullopt).value_or(MeterRecording{});
}

std::size_t CpuMeter::recorded_events() const {
  const std::lock_guard lock(mutex_);
  return recording_ ? recording_->events.size() : 0;
}

std::optional<MeterBlock> CpuMeter::block_of(const c10::DataPtr& data) {
  if (data.get() == nullptr || data.get_deleter() != &CpuMeter::release) {
    return std::nullopt;
  }
  const auto* header = static_cast<const Header*>(data.get_context()) - 1;
  return MeterBlock{header->bytes, header->stage, header->phase};
}

void CpuMeter::record(const Header& header, std::int64_t bytes) noexcept {
  std::vector<MeterEvent>& events = recording_->events;
  if (events.size() < events.capacity()) {
    events.push_back(
        {std::chrono::steady_clock::now(), bytes, header.stage, header.phase, &header + 1});
  } else {
    recording_->is_complete = false;
  }
}

void CpuMeter::fail_allocation(std::int64_t n) {
  const std::lock_guard lock(mutex_);
  failing_allocation_ = n;
}

void CpuMeter::check_budget(std::int64_t bytes) {
  const bool injected = failing_allocation_ > 0 && --failing_allocation_ == 0;
  const std::int64_t needed = window_.live_bytes + bytes;
  if (injected || (budget_bytes_ > 0 && needed > budget_bytes_)) {
    window_.refused_bytes = needed;
    TORCH_CHECK_WITH(OutOfMemoryError, false, "CPU out of memory: ", bytes, " bytes more make ",
                     needed, " live tensor bytes, the budget is ", budget_bytes_,
                     injected ? " (injected)" : "");
  }
}

void CpuMeter::count(const Header& header, std::int64_t bytes) {
  live_by_stage_[stage_slot(header.stage)] += bytes;
  live_by_phase_[static_cast<std::size_t>(header.phase)] += bytes;
  live_blocks_ += bytes > 0 ? 1 : -1;
  window_.live_bytes += bytes;
  if (window_.live_bytes > window_.peak_bytes) {
    window_.peak_bytes = window_.live_bytes;
    window_.peak_stage = thread_marks().stage;
    window_.peak_phase = thread_marks().phase;
    window_.at_peak_by_stage = live_by_stage_;
    window_.at_peak_by_phase = live_by_phase_;
  }
  if (recording_) {
    record(header, bytes);
  }
}

void CpuMeter::note_reserved() {
  window_.reserved_bytes = pool_.committed_bytes() + small_reserved_bytes_;
  window_.peak_reserved_bytes = std::max(window_.peak_reserved_bytes, window_.reserved_bytes);
}

CpuMeter::Header* CpuMeter::take_block(std::int64_t bytes) {
  const std::int64_t block_bytes = bytes + static_cast<std::int64_t>(sizeof(Header));
  void* block = nullptr;
  const bool pooled = block_bytes >= kSmallBytes;
  if (pooled) {
    const std::int64_t peak =
        std::max({previous_peak_bytes_, window_.peak_bytes, window_.live_bytes + bytes});
    const auto limit = static_cast<std::int64_t>(kReservedToPeak * static_cast<double>(peak));
    block = pool_.allocate(block_bytes, limit - small_reserved_bytes_);
  } else if (posix_memalign(&block, kAlignment, static_cast<std::size_t>(block_bytes)) == 0) {
    small_reserved_bytes_ += block_bytes;
  } else {
    block = nullptr;
  }
  if (block == nullptr) {
    window_.refused_bytes = window_.live_bytes + bytes;
  }
  TORCH_CHECK_WITH(OutOfMemoryError, block != nullptr, "CPU out of memory: the system refused ",
                   block_bytes, " bytes");
  return new (block) Header{bytes, block_bytes, thread_marks().stage, thread_marks().phase, pooled};
}

c10::DataPtr CpuMeter::allocate(std::size_t size) {
  if (size == 0) {
    return {nullptr, nullptr, &CpuMeter::release, c10::Device(c10::kCPU)};
  }
  const auto bytes = static_cast<std::int64_t>(size);
  const std::lock_guard lock(mutex_);
  check_budget(bytes);
  Header* header = take_block(bytes);
  count(*header, bytes);
  note_reserved();
  void* data = header + 1;
  return {data, data, &CpuMeter::release, c10::Device(c10::kCPU)};
}

void CpuMeter::free_block(Header* header) noexcept {
  const std::lock_guard lock(mutex_);
  count(*header, -header->bytes);
  if (header->pooled) {
    pool_.release(header, header->block_bytes);
  } else {
    small_reserved_bytes_ -= header->block_bytes;
    std::free(header);
  }
  note_reserved();
}

void CpuMeter::release(void* data) noexcept {
  if (data != nullptr) {
    cpu_meter().free_block(static_cast<Header*>(data) - 1);
  }
}

c10::DeleterFnPtr CpuMeter::raw_deleter() const { return &CpuMeter::release; }

void CpuMeter::copy_data(void* to, const void* from, std::size_t bytes) const {
  default_copy_data(to, from, bytes);
}

}  // namespace headroom::memory
