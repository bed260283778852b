// What a plan meets in the life of a U-Net: frozen and evaluated stages, failures at every
// allocation, hundreds of changes of plan, offload. Results are compared with Keep's.

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/data/counter_random.hpp"
#include "core/memory/meter.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/verify.hpp"
#include "models/unet.hpp"
#include "tests/core/memory/fake_device_copy.hpp"

namespace headroom::models {
namespace {

using plan::Policy;

constexpr std::size_t kStages = 5;

base::ModelSettings small_model(double dropout = 0.2) {
  base::ModelSettings settings;
  settings.levels = 3;
  settings.base_channels = 4;
  settings.channels = 3;
  settings.classes = 2;
  settings.dropout = dropout;
  return settings;
}

base::Settings small_settings() {
  base::Settings settings;
  settings.model = small_model();
  settings.step.tile_height = settings.step.tile_width = 16;
  settings.step.batch = 2;
  settings.step.precision = base::Precision::fp32;
  settings.step.threads = 1;  // more would wait for each other longer than they compute
  return settings;
}

const std::vector<plan::Plan> kPlans = {
    plan::Plan(kStages, Policy::light),
    plan::Plan(kStages, Policy::full),
    {Policy::full, Policy::light, Policy::keep, Policy::light, Policy::full},
    {Policy::keep, Policy::full, Policy::light, Policy::full, Policy::light},
};

/// Gradients and buffers after `train` under a plan, from equal weights.
using Training = std::function<void(train::StagedModel&)>;
std::vector<at::Tensor> state_after(const plan::Plan& plan, const Training& train) {
  at::manual_seed(3);
  const auto model = make_model(small_model());
  model->train();
  model->set_plan(plan);
  at::manual_seed(4);
  train(*model);
  std::vector<at::Tensor> state;
  for (const at::Tensor& parameter : model->parameters()) {
    state.push_back(parameter.grad().defined() ? parameter.grad().clone() : at::zeros({}));
  }
  for (const at::Tensor& buffer : model->buffers()) state.push_back(buffer.clone());
  state.push_back(at::rand({2}));
  return state;
}

void expect_equal_under_every_plan(const Training& train) {
  const std::vector<at::Tensor> expected = state_after(plan::Plan(kStages, Policy::keep), train);
  for (const plan::Plan& plan : kPlans) {
    const std::vector<at::Tensor> found = state_after(plan, train);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(at::equal(found[i], expected[i]))
          << "plan " << &plan - kPlans.data() << ", " << i;
    }
  }
}

at::Tensor loss_of(train::StagedModel& model, std::int64_t side = 16) {
  return model.forward(at::randn({2, 3, side, side})).square().mean();
}

/// Freezes the first stages, their norms too, or lets them learn again.
void freeze(train::StagedModel& model, std::size_t stages, bool frozen) {
  const std::vector<std::string> names = model.stage_names();
  for (const auto& child : model.named_children()) {
    for (std::size_t s = 0; s < stages; ++s) {
      if (child.key() != names[s]) continue;
      child.value()->train(!frozen);
      for (const at::Tensor& parameter : child.value()->parameters()) {
        parameter.set_requires_grad(!frozen);
      }
    }
  }
}

TEST(Plan_FrozenPrefixInEvaluationMode, GivesTheOthersTheSameGradients) {
  for (std::size_t frozen = 1; frozen <= kStages; ++frozen) {
    expect_equal_under_every_plan([frozen](train::StagedModel& model) {
      freeze(model, frozen, true);
      loss_of(model).backward();
    });
  }
}

TEST(Plan_LaterUnfreezing, LearnsFromTheNextStep) {
  expect_equal_under_every_plan([](train::StagedModel& model) {
    freeze(model, 3, true);
    loss_of(model).backward();
    freeze(model, 3, false);
    loss_of(model).backward();
  });
}

TEST(Plan_NormsInEvaluationMode, StillRepeatAndAreEqual) {
  expect_equal_under_every_plan([](train::StagedModel& model) {
    freeze(model, 2, true);
    for (const at::Tensor& parameter : model.parameters()) parameter.set_requires_grad(true);
    memory::StepRecorder recorder(c10::kCPU, kStages);
    recorder.begin_step();
    loss_of(model).backward();
    const memory::StepMeasurement step = recorder.end_step();
    for (std::size_t s = 0; s < kStages; ++s) {
      EXPECT_EQ(step.stages[s].recomputed_regions > 0, model.plan()[s] != Policy::keep) << s;
    }
  });
}

TEST(Plan_ShapesThatChange_BetweenStepsAndRetainedGraphs, AreEqual) {
  expect_equal_under_every_plan([](train::StagedModel& model) {
    for (const std::int64_t side : {16, 24, 9}) {
      const at::Tensor loss = loss_of(model, side);
      loss.backward({}, /*retain_graph=*/true);
      loss.backward();
    }
  });
}

TEST(Plan_TwoForwardsBeforeBackward, DoNotMix) {
  expect_equal_under_every_plan([](train::StagedModel& model) {
    const at::Tensor first = loss_of(model), second = loss_of(model, 24);
    second.backward();
    first.backward();
  });
}

TEST(Plan_ImageThatNeedsGrad, GetsTheSame) {
  expect_equal_under_every_plan([](train::StagedModel& model) {
    at::Tensor image = at::randn({2, 3, 16, 16}).requires_grad_();
    model.forward(image).square().mean().backward();
    model.buffers().front().copy_(image.grad().flatten().narrow(0, 0, 4));
  });
}

TEST(Plan_DoubleBackward, GivesTheSameSecondDerivatives) {
  expect_equal_under_every_plan([](train::StagedModel& model) {
    at::Tensor image = at::randn({2, 3, 16, 16}).requires_grad_();
    const at::Tensor loss = model.forward(image).pow(3).mean();
    const at::Tensor slope =
        torch::autograd::grad({loss}, {image}, {}, /*retain_graph=*/true, /*create_graph=*/true)[0];
    slope.square().sum().backward();
  });
}

TEST(Plan_Evaluation, RepeatsNothingAndGivesTheSameLogits) {
  const at::NoGradGuard no_grad;
  at::manual_seed(3);
  const auto model = make_model(small_model());
  model->eval();
  const at::Tensor image = at::randn({2, 3, 16, 16});
  const at::Tensor expected = model->forward(image);
  for (const plan::Plan& plan : kPlans) {
    model->set_plan(plan);
    memory::StepRecorder recorder(c10::kCPU, kStages);
    recorder.begin_step();
    EXPECT_TRUE(at::equal(model->forward(image), expected));
    for (const memory::StageMeasurement& stage : recorder.end_step().stages) {
      EXPECT_EQ(stage.regions, 0);
    }
  }
}

TEST(Plan_FailedAllocation_AtEveryOneOfAStep, LeavesNothingBehind) {
  train::GeneratedTask task(small_settings(), make_model);
  std::int64_t number = 1;
  for (const plan::Plan& plan : kPlans) {
    task.restart(plan);
    static_cast<void>(task.step(number++, {}));  // from here on the optimizer's state is there
    std::int64_t live = memory::meter_of(c10::kCPU).reading().live_bytes;
    for (const at::Tensor& parameter : task.model().parameters()) {
      live -= static_cast<std::int64_t>(parameter.grad().storage().nbytes());
    }
    int failures = 0;
    for (std::int64_t n = 1;; ++n, ++failures) {
      memory::fail_allocation(n);
      try {
        static_cast<void>(task.step(number, {}));
        memory::fail_allocation(0);
        break;
      } catch (const base::Error& error) {
        memory::fail_allocation(0);
        ASSERT_EQ(error.kind(), base::ErrorKind::out_of_memory) << error.what();
      }
      ASSERT_EQ(memory::meter_of(c10::kCPU).reading().live_bytes, live) << "allocation " << n;
    }
    EXPECT_GT(failures, 100);
  }
}

TEST(Plan_ChangedAtRandom, ForFiveHundredSteps_HoldsAsMuchAsAfterTheFirst) {
  for (const base::Precision precision : {base::Precision::fp32, base::Precision::bf16}) {
    base::Settings settings = small_settings();
    settings.step.precision = precision;
    train::GeneratedTask task(settings, make_model);
    const std::vector<Policy> policies = task.model().policies();
    std::int64_t live = 0;
    for (std::int64_t step = 1; step <= 500; ++step) {
      data::CounterRandom random(7, /*stream=*/0, step);
      plan::Plan plan;
      for (std::size_t s = 0; s < kStages; ++s) {
        plan.push_back(policies[static_cast<std::size_t>(
            random.below(static_cast<std::int64_t>(policies.size())))]);
      }
      task.model().set_plan(plan);
      static_cast<void>(task.step(step, {}));
      const std::int64_t now = memory::meter_of(c10::kCPU).reading().live_bytes;
      if (step == 1) live = now;
      ASSERT_EQ(now, live) << "step " << step;
    }
  }
}

TEST(Plan_OffloadOnTheCpu, IsRefusedWithAReason) {
  const auto model = make_model(small_model());
  try {
    model->set_plan(plan::Plan(kStages, Policy::offload));
    FAIL() << "nothing was thrown";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("memory already"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("keep, light, full"), std::string::npos);
  }
}

TEST(Plan_OfFourPolicies_WithADeviceCopy, IsBitIdentical) {
  const auto copy = std::make_shared<tests::FakeDeviceCopy>();
  for (const base::Precision precision : {base::Precision::fp32, base::Precision::bf16}) {
    train::VerifyOptions options{
        .settings = small_settings(),
        .policies = {Policy::keep, Policy::light, Policy::full, Policy::offload},
        .random_plans = 40,
        .steps = 2};
    options.settings.step.precision = precision;
    const train::VerifyReport report =
        train::verify_plans(options,
                            [&copy](const base::ModelSettings& settings) {
                              auto model = make_model(settings);
                              model->set_device_copy(copy);
                              return model;
                            },
                            {});
    EXPECT_EQ(report.equal, report.plans);
    for (const train::VerifyFailure& failure : report.failures) {
      ADD_FAILURE() << failure.plan << " step " << failure.step << ": " << failure.what;
    }
  }
  EXPECT_GT(copy->to_device_count, 0);
  EXPECT_EQ(copy->on_device(), 0);
}

}  // namespace
}  // namespace headroom::models
