// What the policies save on a GPU, and that a step's seconds and bytes add up.

#include <numeric>

#include "core/train/bench.hpp"
#include "models/unet.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace headroom {
namespace {

class GpuBench : public tests::GpuTest {
 protected:
  static train::BenchReport bench(base::Precision precision) {
    base::Settings settings = tests::gpu_settings();
    settings.model.levels = 5;
    settings.model.base_channels = 32;
    settings.step.tile_height = settings.step.tile_width = 256;
    settings.step.batch = 4;
    settings.step.precision = precision;
    return train::bench_plans({.settings = settings,
                               .plans = {"keep", "light", "full", "offload"},
                               .repeat = 3,
                               .warmup = 1},
                              models::make_model, {});
  }
};

TEST_F(GpuBench, EveryPolicy_HasALowerPeakThanKeep) {
  for (const base::Precision precision : {base::Precision::fp32, base::Precision::bf16}) {
    const train::BenchReport report = bench(precision);
    const train::BenchCase& keep = report.cases.front();
    for (std::size_t i = 1; i < report.cases.size(); ++i) {
      EXPECT_LT(report.cases[i].median.peak_bytes, keep.median.peak_bytes) << report.cases[i].name;
    }
  }
}

TEST_F(GpuBench, SecondsOfPhases_AddUpToTheStep) {
  for (const train::BenchCase& one : bench(base::Precision::fp32).cases) {
    const auto& seconds = one.median.seconds;
    EXPECT_NEAR(std::accumulate(seconds.begin(), seconds.end(), 0.0), one.median.total_seconds,
                1e-3)
        << one.name;
    EXPECT_EQ(one.median.peak_bytes + one.median.live_before_bytes, one.median.peak_total_bytes);
    EXPECT_GE(one.median.reserved_bytes, one.median.peak_total_bytes) << one.name;
  }
}

}  // namespace
}  // namespace headroom
