#include "app/fit_check.hpp"

#include <fmt/format.h>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/plan/planner.hpp"
#include "core/train/bench.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

/// Peak of a step under the budget; nothing where memory was refused.
std::optional<std::int64_t> peak_of_step(const FitCheckRequest& request,
                                         const plan::BatchShape& shape, const plan::Plan& plan,
                                         const std::stop_token& stop) {
  train::BenchOptions options;
  options.settings = request.settings;
  options.settings.step.batch = shape.batch;
  options.settings.step.tile_height = shape.height;
  options.settings.step.tile_width = shape.width;
  options.settings.step.budget_bytes = request.limits.budget_bytes;
  options.plans = {plan::to_string(plan, request.costs.stages)};
  options.warmup = options.repeat = 1;
  try {
    return train::bench_plans(options, models::make_model, stop)
        .cases.front()
        .median.peak_total_bytes;
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::out_of_memory) throw;
    return std::nullopt;
  }
}

/// Why a step of a size that the map leaves out ran all the same.
std::string reason(const FitCheckRequest& request, const plan::StepPrediction& predicted,
                   std::int64_t measured_peak_bytes) {
  const std::string measured = base::format_bytes(measured_peak_bytes);
  if (predicted.peak_total_bytes <= request.limits.budget_bytes)
    return fmt::format("runs with {}, of which the reserve of {} is a part", measured,
                       base::format_bytes(request.limits.reserve_bytes));
  if (predicted.peak_phase == plan::Phase::validation)
    return fmt::format("a step runs with {}, but validation needs {}", measured,
                       base::format_bytes(predicted.peak_total_bytes));
  return fmt::format("runs with {}, predicted were {}", measured,
                     base::format_bytes(predicted.peak_total_bytes));
}

void check_next(const FitCheckRequest& request, plan::BatchShape shape, FitCheck& check,
                const std::stop_token& stop) {
  shape.height = shape.width = shape.height + request.costs.stride;
  if (shape.height > request.limits.max_side) {
    check.next_text = "beyond the largest side that is looked at";
    return;
  }
  const plan::StepPixels pixels = plan::pixels_of(shape, request.costs.stride);
  const auto least = plan::least_memory_plan(plan::costs_at(request.costs, pixels), stop);
  if (!least) return;
  ++check.probes;
  const auto peak = peak_of_step(request, shape, least->plan, stop);
  check.next_fails = !peak;
  check.next_text =
      peak ? fmt::format("{}: {}", shape.height, reason(request, least->predicted, *peak))
           : fmt::format("{} fails, as it should", shape.height);
}

}  // namespace

FitCheck check_fit(const FitCheckRequest& request, const plan::FitCell& cell,
                   const std::stop_token& stop) {
  FitCheck check;
  ++check.probes;
  check.measured_peak_bytes = peak_of_step(request, cell.shape, cell.cheapest.value().plan, stop);
  check_next(request, cell.shape, check, stop);
  return check;
}

}  // namespace headroom::app
