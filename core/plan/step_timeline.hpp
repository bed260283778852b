#pragma once
// Live bytes of one training step over time, by owner, with what ran when. A value; immutable once
// it is shared.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/plan/plan.hpp"

namespace headroom::plan {

/// One stretch of a step. Spans follow each other; a repeat inside backward is a span of its own.
struct TimelineSpan {
  static constexpr int kNoOwner = -1;  ///< loss, optimizer, data

  double begin_seconds = 0, end_seconds = 0;  ///< since the step's beginning
  Phase phase = Phase::data;
  int owner = kNoOwner;  ///< index into StepTimeline::owners

  friend bool operator==(const TimelineSpan&, const TimelineSpan&) = default;
};

/// One tensor, or one buffer of an operation, that was live when a step's peak was reached.
struct PeakTensor {
  std::int64_t bytes = 0;  ///< of its memory
  /// "output of enc1.conv_a", "gradient of head.weight", "work buffer of dec1.conv_b's backward"
  std::string role{};
  std::vector<std::int64_t> shape{};   ///< empty for a scalar, and where it was no tensor
  std::string dtype{};                 ///< "fp32", "bf16", …; empty where it was no tensor
  int owner = TimelineSpan::kNoOwner;  ///< index into StepTimeline::owners: who allocated it
  Phase phase = Phase::data;           ///< in which it was allocated

  friend bool operator==(const PeakTensor&, const PeakTensor&) = default;
};

/// At every point the owners' bytes add up to the allocator's live bytes. Of a step with more
/// events than kPoints, each point but the peak stands for several: the highest one of its stretch.
struct StepTimeline {
  static constexpr std::size_t kPoints = 600;

  std::int64_t step = 0;  ///< 1-based
  double total_seconds = 0;
  /// Stages in order, then "head", then "other": weights, optimizer state, batch, loss.
  std::vector<std::string> owners{};
  std::vector<double> seconds{};           ///< [points], ascending, since the step's beginning
  std::vector<std::int64_t> live_bytes{};  ///< [points, owners]
  std::vector<TimelineSpan> spans{};
  std::size_t peak_point = 0;
  Phase peak_phase = Phase::data;
  int peak_owner = TimelineSpan::kNoOwner;  ///< at work when the peak was reached
  /// What was live at the peak by the phase in which it was allocated; adds up to its bytes.
  std::array<std::int64_t, kPhases> peak_bytes_by_phase{};
  /// What was live at the peak and has a name, largest first. With what has none this adds up to
  /// the peak's bytes.
  std::vector<PeakTensor> peak_tensors{};
  std::int64_t peak_unnamed_bytes = 0;
  std::int64_t peak_unnamed_blocks = 0;
  Plan plan{};

  [[nodiscard]] std::int64_t bytes(std::size_t point, std::size_t owner) const {
    return live_bytes[point * owners.size() + owner];
  }
  /// Sum over the owners.
  [[nodiscard]] std::int64_t total_bytes(std::size_t point) const {
    std::int64_t sum = 0;
    for (std::size_t owner = 0; owner < owners.size(); ++owner) sum += bytes(point, owner);
    return sum;
  }
};

}  // namespace headroom::plan
