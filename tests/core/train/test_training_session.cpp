#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/train/model_file.hpp"
#include "core/train/run_state.hpp"
#include "core/train/safetensors.hpp"
#include "core/train/training_session.hpp"
#include "tests/core/train/synthetic_samples.hpp"
#include "tests/core/train/tiny_model.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

using tests::TemporaryFolder;
using Clock = std::chrono::steady_clock;

class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    options_.run_folder = folder_.path();
    options_.make_model = tests::make_tiny_model;
    options_.load_data = [](std::stop_token) { return tests::half_bright_data(5, 40, 48); };
    base::Settings& settings = options_.settings;
    settings.model.dropout = 0.3;
    settings.step.tile_height = settings.step.tile_width = 16;
    settings.step.device = "cpu";
    settings.step.precision = base::Precision::fp32;
    settings.step.budget_bytes = std::int64_t{1} << 30;
    settings.train.steps = 10;
    settings.train.learning_rate = 0.05;
  }

  [[nodiscard]] NamedTensors saved_state() const {
    return read_safetensors(folder_.path() / "state_last" / "state.safetensors").tensors;
  }

  TemporaryFolder folder_;
  TrainingOptions options_;
};

void run_steps(TrainingSession& session, int count) {
  for (int i = 0; i < count; ++i) {
    (void)session.step({});
  }
}

void expect_equal(const NamedTensors& a, const NamedTensors& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, tensor] : a) {
    ASSERT_TRUE(b.contains(name)) << name;
    EXPECT_TRUE(at::equal(tensor, b.at(name))) << name;
  }
}

TEST_F(SessionTest, Prepare_TellsTheFacts) {
  TrainingSession session(options_);
  const run::SessionFacts facts = session.prepare({});
  EXPECT_EQ(facts.steps, 10);
  EXPECT_EQ(facts.first_step, 0);
  EXPECT_EQ(facts.stages, (std::vector<std::string>{"enc1", "dec1"}));
  EXPECT_EQ(facts.parameters, 8 * 9 + 8 + 8 + 16 + 2);
  EXPECT_EQ(facts.precision, "fp32");
  EXPECT_EQ(facts.class_names, (std::vector<std::string>{"dark", "bright"}));
  EXPECT_EQ(facts.budget_bytes, std::int64_t{1} << 30);
  EXPECT_EQ(facts.policies, (std::vector<plan::Policy>{plan::Policy::keep, plan::Policy::light,
                                                       plan::Policy::full}));
}

TEST_F(SessionTest, Steps_ReportNumberRateAndLoss) {
  TrainingSession session(options_);
  (void)session.prepare({});
  const run::StepReport first = session.step({}), second = session.step({});
  EXPECT_EQ(first.step, 1);
  EXPECT_EQ(second.step, 2);
  EXPECT_EQ(first.epoch, 1);
  EXPECT_DOUBLE_EQ(first.learning_rate, 0.05);
  EXPECT_TRUE(std::isfinite(first.loss));
  ASSERT_EQ(first.stages.size(), 2U);
  EXPECT_EQ(first.stages[0].height, 16);
  EXPECT_EQ(first.head.name, "head");
  EXPECT_EQ(first.head.channels, 2);
  EXPECT_EQ(first.head.height, 16);
}

TEST_F(SessionTest, StoppedAndResumed_EqualsOneRunBitByBit) {
  TrainingSession whole(options_);
  (void)whole.prepare({});
  run_steps(whole, 10);
  whole.save();
  const NamedTensors expected = saved_state();
  {
    TrainingSession half(options_);
    (void)half.prepare({});
    run_steps(half, 5);
    half.save();
  }
  at::manual_seed(999);
  options_.resume = true;
  TrainingSession rest(options_);
  EXPECT_EQ(rest.prepare({}).first_step, 5);
  run_steps(rest, 5);
  rest.save();
  expect_equal(saved_state(), expected);
}

TEST_F(SessionTest, Validation_LearnsTheTaskAndKeepsTheBestModel) {
  options_.settings.train.steps = 60;
  options_.settings.model.dropout = 0;
  int previews = 0;
  options_.on_preview = [&](const Preview& preview) {
    ++previews;
    EXPECT_EQ(preview.sample_id, "4");
    EXPECT_EQ(preview.prediction.labels.size(), 40U * 48U);
    return run::SharedPreview();
  };
  TrainingSession session(options_);
  (void)session.prepare({});
  run_steps(session, 60);
  const run::ValidationReport report = session.validate({});
  EXPECT_GT(report.mean_dice, 0.95);
  EXPECT_TRUE(report.is_best);
  EXPECT_EQ(report.images, 1);
  EXPECT_EQ(previews, 1);
  EXPECT_EQ(report.classes.at(1).name, "bright");
  EXPECT_FALSE(session.validate({}).is_best);
  const auto best = load_model_description(folder_.path() / "model_best.safetensors");
  EXPECT_EQ(best.step, 60);
  EXPECT_EQ(best.mapping.class_names.at(0), "dark");
}

TEST_F(SessionTest, Validation_ChangesNothingThatTrainingUses) {
  TrainingSession plain(options_), validated(options_);
  (void)plain.prepare({});
  run_steps(plain, 4);
  plain.save();
  const NamedTensors expected = saved_state();
  (void)validated.prepare({});
  run_steps(validated, 2);
  (void)validated.validate({});
  run_steps(validated, 2);
  validated.save();
  expect_equal(saved_state(), expected);
}

TEST_F(SessionTest, StopBeforeAStep_IsInterruptedAndTheStepComesNext) {
  TrainingSession session(options_);
  (void)session.prepare({});
  std::stop_source source;
  source.request_stop();
  const auto error = tests::thrown_error([&] { (void)session.step(source.get_token()); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::interrupted);
  EXPECT_EQ(session.step({}).step, 1);
  EXPECT_NO_THROW((void)session.validate({}));
}

TEST_F(SessionTest, StepAboveTheBudget_SaysNeedBudgetAndRemedy) {
  memory::MemoryMeter& meter = memory::meter_of(c10::kCPU);
  options_.settings.step.tile_height = options_.settings.step.tile_width = 128;
  options_.settings.step.batch = 4;
  options_.settings.step.budget_bytes = meter.reading().live_bytes + (std::int64_t{1} << 20);
  TrainingSession session(options_);
  (void)session.prepare({});
  const auto error = tests::thrown_error([&] { (void)session.step({}); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::out_of_memory);
  EXPECT_NE(error.parts().subject.find("was refused at"), std::string::npos) << error.what();
  EXPECT_NE(error.parts().subject.find("the budget is"), std::string::npos) << error.what();
  EXPECT_NE(error.parts().remedy.find("--plan full"), std::string::npos) << error.what();
}

TEST_F(SessionTest, WeightsAboveTheBudget_IsAnOutOfMemoryErrorBeforeTraining) {
  options_.settings.step.budget_bytes = 1000;
  TrainingSession session(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)session.prepare({}); }).value().kind(),
            base::ErrorKind::out_of_memory);
}

TEST_F(SessionTest, End_LiftsTheBudget) {
  {
    TrainingSession session(options_);
    (void)session.prepare({});
    EXPECT_EQ(memory::meter_of(c10::kCPU).budget(), std::int64_t{1} << 30);
  }
  EXPECT_EQ(memory::meter_of(c10::kCPU).budget(), 0);
}

TEST_F(SessionTest, TileSoSmallThatANormSeesOneValue_IsAUsageErrorInPrepare) {
  options_.settings.step.tile_height = options_.settings.step.tile_width = 4;
  options_.settings.step.batch = 1;
  TrainingSession session(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)session.prepare({}); }).value().kind(),
            base::ErrorKind::usage);
}

TEST_F(SessionTest, ClassesOrChannelsThatDisagreeWithTheData_AreUsageErrors) {
  options_.settings.model.classes = 5;
  TrainingSession classes(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)classes.prepare({}); }).value().kind(),
            base::ErrorKind::usage);
  options_.settings.model.classes = 2;
  options_.settings.model.channels = 3;
  TrainingSession channels(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)channels.prepare({}); }).value().kind(),
            base::ErrorKind::usage);
}

TEST_F(SessionTest, LearningRateSetWhileTraining_SurvivesResume) {
  TrainingSession session(options_);
  (void)session.prepare({});
  run_steps(session, 1);
  session.set_learning_rate(0.02);
  EXPECT_DOUBLE_EQ(session.step({}).learning_rate, 0.02);
  session.save();
  options_.resume = true;
  TrainingSession resumed(options_);
  (void)resumed.prepare({});
  EXPECT_LE(resumed.step({}).learning_rate, 0.02);
}

TEST_F(SessionTest, PlanSetWhileTraining_SurvivesResumeUnlessGivenAnew) {
  using plan::Policy;
  TrainingSession session(options_);
  (void)session.prepare({});
  session.set_plan({Policy::full, Policy::keep});
  EXPECT_EQ(session.step({}).plan, (plan::Plan{Policy::full, Policy::keep}));
  session.save();
  options_.resume = true;
  TrainingSession resumed(options_);
  EXPECT_EQ(resumed.prepare({}).plan, (plan::Plan{Policy::full, Policy::keep}));
  options_.settings.step.plan = "dec1=full";
  TrainingSession anew(options_);
  EXPECT_EQ(anew.prepare({}).plan, (plan::Plan{Policy::keep, Policy::full}));
}

TEST_F(SessionTest, PlanGivenOnResume_CountsEvenIfItIsTheOneThatTheRunBeganWith) {
  using plan::Policy;
  options_.settings.step.plan = "keep";
  TrainingSession session(options_);
  (void)session.prepare({});
  session.set_plan({Policy::full, Policy::keep});
  (void)session.step({});
  session.save();
  options_.resume = true;
  options_.plan_is_given = true;
  TrainingSession resumed(options_);
  EXPECT_EQ(resumed.prepare({}).plan, plan::Plan(2, Policy::keep));
}

TEST_F(SessionTest, PlanAuto_IsChosenForTheBudgetAndSizesOfTheData) {
  using plan::Policy;
  std::vector<std::int64_t> asked;
  options_.choose_plan = [&](const base::Settings& settings, std::int64_t budget_bytes,
                             std::stop_token) {
    at::manual_seed(999);  // steps of its own draw numbers
    asked = {settings.model.classes, settings.model.channels, budget_bytes};
    return plan::Plan{Policy::keep, Policy::full};
  };
  TrainingSession session(options_);
  EXPECT_EQ(session.prepare({}).plan, (plan::Plan{Policy::keep, Policy::full}));
  EXPECT_EQ(asked, (std::vector<std::int64_t>{2, 1, std::int64_t{1} << 30}));
  const double loss = session.step({}).loss;
  session.save();
  options_.choose_plan = nullptr;
  TrainingSession keep(options_);
  EXPECT_EQ(keep.prepare({}).plan, plan::Plan(2, Policy::keep));
  EXPECT_EQ(keep.step({}).loss, loss);
}

TEST_F(SessionTest, PlanAuto_IsNotChosenAnewOnResume) {
  using plan::Policy;
  int asked = 0;
  options_.choose_plan = [&](const base::Settings&, std::int64_t, std::stop_token) {
    ++asked;
    return plan::Plan{Policy::keep, Policy::full};
  };
  TrainingSession session(options_);
  (void)session.prepare({});
  (void)session.step({});
  session.save();
  options_.resume = true;
  TrainingSession resumed(options_);
  EXPECT_EQ(resumed.prepare({}).plan, (plan::Plan{Policy::keep, Policy::full}));
  EXPECT_EQ(asked, 1);
}

TEST_F(SessionTest, Timelines_AreRecordedAtTheIntervalAndAfterAChangeOfPlan) {
  using plan::Policy;
  Clock::time_point now{};
  options_.timeline_interval = std::chrono::seconds(10);
  options_.clock = [&now] { return now; };
  TrainingSession session(options_);
  (void)session.prepare({});
  const auto has_timeline = [&](int seconds_later) {
    now += std::chrono::seconds(seconds_later);
    const run::StepReport report = session.step({});
    if (!report.timeline) return false;
    EXPECT_EQ(report.timeline->step, report.step);
    EXPECT_EQ(report.timeline->plan, report.plan);
    EXPECT_EQ(report.timeline->owners, (std::vector<std::string>{"enc1", "dec1", "head", "other"}));
    EXPECT_EQ(report.timeline->total_bytes(report.timeline->peak_point), report.peak_total_bytes);
    EXPECT_NEAR(report.timeline->total_seconds, report.total_seconds, 1e-9);
    return true;
  };
  EXPECT_TRUE(has_timeline(0));
  EXPECT_FALSE(has_timeline(9));
  EXPECT_TRUE(has_timeline(1));
  EXPECT_FALSE(has_timeline(1));
  session.set_plan({Policy::full, Policy::keep});
  EXPECT_TRUE(has_timeline(1));
  EXPECT_FALSE(has_timeline(9));
  EXPECT_TRUE(has_timeline(1));
}

TEST_F(SessionTest, TimelinesNotAskedFor_AreNeverRecorded) {
  TrainingSession session(options_);
  (void)session.prepare({});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(session.step({}).timeline, nullptr);
  }
}

TEST_F(SessionTest, Previews_ThatAreMadeAreInTheReport) {
  options_.previews = 1;
  options_.on_preview = [](const Preview& preview) {
    run::SamplePreview made;
    made.sample_id = preview.sample_id;
    return std::make_shared<const run::SamplePreview>(made);
  };
  TrainingSession session(options_);
  (void)session.prepare({});
  run_steps(session, 1);
  const run::ValidationReport report = session.validate({});
  ASSERT_EQ(report.previews.size(), 1U);
  EXPECT_EQ(report.previews[0]->sample_id, "4");
}

TEST_F(SessionTest, ResumeOfOtherData_IsAUsageError) {
  TrainingSession session(options_);
  (void)session.prepare({});
  session.save();
  options_.resume = true;
  options_.load_data = [](std::stop_token) {
    TrainingData data = tests::half_bright_data(5, 40, 48);
    data.summary.fingerprint = "other";
    return data;
  };
  TrainingSession resumed(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)resumed.prepare({}); }).value().kind(),
            base::ErrorKind::usage);
}

TEST_F(SessionTest, ResumeWithoutAState_IsAUsageError) {
  options_.resume = true;
  TrainingSession session(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)session.prepare({}); }).value().kind(),
            base::ErrorKind::usage);
}

TEST_F(SessionTest, ResumeOfADamagedState_IsAUsageError) {
  TrainingSession session(options_);
  (void)session.prepare({});
  session.save();
  const auto file = folder_.path() / "state_last" / "state.safetensors";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  options_.resume = true;
  TrainingSession resumed(options_);
  EXPECT_EQ(tests::thrown_error([&] { (void)resumed.prepare({}); }).value().kind(),
            base::ErrorKind::usage);
}

TEST_F(SessionTest, ResumeWithAnotherOptimizer_IsAUsageErrorAboutTheState) {
  TrainingSession session(options_);
  (void)session.prepare({});
  session.save();
  options_.resume = true;
  options_.settings.train.optimizer = base::OptimizerKind::sgd;
  TrainingSession resumed(options_);
  const auto error = tests::thrown_error([&] { (void)resumed.prepare({}); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::usage);
  EXPECT_NE(error.parts().subject.find("tensor"), std::string::npos) << error.what();
}

TEST_F(SessionTest, StateOfANewerVersion_IsAUsageError) {
  TrainingSession session(options_);
  (void)session.prepare({});
  session.save();
  const auto file = folder_.path() / "state_last" / "state.safetensors";
  SafetensorsContents contents = read_safetensors(file);
  contents.metadata.at("headroom_state_version") = std::to_string(kRunStateVersion + 1);
  write_safetensors(file, contents.tensors, contents.metadata);
  options_.resume = true;
  TrainingSession resumed(options_);
  const auto error = tests::thrown_error([&] { (void)resumed.prepare({}); }).value();
  EXPECT_NE(error.parts().subject.find("newer"), std::string::npos) << error.what();
}

/// Phases in which something was allocated while `work` ran.
template <typename Work>
std::set<plan::Phase> phases_of(Work work) {
  memory::cpu_meter().begin_recording(100'000);
  work();
  const memory::MeterRecording recording = memory::cpu_meter().end_recording();
  EXPECT_TRUE(recording.is_complete);
  std::set<plan::Phase> phases;
  for (const memory::MeterEvent& event : recording.events) {
    if (event.bytes > 0) phases.insert(event.phase);
  }
  return phases;
}

TEST_F(SessionTest, EveryByteOfValidationAndSaving_IsChargedToItsPhase) {
  TrainingSession session(options_);
  (void)session.prepare({});
  run_steps(session, 1);
  const auto in_validation = phases_of([&] { EXPECT_TRUE(session.validate({}).is_best); });
  EXPECT_TRUE(in_validation.contains(plan::Phase::validation));
  for (const plan::Phase phase : in_validation) {
    EXPECT_TRUE(phase == plan::Phase::validation || phase == plan::Phase::save);
  }
  for (const plan::Phase phase : phases_of([&] { session.save(); })) {
    EXPECT_EQ(phase, plan::Phase::save);
  }
}

TEST_F(SessionTest, EveryByteOfAStep_IsChargedToOneOfItsPhases) {
  TrainingSession session(options_);
  (void)session.prepare({});
  const auto phases = phases_of([&] { run_steps(session, 2); });
  EXPECT_EQ(phases,
            (std::set<plan::Phase>{plan::Phase::data, plan::Phase::forward, plan::Phase::loss,
                                   plan::Phase::backward, plan::Phase::optimizer}));
}

TEST_F(SessionTest, TimelineEvery_RecordsThoseStepsAlone) {
  options_.settings.train.timeline_every = 3;
  TrainingSession session(options_);
  (void)session.prepare({});
  for (std::int64_t step = 1; step <= 7; ++step) {
    const run::StepReport report = session.step({});
    EXPECT_EQ(report.timeline != nullptr, step % 3 == 0) << step;
    if (report.timeline) {
      EXPECT_EQ(report.timeline->step, step);
      EXPECT_FALSE(report.timeline->peak_tensors.empty());
    }
  }
}

TEST_F(SessionTest, StateOfTheFirstVersion_IsContinuedWithWholeBatches) {
  TrainingSession session(options_);
  (void)session.prepare({});
  run_steps(session, 2);
  session.save();
  const auto file = folder_.path() / "state_last" / "state.safetensors";
  SafetensorsContents contents = read_safetensors(file);
  contents.metadata.at("headroom_state_version") = "1";
  contents.metadata.erase("tiles_at_once");
  write_safetensors(file, contents.tensors, contents.metadata);
  options_.resume = true;
  TrainingSession resumed(options_);
  EXPECT_EQ(resumed.prepare({}).first_step, 2);
  EXPECT_EQ(resumed.step({}).tiles_at_once, options_.settings.step.batch);
}

TEST_F(SessionTest, SaveThatFails_KeepsTheStateBefore) {
  TrainingSession session(options_);
  (void)session.prepare({});
  session.save();
  const std::string before = base::read_file(folder_.path() / "state_last" / "state.safetensors");
  run_steps(session, 1);
  memory::fail_allocation(1);
  EXPECT_ANY_THROW(session.save());
  memory::fail_allocation(0);
  EXPECT_EQ(base::read_file(folder_.path() / "state_last" / "state.safetensors"), before);
}

}  // namespace
}  // namespace headroom::train
