#include "app/fit_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/plan/planner.hpp"
#include "core/train/generated_task.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

/// Why a step of a size that the map leaves out ran all the same.
std::string reason(const plan::StepPrediction& predicted, std::int64_t measured_peak_bytes) {
  const std::string measured = base::format_bytes(measured_peak_bytes);
  const std::string expected = base::format_bytes(predicted.peak_total_bytes);
  if (predicted.peak_phase == plan::Phase::validation)
    return fmt::format("a step runs with {}, but validation needs {}", measured, expected);
  return fmt::format("runs with {}, predicted were {}", measured, expected);
}

class Check {
 public:
  Check(const FitCheckRequest& request, std::stop_token stop)
      : request_(request), stop_(std::move(stop)) {}

  FitCheck run(const plan::FitCell& cell) {
    if (runs(cell)) {
      run_next(cell.shape);
      return check_;
    }
    check_.next_fails = true;
    check_.next_text = fmt::format("{} fails", cell.shape.height);
    plan::BatchShape smaller = cell.shape;
    smaller.height = smaller.width = cell.shape.height - request_.costs.stride;
    if (smaller.height < request_.costs.stride) return check_;
    const plan::FitCell below = plan::fit_cell(request_.costs, smaller, request_.limits, stop_);
    if (below.fits()) static_cast<void>(runs(below));
    return check_;
  }

 private:
  bool runs(const plan::FitCell& cell) {
    ++check_.probes;
    const auto peak = peak_of_step(request_, cell.shape, cell.cheapest.value().plan, stop_);
    if (!peak) return false;
    check_.verified = cell;
    check_.measured_peak_bytes = *peak;
    return true;
  }

  /// By the plan of the lowest peak: where that fails, all do.
  void run_next(plan::BatchShape shape) {
    shape.height = shape.width = shape.height + request_.costs.stride;
    if (shape.height > request_.limits.max_side) {
      check_.next_text = "not looked at";
      return;
    }
    const plan::StepPixels pixels = plan::pixels_of(shape, request_.costs.stride);
    const auto least = plan::least_memory_plan(plan::costs_at(request_.costs, pixels), stop_);
    if (!least) return;
    ++check_.probes;
    const auto peak = peak_of_step(request_, shape, least->plan, stop_);
    check_.next_fails = !peak;
    check_.next_text =
        fmt::format("{} {}", shape.height, peak ? reason(least->predicted, *peak) : "fails");
  }

  const FitCheckRequest& request_;
  std::stop_token stop_;
  FitCheck check_;
};

}  // namespace

std::optional<std::int64_t> peak_of_step(const FitCheckRequest& request,
                                         const plan::BatchShape& shape, const plan::Plan& plan,
                                         const std::stop_token& stop) {
  base::Settings settings = request.settings;
  settings.step.batch = shape.batch;
  settings.step.tile_height = shape.height;
  settings.step.tile_width = shape.width;
  settings.step.budget_bytes = request.limits.usable_bytes();
  try {
    train::GeneratedTask task(settings, models::make_model);
    task.model().set_plan(plan);
    const std::int64_t peak_bytes = task.step(1, stop).measured.peak_total_bytes;
    return std::max(peak_bytes, task.validation_peak_bytes(stop));
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::out_of_memory) throw;
    return std::nullopt;
  }
}

FitCheck check_fit(const FitCheckRequest& request, const plan::FitCell& cell,
                   const std::stop_token& stop) {
  return Check(request, stop).run(cell);
}

}  // namespace headroom::app
