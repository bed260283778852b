// Plans do not change results, and what they cost and save: through the same verify and bench that
// the command line runs.

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <limits>

#include "core/train/bench.hpp"
#include "core/train/verify.hpp"
#include "models/unet.hpp"

namespace headroom::models {
namespace {

const std::vector<plan::Policy> kThreePolicies = {plan::Policy::keep, plan::Policy::light,
                                                  plan::Policy::full};
constexpr double kMiB = 1024.0 * 1024.0;

base::Settings small_settings() {
  base::Settings settings;
  settings.model.levels = 3;
  settings.model.base_channels = 4;
  settings.model.dropout = 0.1;
  settings.step.tile_height = settings.step.tile_width = 16;
  settings.step.batch = 2;
  settings.step.precision = base::Precision::fp32;
  settings.step.threads = 1;  // more would wait for each other longer than they compute
  return settings;
}

void expect_all_equal(const train::VerifyOptions& options) {
  const train::VerifyReport report = train::verify_plans(options, make_model, {});
  EXPECT_EQ(report.equal, report.plans);
  EXPECT_TRUE(report.generators_equal);
  EXPECT_EQ(report.max_abs_diff.gradients, 0);
  for (const train::VerifyFailure& failure : report.failures) {
    ADD_FAILURE() << failure.plan << " step " << failure.step << ": " << failure.what;
  }
  for (std::size_t s = 0; s < report.stages.size(); ++s) {
    EXPECT_GT(report.recomputed_regions[s], 0) << report.stages[s];
  }
}

TEST(Verify_EveryNormAndPrecision, AllPlansAreBitIdentical) {
  for (const base::NormKind norm :
       {base::NormKind::batch, base::NormKind::group, base::NormKind::instance}) {
    for (const base::Precision precision : {base::Precision::fp32, base::Precision::bf16}) {
      SCOPED_TRACE(testing::Message() << "norm " << static_cast<int>(norm) << " precision "
                                      << static_cast<int>(precision));
      train::VerifyOptions options{
          .settings = small_settings(), .policies = kThreePolicies, .random_plans = 32, .steps = 2};
      options.settings.model.norm = norm;
      options.settings.step.precision = precision;
      expect_all_equal(options);
    }
  }
}

TEST(Verify_WithOneThread, LeavesTheThreadsAsTheyWere) {
  const int threads = at::get_num_threads();
  ASSERT_GT(threads, 1);
  train::VerifyOptions options{.settings = small_settings(), .random_plans = 1, .steps = 1};
  options.settings.step.threads = 1;
  EXPECT_EQ(train::verify_plans(options, make_model, {}).equal, 1);
  EXPECT_EQ(at::get_num_threads(), threads);
}

TEST(Verify_AccumulationAndOddSizes, AllPlansAreBitIdentical) {
  train::VerifyOptions options{
      .settings = small_settings(), .policies = kThreePolicies, .random_plans = 32, .steps = 2};
  options.settings.step.accumulate = 2;
  options.settings.step.tile_height = 19;
  options.settings.step.tile_width = 30;
  expect_all_equal(options);
}

TEST(Verify_FiveLevels, RandomPlansAreBitIdentical) {
  train::VerifyOptions options{
      .settings = small_settings(), .policies = kThreePolicies, .random_plans = 24, .steps = 3};
  options.settings.model.levels = 5;
  options.settings.step.threads = 2;
  options.settings.step.tile_height = options.settings.step.tile_width = 64;
  expect_all_equal(options);
}

TEST(Verify_AllCombinationsOfTwoPolicies, AreBitIdentical) {
  for (const plan::Policy other : {plan::Policy::light, plan::Policy::full}) {
    expect_all_equal({.settings = small_settings(), .policies = {plan::Policy::keep, other}});
  }
}

/// A network whose plan does change results: its loss looks at the plan.
class CheatingModel final : public train::StagedModel {
 public:
  CheatingModel() : StagedModel({{.name = "a", .channels = 2}}, 3, 2, 1) {
    weight_ = register_parameter("weight", at::arange(6, at::kFloat).reshape({2, 3, 1, 1}));
  }

 private:
  at::Tensor do_forward(at::Tensor x) override {
    const at::Tensor logits = at::conv2d(x, weight_);
    return plan()[0] == plan::Policy::full ? logits * 1.0001 : logits;
  }
  [[nodiscard]] train::NamedTensors do_file_tensors() const override { return {}; }
  void do_load_file_tensors(const train::NamedTensors& /*tensors*/) override {}
  void do_check_training_sizes(at::IntArrayRef /*sizes*/) const override {}
  at::Tensor weight_;
};

TEST(Verify_NetworkWhosePlanChangesResults, IsFound) {
  train::VerifyOptions options{.settings = small_settings(), .steps = 1};
  const train::VerifyReport report = train::verify_plans(
      options, [](const base::ModelSettings&) { return std::make_shared<CheatingModel>(); }, {});
  EXPECT_EQ(report.plans, 2);
  EXPECT_EQ(report.equal, 1);
  EXPECT_GT(report.max_abs_diff.loss, 0);
  EXPECT_GT(report.max_abs_diff.gradients, 0);
  bool says_not_recomputed = false;
  for (const train::VerifyFailure& failure : report.failures) {
    says_not_recomputed |= failure.what.find("0 of 0 regions") != std::string::npos;
  }
  EXPECT_TRUE(says_not_recomputed);
}

TEST(Verify_StageThatNeverRepeats, IsAFailureThoughResultsAreEqual) {
  const train::VerifyOptions options{.settings = small_settings(),
                                     .policies = {plan::Policy::keep, plan::Policy::light},
                                     .steps = 1};
  const train::VerifyReport report = train::verify_plans(
      options, [](const base::ModelSettings&) { return std::make_shared<CheatingModel>(); }, {});
  EXPECT_EQ(report.equal, 1);
  EXPECT_EQ(report.max_abs_diff.loss, 0);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures[0].plan, "light");
  EXPECT_EQ(report.failures[0].what, "a: 0 of 0 regions were recomputed");
}

TEST(Bench_ReferenceNetwork, PeaksStayWithinTheirBars) {
  train::BenchOptions options{.plans = {"keep", "full", "light"}, .repeat = 1, .warmup = 1};
  options.settings.step.tile_height = options.settings.step.tile_width = 256;
  options.settings.step.batch = 2;
  options.settings.step.precision = base::Precision::fp32;
  options.settings.step.memory_format = base::MemoryFormat::channels_last;
  options.settings.train.loss = base::LossKind::ce;
  const train::BenchReport report = train::bench_plans(options, make_model, {});
  const auto& keep = report.cases.at(0);
  const auto& full = report.cases.at(1);
  const auto& light = report.cases.at(2);
  EXPECT_LE(static_cast<double>(keep.median.peak_bytes) / kMiB, 315.0);
  EXPECT_LE(static_cast<double>(full.median.peak_bytes) / kMiB, 150.0);
  EXPECT_LE(static_cast<double>(light.median.peak_bytes) / kMiB, 156.0);
  for (const auto& measured : {keep.median, full.median, light.median}) {
    EXPECT_LE(static_cast<double>(measured.reserved_bytes),
              1.15 * static_cast<double>(measured.peak_total_bytes));
    EXPECT_EQ(measured.peak_total_bytes, measured.peak_bytes + measured.live_before_bytes);
  }
  // Work of the repeats, as the sum over the layers gives it for this network.
  EXPECT_NEAR(full.recompute_macs_fraction, 0.183, 0.01);
  EXPECT_NEAR(light.recompute_macs_fraction, 0.015, 0.001);
  EXPECT_EQ(keep.recompute_macs_fraction, 0.0);
  EXPECT_GT(full.rss_peak_bytes, full.median.peak_total_bytes);
}

}  // namespace
}  // namespace headroom::models
