#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "core/memory/meter.hpp"
#include "core/train/generator_state.hpp"
#include "core/train/train_step.hpp"
#include "tests/core/train/tiny_model.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

/// Classes that the two channels' signs tell; every seventh pixel is ignored.
data::HostBatch example_batch(std::int64_t n, std::int64_t seed) {
  data::HostBatch batch{n, 12, 16, 2};
  const std::int64_t pixels = n * 12 * 16;
  for (std::int64_t i = 0; i < pixels; ++i) {
    const double first = std::sin(0.37 * static_cast<double>(i + seed));
    const double second = std::cos(0.11 * static_cast<double>(i * seed));
    const int label = first > 0 ? 0 : second > 0 ? 1 : 2;
    batch.pixels.push_back(static_cast<float>(first));
    batch.pixels.push_back(static_cast<float>(second));
    batch.labels.push_back(i % 7 == 0 ? base::kIgnoreLabel : static_cast<std::uint8_t>(label));
  }
  return batch;
}

/// A model and all that its steps change.
struct Trained {
  explicit Trained(TrainStepOptions options = {}, double dropout = 0.2,
                   OptimizerOptions of_optimizer = {}) {
    base::ModelSettings settings;
    settings.channels = 2;
    settings.classes = 3;
    settings.dropout = dropout;
    at::manual_seed(5);
    model = tests::make_tiny_model(settings);
    std::vector<std::pair<std::string, at::Tensor>> parameters;
    for (const auto& item : model->named_parameters()) {
      parameters.emplace_back(item.key(), item.value());
    }
    optimizer = std::make_unique<Optimizer>(parameters, of_optimizer);
    step = std::make_unique<TrainStep>(*model, *optimizer, options);
  }

  StepResult run(const TrainStep::NextBatch& next, std::stop_token stop = {}) const {
    return step->run(1, 1e-2, next, std::move(stop));
  }
  StepResult run() const {
    return run(
        [](std::int64_t index, const std::stop_token&) { return example_batch(2, index + 1); });
  }

  std::shared_ptr<StagedModel> model;
  std::unique_ptr<Optimizer> optimizer;
  std::unique_ptr<TrainStep> step;
};

/// Everything that a step may change, as bits.
struct Everything {
  explicit Everything(const Trained& trained) : model(*trained.model) {
    for (const auto& [name, tensor] : trained.optimizer->state()) {
      others[name] = tensor.clone();
    }
    for (const auto& [name, tensor] : generator_states(c10::kCPU)) {
      others["generator." + name] = tensor.clone();
    }
  }
  bool operator==(const Everything& other) const {
    for (const auto& [name, tensor] : others) {
      if (!at::equal(tensor, other.others.at(name))) {
        return false;
      }
    }
    return model == other.model;
  }

  tests::StateSnapshot model;
  NamedTensors others;
};

TEST(TrainStep, Repeated_LowersTheLoss) {
  const Trained trained({}, 0);
  const double first = trained.run().loss;
  double last = first;
  for (int i = 0; i < 30; ++i) {
    last = trained.run().loss;
  }
  EXPECT_LT(last, 0.9 * first);
}

TEST(TrainStep, Phases_AddUpToTheTotal) {
  const Trained trained;
  const auto measured = trained.run().measured;
  double sum = 0;
  for (const double seconds : measured.seconds) {
    sum += seconds;
  }
  EXPECT_NEAR(sum, measured.total_seconds, 1e-6 + 0.01 * measured.total_seconds);
  EXPECT_GT(measured.peak_bytes, 0);
  EXPECT_EQ(measured.peak_total_bytes, measured.live_before_bytes + measured.peak_bytes);
}

TEST(TrainStep, TwoMicroBatches_GiveTheMeanOfTheirGradients) {
  const Trained both({.accumulate = 2}, 0);
  const double mean_loss = both.run().loss;
  double sum = 0;
  std::vector<at::Tensor> expected;
  for (std::int64_t index = 0; index < 2; ++index) {
    const Trained single({}, 0);
    sum +=
        single
            .run([&](std::int64_t, const std::stop_token&) { return example_batch(2, index + 1); })
            .loss;
    const auto parameters = single.model->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const at::Tensor half = parameters[i].grad() / 2;
      index == 0 ? expected.push_back(half) : void(expected[i] += half);
    }
  }
  EXPECT_NEAR(mean_loss, sum / 2, 1e-6);
  const auto parameters = both.model->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_TRUE(at::allclose(parameters[i].grad(), expected[i], 1e-4, 1e-6)) << i;
  }
}

TEST(TrainStep, Bf16_ComputesTheSameLossRoughly) {
  const double full = Trained({}, 0).run().loss;
  const double half = Trained({.precision = base::Precision::bf16}, 0).run().loss;
  EXPECT_NEAR(half, full, 0.02 * full);
}

TEST(TrainStep, ClippedGradients_HaveTheNormGiven) {
  const Trained trained({.clip_norm = 1e-3}, 0);
  (void)trained.run();
  EXPECT_NEAR(trained.optimizer->gradient_norm().item<double>(), 1e-3, 2e-6);
}

/// Fails every allocation of a step, one after another; ends with the step that was done.
void expect_failures_without_a_trace(const Trained& trained) {
  (void)trained.run();
  const Everything before(trained);
  int failures = 0;
  for (std::int64_t n = 1;; ++n) {
    ASSERT_LT(n, 5000);
    bool failed = false;
    try {
      memory::fail_allocation(n);
      (void)trained.run();
    } catch (const std::exception& error) {
      failed = true;
      ASSERT_TRUE(memory::is_out_of_memory(error)) << error.what();
    }
    memory::fail_allocation(0);
    if (!failed) {
      break;
    }
    ++failures;
    ASSERT_TRUE(before == Everything(trained)) << "allocation " << n;
  }
  EXPECT_GT(failures, 20);
}

TEST(TrainStep, AnyAllocationThatFails_LeavesEverythingAsItWas) {
  for (const base::OptimizerKind kind : {base::OptimizerKind::adamw, base::OptimizerKind::sgd}) {
    for (const std::int64_t tiles_at_once : {0, 1}) {
      const Trained trained({.accumulate = 2, .clip_norm = 1e-3}, 0.2, {.kind = kind});
      trained.step->set_tiles_at_once(tiles_at_once);
      expect_failures_without_a_trace(trained);
    }
  }
}

TEST(TrainStep, FailedStep_RepeatsWithTheSameBits) {
  const Trained plain, disturbed;
  at::manual_seed(9);
  (void)plain.run();
  const Everything expected(plain);
  at::manual_seed(9);
  memory::fail_allocation(40);
  EXPECT_ANY_THROW((void)disturbed.run());
  memory::fail_allocation(0);
  (void)disturbed.run();
  EXPECT_TRUE(expected == Everything(disturbed));
}

TEST(TrainStep, StopInsideTheStep_IsInterruptedAndNothingIsApplied) {
  const Trained trained({.accumulate = 2});
  const Everything before(trained);
  std::stop_source source;
  const auto error = tests::thrown_error([&] {
                       (void)trained.run(
                           [&](std::int64_t index, const std::stop_token&) {
                             if (index == 1) {
                               source.request_stop();
                             }
                             return example_batch(2, index + 1);
                           },
                           source.get_token());
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::interrupted);
  EXPECT_TRUE(before == Everything(trained));
  EXPECT_NO_THROW((void)trained.model->forward(at::randn({1, 2, 8, 8})));
}

TEST(TrainStep, StopInsideBackward_IsInterruptedAndNothingIsApplied) {
  const Trained trained;
  const Everything before(trained);
  std::stop_source source;
  int heads = 0;
  trained.model->named_parameters()["head.weight"].register_hook([&](const at::Tensor& gradient) {
    ++heads;
    source.request_stop();
    return gradient;
  });
  const auto error =
      tests::thrown_error([&] {
        (void)trained.run([](std::int64_t, const std::stop_token&) { return example_batch(2, 1); },
                          source.get_token());
      }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::interrupted);
  EXPECT_EQ(heads, 1);
  EXPECT_FALSE(trained.model->named_parameters()["conv.weight"].grad().defined());
  EXPECT_TRUE(before == Everything(trained));
}

TEST(TrainStep, BrokenData_IsThrownAsItIsAndNothingIsApplied) {
  const Trained trained({.accumulate = 2});
  const Everything before(trained);
  EXPECT_THROW((void)trained.run([](std::int64_t index, const std::stop_token&) {
    return index == 0 ? example_batch(2, 1) : throw std::out_of_range("file");
  }),
               std::out_of_range);
  EXPECT_TRUE(before == Everything(trained));
}

TEST(TrainStep, LossThatIsNotFinite_NamesTheStepAndAppliesNothing) {
  const Trained trained;
  const Everything before(trained);
  const auto error = tests::thrown_error([&] {
                       (void)trained.run([](std::int64_t, const std::stop_token&) {
                         data::HostBatch batch = example_batch(2, 1);
                         batch.pixels[5] = std::nanf("");
                         return batch;
                       });
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::usage);
  EXPECT_NE(error.parts().subject.find("step 1"), std::string::npos);
  EXPECT_TRUE(before == Everything(trained));
}

TEST(TrainStep, LabelThatIsNoClass_IsAnInternalError) {
  const Trained trained;
  const auto error = tests::thrown_error([&] {
                       (void)trained.run([](std::int64_t, const std::stop_token&) {
                         data::HostBatch batch = example_batch(2, 1);
                         batch.labels[3] = 3;
                         return batch;
                       });
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::internal);
}

TEST(TrainStep, TileWhosePixelsAreAllIgnored_CountsAsZeroLoss) {
  const Trained trained;
  const StepResult result = trained.run([](std::int64_t, const std::stop_token&) {
    data::HostBatch batch = example_batch(2, 1);
    batch.labels.assign(batch.labels.size(), base::kIgnoreLabel);
    return batch;
  });
  EXPECT_EQ(result.loss, 0);
}

}  // namespace
}  // namespace headroom::train
