#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "core/memory/meter.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/random_plans.hpp"
#include "models/unet.hpp"
#include "tools/engine_figures/parts.hpp"

namespace headroom {

Figures measure_leak(const PartOptions& options) {
  base::Settings settings = reference_settings(options);
  settings.model.levels = 3;
  settings.model.base_channels = 4;
  settings.model.dropout = 0.1;
  settings.step.tile_height = settings.step.tile_width = 32;
  settings.step.threads = 1;
  const std::int64_t steps = options.is_quick ? 20 : 500;

  train::GeneratedTask task(settings, models::make_model);
  const memory::MemoryMeter& meter = memory::meter_of(task.compute().device);
  std::int64_t after_first = 0, last = 0, furthest = 0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    task.model().set_plan(
        train::random_plan({plan::Policy::keep, plan::Policy::light, plan::Policy::full},
                           task.model().stages().size(), /*seed=*/0, step));
    static_cast<void>(task.step(step, {}));
    last = meter.reading().live_bytes;
    if (step == 1) after_first = last;
    furthest = std::max(furthest, std::abs(last - after_first));
  }
  const auto figure = [](const char* what, std::int64_t bytes) {
    return Figure{
        .part = "leak", .what = what, .value = static_cast<double>(bytes), .unit = "bytes"};
  };
  Figures figures = {
      figure("live after the first step", after_first),
      figure("live after the last step, less after the first", std::abs(last - after_first)),
      figure("the same, furthest of all steps", furthest)};
  figures[1].bar = 0;
  return figures;
}

}  // namespace headroom
