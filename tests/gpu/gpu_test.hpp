#pragma once
// A test that needs a GPU, and the settings of a small network on it.

#include <gtest/gtest.h>

#include "core/base/settings.hpp"
#include "core/memory/runtime.hpp"

namespace headroom::tests {

/// Skipped, with the reason, where no GPU can be used.
class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (memory::cuda_meters().empty()) {
      GTEST_SKIP() << memory::why_no_cuda();
    }
  }
};

/// levels 3, base 8, 3x64x64, batch 2, with deterministic algorithms.
inline base::Settings gpu_settings() {
  base::Settings settings;
  settings.model.levels = 3;
  settings.model.base_channels = 8;
  settings.step.tile_height = settings.step.tile_width = 64;
  settings.step.batch = 2;
  settings.step.precision = base::Precision::fp32;
  settings.step.device = "cuda";
  settings.step.deterministic = true;
  return settings;
}

}  // namespace headroom::tests
