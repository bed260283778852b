#include "core/plan/fit_map.hpp"

#include <algorithm>

#include "core/plan/planner.hpp"

namespace headroom::plan {
namespace {

bool is_growing(const std::vector<Affine>& envelope) {
  return std::ranges::all_of(envelope, [](const Affine& each) {
    return each.per_pixel >= 0 && each.per_pixel + each.per_image_pixel >= 0;
  });
}

/// Whether no plan's peak can fall as the pixels grow.
bool grows_with_pixels(const StepCosts& costs) {
  for (const StepMoment& moment : costs.moments) {
    for (const CostTable& table : moment.bytes) {
      if (!std::ranges::all_of(table.by_combination, is_growing)) return false;
    }
  }
  return is_growing(costs.validation_bytes);
}

bool fits(const StepCosts& costs, const BatchShape& shape, const FitLimits& limits,
          const std::stop_token& stop) {
  const auto least = least_peak_bytes(costs_at(costs, pixels_of(shape, costs.stride)), stop);
  return least && *least <= limits.usable_bytes();
}

/// The largest number from 1 to `most` for which `holds`; 0: none. With `falling` it holds for all
/// numbers below that one too.
template <typename Holds>
std::int64_t largest_for_which(const Holds& holds, std::int64_t most, bool falling) {
  if (!falling) {
    while (most > 0 && !holds(most)) --most;
    return most;
  }
  std::int64_t held = 0, failed = most + 1;
  while (failed - held > 1) {
    const std::int64_t middle = held + (failed - held) / 2;
    (holds(middle) ? held : failed) = middle;
  }
  return held;
}

/// `shape_of(n)`: the shape whose side is n times the stride.
template <typename ShapeOf>
std::optional<FitCell> largest_shape(const StepCosts& costs, const ShapeOf& shape_of,
                                     const FitLimits& limits, const std::stop_token& stop) {
  const std::int64_t largest =
      largest_for_which([&](std::int64_t n) { return fits(costs, shape_of(n), limits, stop); },
                        limits.max_side / costs.stride, grows_with_pixels(costs));
  if (largest == 0) return std::nullopt;
  return fit_cell(costs, shape_of(largest), limits, stop);
}

}  // namespace

StepPixels pixels_of(const BatchShape& shape, std::int64_t stride) {
  return {.step = padded_pixels(shape.batch, shape.height, shape.width, stride),
          .image = padded_pixels(1, shape.height, shape.width, stride)};
}

FitCell fit_cell(const StepCosts& costs, const BatchShape& shape, const FitLimits& limits,
                 const std::stop_token& stop) {
  const SizedCosts sized = costs_at(costs, pixels_of(shape, costs.stride));
  FitCell cell;
  cell.shape = shape;
  cell.cheapest = cheapest_plan(sized, limits.usable_bytes() - limits.margin_bytes, stop);
  if (cell.fits()) return cell;
  const std::optional<PlanChoice> least = least_memory_plan(sized, stop);
  if (!least) return cell;
  if (least->predicted.peak_total_bytes <= limits.usable_bytes()) {
    cell.cheapest = least;
  } else {
    cell.least_bytes = least->predicted.peak_total_bytes;
  }
  return cell;
}

std::optional<FitCell> largest_square(const StepCosts& costs, std::int64_t batch,
                                      const FitLimits& limits, const std::stop_token& stop) {
  const auto shape_of = [&](std::int64_t n) {
    return BatchShape{.batch = batch, .height = n * costs.stride, .width = n * costs.stride};
  };
  return largest_shape(costs, shape_of, limits, stop);
}

std::optional<FitCell> widest_tile(const StepCosts& costs, std::int64_t batch, std::int64_t height,
                                   const FitLimits& limits, const std::stop_token& stop) {
  const auto shape_of = [&](std::int64_t n) {
    return BatchShape{.batch = batch, .height = height, .width = n * costs.stride};
  };
  return largest_shape(costs, shape_of, limits, stop);
}

FitMap fit_map(const StepCosts& costs, const std::vector<std::int64_t>& batches,
               const std::vector<std::int64_t>& sides, const FitLimits& limits,
               const std::stop_token& stop) {
  FitMap map = {.batches = batches, .sides = sides};
  for (const std::int64_t batch : batches) {
    for (const std::int64_t side : sides) {
      const BatchShape shape = {.batch = batch, .height = side, .width = side};
      map.cells.push_back(fit_cell(costs, shape, limits, stop));
    }
    map.largest.push_back(largest_square(costs, batch, limits, stop));
  }
  return map;
}

}  // namespace headroom::plan
