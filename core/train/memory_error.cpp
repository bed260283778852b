#include "core/train/memory_error.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/byte_size.hpp"
#include "core/plan/plan.hpp"

namespace headroom::train {
namespace {

/// What a step that did not fit can still try under this plan.
std::string step_remedy(const plan::Plan& plan) {
  const bool all_full =
      std::ranges::all_of(plan, [](plan::Policy policy) { return policy == plan::Policy::full; });
  return all_full ? "Try a smaller --tile or --batch, or a larger --budget"
                  : "Try --plan full, a smaller --tile or --batch, or a larger --budget";
}

/// "step 3, tile 512x512, batch 2, plan keep"; "batch 2 in parts of 1".
std::string work_text(const StepAttempt& attempt) {
  const base::StepSettings& settings = attempt.settings;
  const std::string step = attempt.number > 0 ? fmt::format("step {}, ", attempt.number) : "";
  const std::string parts =
      attempt.tiles_at_once > 0 ? fmt::format(" in parts of {}", attempt.tiles_at_once) : "";
  return fmt::format("{}tile {}x{}, batch {}{}, plan {}", step, settings.tile_height,
                     settings.tile_width, settings.batch, parts,
                     plan::to_string(attempt.model.plan(), attempt.model.stage_names()));
}

}  // namespace

base::Error memory_error(const std::string& attempted, const std::string& work, c10::Device device,
                         const std::string& remedy, const std::exception& refusal) {
  const memory::MemoryMeter& meter = memory::meter_of(device);
  const memory::MeterReading reading = meter.reading();
  const std::int64_t budget = meter.budget();
  const std::string need =
      reading.refused_bytes > 0
          ? "was refused at " + base::format_bytes(reading.refused_bytes)
          : "had " + base::format_bytes(reading.live_bytes) + " and was refused more";
  const auto* of_torch = dynamic_cast<const c10::Error*>(&refusal);
  return {base::ErrorKind::out_of_memory,
          {.attempted = attempted,
           .subject = fmt::format(
               "{} {}, {}", work, need,
               budget > 0 ? "the budget is " + base::format_bytes(budget) : "without a budget"),
           .remedy = remedy,
           .detail = of_torch != nullptr ? of_torch->what_without_backtrace() : refusal.what()}};
}

base::Error step_memory_error(const StepAttempt& attempt, const std::exception& refusal) {
  base::Error error = memory_error(attempt.attempted, work_text(attempt), attempt.device,
                                   step_remedy(attempt.model.plan()), refusal);
  memory::meter_of(attempt.device).release_cached();
  return error;
}

}  // namespace headroom::train
