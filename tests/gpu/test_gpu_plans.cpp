// Plans do not change results on a GPU: offload, streams and the device's own thread included.

#include <fmt/format.h>

#include "core/train/verify.hpp"
#include "models/unet.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace headroom {
namespace {

const std::vector<plan::Policy> kAllPolicies = {plan::Policy::keep, plan::Policy::light,
                                                plan::Policy::full, plan::Policy::offload};

class GpuVerify : public tests::GpuTest {
 protected:
  static void expect_all_equal(const base::Settings& settings, std::int64_t plans) {
    const train::VerifyReport report = train::verify_plans(
        {.settings = settings, .policies = kAllPolicies, .random_plans = plans, .steps = 3},
        models::make_model, {});
    EXPECT_EQ(report.equal, plans);
    EXPECT_TRUE(report.generators_equal);
    EXPECT_EQ(report.max_abs_diff.gradients, 0);
    EXPECT_EQ(report.max_abs_diff.weights, 0);
    for (const train::VerifyFailure& failure : report.failures) {
      ADD_FAILURE() << failure.plan << " step " << failure.step << ": " << failure.what;
    }
    for (std::size_t s = 0; s < report.stages.size(); ++s) {
      EXPECT_GT(report.recomputed_regions[s], 0) << report.stages[s];
    }
  }
};

TEST_F(GpuVerify, EveryNormAndPrecision_IsBitIdentical) {
  for (const base::NormKind norm :
       {base::NormKind::batch, base::NormKind::group, base::NormKind::instance}) {
    for (const base::Precision precision : {base::Precision::fp32, base::Precision::bf16}) {
      SCOPED_TRACE(
          fmt::format("norm {} precision {}", static_cast<int>(norm), static_cast<int>(precision)));
      base::Settings settings = tests::gpu_settings();
      settings.model.norm = norm;
      settings.step.precision = precision;
      expect_all_equal(settings, 24);
    }
  }
}

TEST_F(GpuVerify, DropoutAndAccumulation_AreBitIdentical) {
  base::Settings settings = tests::gpu_settings();
  settings.model.dropout = 0.2;
  settings.step.accumulate = 2;
  expect_all_equal(settings, 32);
}

TEST_F(GpuVerify, FiveLevelsChannelsLastAndContiguous_AreBitIdentical) {
  for (const base::MemoryFormat format :
       {base::MemoryFormat::channels_last, base::MemoryFormat::contiguous}) {
    base::Settings settings = tests::gpu_settings();
    settings.model.levels = 5;
    settings.model.base_channels = 16;
    settings.step.tile_height = settings.step.tile_width = 128;
    settings.step.memory_format = format;
    expect_all_equal(settings, 16);
  }
}

}  // namespace
}  // namespace headroom
