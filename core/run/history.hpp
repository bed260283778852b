#pragma once
// The values of a run, step by step, in bounded memory: what charts are drawn from. A value; the
// worker's copy grows, published copies never change.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/run/session.hpp"

namespace headroom::run {

/// What is left of the values of consecutive steps. NaN and infinite values count in `first` and
/// `last` only.
struct SeriesBucket {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  double first = 0;
  double last = 0;
  double low = 0;          ///< lowest; NaN when no value was finite
  double high = 0;         ///< highest; the same
  double sum = 0;          ///< of the finite values
  std::int64_t count = 0;  ///< finite values

  friend bool operator==(const SeriesBucket&, const SeriesBucket&) = default;
};

/// One quantity over the steps. Buckets hold equally many values (the last may hold fewer): one at
/// first; each time all kBuckets are full, neighbours are merged. First, last, lowest and highest
/// value are never lost.
class Series {
 public:
  static constexpr std::size_t kBuckets = 2048;

  void add(std::int64_t step, double value);

  [[nodiscard]] const std::vector<SeriesBucket>& buckets() const { return buckets_; }
  /// Values that a full bucket holds.
  [[nodiscard]] std::int64_t values_per_bucket() const { return values_per_bucket_; }

 private:
  void merge_neighbours();

  std::vector<SeriesBucket> buckets_{};
  std::int64_t values_per_bucket_ = 1;
  std::int64_t values_in_last_ = 0;
};

struct StepHistory {
  Series loss{};
  Series learning_rate{};
  Series step_seconds{};
  std::array<Series, plan::kPhases> phase_seconds{};
  Series peak_bytes{};
  Series peak_total_bytes{};
  Series reserved_bytes{};

  void add(const StepReport& report);
};

}  // namespace headroom::run
