#pragma once
// What batch and resolution fit a budget, and by which plan. Pure functions; any thread, as a job.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/plan/cost_model.hpp"

namespace headroom::plan {

/// A micro-batch of `batch` tiles; the sides in pixels.
struct BatchShape {
  std::int64_t batch = 1;
  std::int64_t height = 0, width = 0;

  friend bool operator==(const BatchShape&, const BatchShape&) = default;
};

/// The pixels of a step of this shape whose validation tile is one tile of it.
[[nodiscard]] StepPixels pixels_of(const BatchShape& shape, std::int64_t stride);

struct FitLimits {
  std::int64_t budget_bytes = 0;
  std::int64_t reserve_bytes = 0;  ///< of the budget, left to other processes
  /// Of what is usable, kept free where a plan does it: a predicted peak may be so much too low.
  std::int64_t margin_bytes = 0;
  /// Where the search for the largest side ends.
  std::int64_t max_side = 16384;

  [[nodiscard]] std::int64_t usable_bytes() const { return budget_bytes - reserve_bytes; }
};

struct FitCell {
  BatchShape shape{};
  /// The fastest plan that fits and keeps the margin free; where none does, the plan of the lowest
  /// peak, if that fits. Nothing: no plan fits. As the budget falls, neither does the peak rise nor
  /// do the seconds fall.
  std::optional<PlanChoice> cheapest{};
  /// The lowest peak of any plan; given only where nothing fits, and not where no plan was
  /// measured.
  std::optional<std::int64_t> least_bytes{};

  [[nodiscard]] bool fits() const { return cheapest.has_value(); }
  friend bool operator==(const FitCell&, const FitCell&) = default;
};

/// One cell; a tile of any aspect. Throws base::Error (interrupted) when `stop` is requested, as
/// all here.
[[nodiscard]] FitCell fit_cell(const StepCosts& costs, const BatchShape& shape,
                               const FitLimits& limits, const std::stop_token& stop = {});

/// The largest square tile, its side a multiple of the stride; nothing where not even one of the
/// stride fits.
[[nodiscard]] std::optional<FitCell> largest_square(const StepCosts& costs, std::int64_t batch,
                                                    const FitLimits& limits,
                                                    const std::stop_token& stop = {});

/// The widest tile of this height, its width a multiple of the stride.
[[nodiscard]] std::optional<FitCell> widest_tile(const StepCosts& costs, std::int64_t batch,
                                                 std::int64_t height, const FitLimits& limits,
                                                 const std::stop_token& stop = {});

struct FitMap {
  std::vector<std::int64_t> batches{}, sides{};   ///< as asked for
  std::vector<FitCell> cells{};                   ///< [batches, sides]
  std::vector<std::optional<FitCell>> largest{};  ///< [batches], largest_square of each

  [[nodiscard]] const FitCell& cell(std::size_t batch, std::size_t side) const {
    return cells[batch * sides.size() + side];
  }
};

/// Square tiles of every batch and side; a side that is no multiple of the stride counts as padded.
[[nodiscard]] FitMap fit_map(const StepCosts& costs, const std::vector<std::int64_t>& batches,
                             const std::vector<std::int64_t>& sides, const FitLimits& limits,
                             const std::stop_token& stop = {});

}  // namespace headroom::plan
