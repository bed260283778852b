#include "app/budget_fit.hpp"

#include <gtest/gtest.h>

#include "core/train/generated_task.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

base::Settings network(std::int64_t levels, std::int64_t base_channels, std::int64_t classes) {
  base::Settings settings;
  settings.model.levels = levels;
  settings.model.base_channels = base_channels;
  settings.model.classes = classes;
  settings.step.precision = base::Precision::fp32;
  settings.step.threads = 1;
  settings.step.plan = "keep";
  return train::for_generated_input(settings);
}

std::int64_t measured_keep_bytes(const base::Settings& settings) {
  train::GeneratedTask task(settings, models::make_model);
  return task.step(1, {}).measured.peak_total_bytes;
}

TEST(KeepBytesBound, NetworksOfSeveralShapes_IsAboveWhatAStepTakes) {
  for (base::Settings settings : {network(2, 4, 2), network(3, 16, 2), network(4, 8, 12),
                                  network(6, 4, 2), network(2, 2, 60)}) {
    for (const std::int64_t side : {64, 160}) {
      settings.step.tile_height = settings.step.tile_width = side;
      EXPECT_GT(keep_bytes_bound(settings), measured_keep_bytes(settings))
          << "levels " << settings.model.levels << ", base " << settings.model.base_channels
          << ", side " << side;
    }
  }
}

TEST(KeepBytesBound, SizeBeyondAllBytes_IsTheHighest) {
  base::Settings settings = network(8, 4096, 200);
  settings.step.batch = std::int64_t{1} << 40;
  EXPECT_EQ(keep_bytes_bound(settings), std::int64_t{1} << 62);
}

TEST(LimitsOf, Reserve_IsTakenBeforeTheMargin) {
  const plan::FitLimits limits = limits_of(3000, 1000);
  EXPECT_EQ(limits.usable_bytes(), 2000);
  EXPECT_EQ(limits.margin_bytes, 10);
}

}  // namespace
}  // namespace headroom::app
