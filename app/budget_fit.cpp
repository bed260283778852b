#include "app/budget_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/byte_size.hpp"

namespace headroom::app {
namespace {

constexpr std::int64_t kReserveDivisor = 200;

/// The first that fits of half the batch, a quarter of it, …
std::optional<std::int64_t> smaller_batch(const plan::StepCosts& costs, plan::BatchShape shape,
                                          const plan::FitLimits& limits) {
  while (shape.batch > 1) {
    shape.batch /= 2;
    if (plan::fit_cell(costs, shape, limits).fits()) return shape.batch;
  }
  return std::nullopt;
}

std::string remedy_for(const plan::StepCosts& costs, const plan::BatchShape& shape,
                       const plan::FitLimits& limits) {
  std::string remedy;
  if (const auto square = plan::largest_square(costs, shape.batch, limits);
      square && square->shape.height < std::max(shape.height, shape.width)) {
    remedy += fmt::format("--tile {}, ", square->shape.height);
  }
  if (const auto batch = smaller_batch(costs, shape, limits))
    remedy += fmt::format("--batch {}, ", *batch);
  if (remedy.empty()) remedy = "fewer --base-channels or --levels, ";
  return fmt::format("Try {}or a larger --budget", remedy);
}

}  // namespace

plan::FitLimits limits_of(std::int64_t budget_bytes) {
  return {.budget_bytes = budget_bytes, .reserve_bytes = budget_bytes / kReserveDivisor};
}

plan::BatchShape shape_of(const base::StepSettings& settings) {
  return {.batch = settings.batch, .height = settings.tile_height, .width = settings.tile_width};
}

base::Error no_plan_fits(const plan::StepCosts& costs, const plan::BatchShape& shape,
                         const plan::FitLimits& limits) {
  const auto least = plan::fit_cell(costs, shape, limits).least_bytes;
  return {base::ErrorKind::out_of_memory,
          {.attempted = "choosing a plan for the training step",
           .subject = fmt::format(
               "no plan fits tile {}x{}, batch {}: the least needs {}, the budget is {} with {} of "
               "it in reserve",
               shape.height, shape.width, shape.batch, base::format_bytes(least.value_or(0)),
               base::format_bytes(limits.budget_bytes), base::format_bytes(limits.reserve_bytes)),
           .remedy = remedy_for(costs, shape, limits)}};
}

}  // namespace headroom::app
