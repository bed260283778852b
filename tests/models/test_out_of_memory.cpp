// Memory that runs out in a training of a U-Net, injected and real: the training goes on, and
// where only the plan had to change nothing of its result does.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/data/counter_random.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/run/controller.hpp"
#include "core/train/safetensors.hpp"
#include "core/train/training_session.hpp"
#include "models/unet.hpp"
#include "tests/core/train/synthetic_samples.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::models {
namespace {

using plan::Policy;
using run::MemoryRelief;
using run::RepeatedWork;
using train::TrainingSession;

constexpr std::size_t kStages = 5;
const plan::Plan kKeep(kStages, Policy::keep), kLight(kStages, Policy::light),
    kFull(kStages, Policy::full);

base::Settings small_settings() {
  base::Settings settings;
  settings.model.levels = 3;
  settings.model.base_channels = 4;
  settings.model.dropout = 0.1;
  settings.step.tile_height = settings.step.tile_width = 32;
  settings.step.batch = 4;
  settings.step.device = "cpu";
  settings.step.precision = base::Precision::fp32;
  settings.step.threads = 1;
  settings.step.budget_bytes = std::int64_t{1} << 30;
  settings.train.steps = 6;
  settings.train.validate_every = 3;
  settings.data.loader_threads = 1;
  return settings;
}

/// What was asked of a source of batches, and the batches' first pixels.
struct Asked {
  std::vector<std::int64_t> indices{};
  std::vector<float> pixels{};
};

class WatchedBatches final : public data::BatchSource {
 public:
  WatchedBatches(std::unique_ptr<data::BatchSource> inner, Asked& asked)
      : inner_(std::move(inner)), asked_(asked) {}

 private:
  data::HostBatch do_batch(std::int64_t index, std::stop_token stop) override {
    data::HostBatch batch = inner_->batch(index, std::move(stop));
    asked_.indices.push_back(index);
    asked_.pixels.push_back(batch.pixels.front());
    return batch;
  }
  std::int64_t do_batches_per_epoch() const override { return inner_->batches_per_epoch(); }

  std::unique_ptr<data::BatchSource> inner_;
  Asked& asked_;
};

class OutOfMemory : public testing::Test {
 protected:
  OutOfMemory() {
    options_.settings = small_settings();
    options_.make_model = make_model;
    options_.load_data = [](std::stop_token) { return tests::half_bright_data(5, 40, 48); };
  }
  ~OutOfMemory() override { memory::fail_allocation(0); }

  [[nodiscard]] train::TrainingOptions options_in(const std::string& name) const {
    train::TrainingOptions options = options_;
    options.run_folder = folder_ / name;
    std::filesystem::create_directories(options.run_folder);
    return options;
  }
  /// Everything that the run would resume from.
  [[nodiscard]] train::NamedTensors state_of(const std::string& name) const {
    return train::read_safetensors(folder_ / name / "state_last" / "state.safetensors").tensors;
  }
  void expect_same_state(const std::string& a, const std::string& b) const {
    const train::NamedTensors left = state_of(a), right = state_of(b);
    ASSERT_EQ(left.size(), right.size());
    for (const auto& [name, tensor] : left) {
      EXPECT_TRUE(at::equal(tensor, right.at(name))) << name;
    }
  }

  /// One step, repeated with what the session changes until it is done.
  run::StepReport step(TrainingSession& session) {
    for (;;) {
      try {
        return session.step({});
      } catch (const base::Error& error) {
        if (error.kind() != base::ErrorKind::out_of_memory) throw;
        reliefs_.push_back(session.relieve_memory(RepeatedWork::step, error));
      }
    }
  }
  void train_to(TrainingSession& session, std::int64_t last_step) {
    while (step(session).step < last_step) {
    }
  }
  /// A whole run without validations, undisturbed.
  void train_plainly(const std::string& name) {
    TrainingSession session(options_in(name));
    static_cast<void>(session.prepare({}));
    train_to(session, options_.settings.train.steps);
    session.save();
  }
  /// Highest live bytes of two steps, weights and optimizer state included.
  [[nodiscard]] std::int64_t peak_of(const std::string& plan, std::int64_t batch) {
    train::TrainingOptions options = options_in("peak");
    options.settings.step.plan = plan;
    options.settings.step.batch = batch;
    TrainingSession session(std::move(options));
    static_cast<void>(session.prepare({}));
    return std::max(session.step({}).peak_total_bytes, session.step({}).peak_total_bytes);
  }

  tests::TemporaryFolder folder_;
  train::TrainingOptions options_;
  std::vector<MemoryRelief> reliefs_;
};

/// Another plan each time, and never fewer tiles.
plan::NextForm any_other_plan() {
  return [](const plan::MemoryRecord& record) -> std::optional<plan::StepForm> {
    const plan::StepForm& now = record.refused.back().form;
    return plan::StepForm{now.plan == kKeep    ? kLight
                          : now.plan == kLight ? kFull
                                               : kKeep,
                          now.tiles_at_once};
  };
}

// ---------------------------------------------------------------- injected

TEST_F(OutOfMemory, EveryAllocationOfAStepRefusedOnce_ChangesNoBit) {
  options_.next_form = any_other_plan();
  std::int64_t steps = 0;
  {
    TrainingSession session(options_in("disturbed"));
    static_cast<void>(session.prepare({}));
    for (std::int64_t n = 1;; ++n) {
      ASSERT_LT(n, 5000);
      memory::fail_allocation(n);
      const std::size_t before = reliefs_.size();
      ASSERT_EQ(step(session).step, ++steps);
      if (reliefs_.size() == before) break;
    }
    memory::fail_allocation(0);
    session.save();
  }
  EXPECT_GT(reliefs_.size(), 300U);
  TrainingSession plain(options_in("plain"));
  static_cast<void>(plain.prepare({}));
  for (std::int64_t i = 0; i < steps; ++i) static_cast<void>(plain.step({}));
  plain.save();
  expect_same_state("disturbed", "plain");
}

TEST_F(OutOfMemory, SeveralRefusalsInOneStep_GoDownTheLadder) {
  train_plainly("plain");
  TrainingSession session(options_in("disturbed"));
  static_cast<void>(session.prepare({}));
  train_to(session, 2);
  const plan::Plan mostly_full = {Policy::full, Policy::full, Policy::full, Policy::full,
                                  Policy::light};
  for (const plan::Plan& expected : {kLight, mostly_full, kFull}) {
    memory::fail_allocation(30);
    const run::StepReport report = step(session);
    EXPECT_EQ(report.plan, expected);
    EXPECT_EQ(report.tiles_at_once, 4);
    EXPECT_EQ(reliefs_.back().after.plan, expected);
    EXPECT_EQ(reliefs_.back().step, report.step);
  }
  EXPECT_EQ(reliefs_.size(), 3U);
  train_to(session, 6);
  session.save();
  expect_same_state("disturbed", "plain");
}

/// Refuses one allocation of a run from its beginning on; 0: counts them.
class Injector final : public run::EventSink {
 public:
  explicit Injector(std::int64_t failing) : failing_(failing) {}

 private:
  void do_handle(const run::Event& event) override {
    if (!std::holds_alternative<run::Prepared>(event)) return;
    if (failing_ == 0) memory::cpu_meter().begin_recording(std::size_t{1} << 18);
    memory::fail_allocation(failing_);
  }
  std::int64_t failing_;
};

/// Steps, validations and saves through the controller, as in the program. The allocations that
/// are refused are drawn at random; `tools/oom_check` does the same with real trainings.
TEST_F(OutOfMemory, RandomAllocationOfATraining_IsFollowedByTheSameTraining) {
  const auto train = [&](const std::string& name, std::int64_t failing) {
    run::ControllerOptions parts;
    parts.make_session = [&](const run::RunRequest&, const run::SessionLog&) {
      return run::RunParts{.session = std::make_unique<TrainingSession>(options_in(name))};
    };
    parts.sinks.push_back(std::make_unique<Injector>(failing));
    run::RunController controller(std::move(parts));
    controller.post(run::Configure{{.settings = options_.settings}});
    controller.post(run::StartRun{});
    auto snapshot = controller.wait_until_done();
    memory::fail_allocation(0);
    return snapshot;
  };
  const auto plain = train("plain", 0);
  const std::vector<memory::MeterEvent> events = memory::cpu_meter().end_recording().events;
  ASSERT_EQ(plain->outcome, run::Outcome::completed);
  const std::int64_t allocations = std::ranges::count_if(
      events, [](const memory::MeterEvent& event) { return event.bytes > 0; });
  const std::string model = base::read_file(folder_ / "plain" / "model_last.safetensors");
  data::CounterRandom random(11, /*stream=*/0, /*counter=*/0);
  for (int i = 0; i < 40; ++i) {
    const std::int64_t failing = 1 + random.below(allocations);
    SCOPED_TRACE(testing::Message() << "allocation " << failing << " of " << allocations);
    const auto snapshot = train("disturbed", failing);
    ASSERT_EQ(snapshot->outcome, run::Outcome::completed)
        << (snapshot->error ? snapshot->error->error.subject : "");
    EXPECT_EQ(snapshot->steps_done, 6);
    ASSERT_TRUE(base::read_file(folder_ / "disturbed" / "model_last.safetensors") == model);
  }
}

TEST_F(OutOfMemory, EveryAllocationOfASaveRefusedOnce_IsSavedAllTheSame) {
  TrainingSession session(options_in("run"));
  static_cast<void>(session.prepare({}));
  static_cast<void>(session.step({}));
  session.save();
  const std::string model = base::read_file(folder_ / "run" / "model_last.safetensors");
  int refusals = 0;
  for (std::int64_t n = 1;; ++n) {
    memory::fail_allocation(n);
    try {
      session.save();
      break;
    } catch (const base::Error& error) {
      ++refusals;
      const MemoryRelief relief = session.relieve_memory(RepeatedWork::save, error);
      EXPECT_EQ(relief.before, relief.after);
      session.save();
      ASSERT_TRUE(base::read_file(folder_ / "run" / "model_last.safetensors") == model);
    }
  }
  EXPECT_GT(refusals, 1);
}

TEST_F(OutOfMemory, ValidationRefusedTwiceInARow_IsAnErrorWithARemedy) {
  TrainingSession session(options_in("run"));
  static_cast<void>(session.prepare({}));
  static_cast<void>(session.step({}));
  const auto refused = [&] {
    memory::meter_of(c10::kCPU).set_budget(1);
    return tests::thrown_error([&] { static_cast<void>(session.validate({})); }).value();
  };
  const base::Error first = refused();
  EXPECT_EQ(first.kind(), base::ErrorKind::out_of_memory);
  EXPECT_NO_THROW(static_cast<void>(session.relieve_memory(RepeatedWork::validation, first)));
  const base::Error second = refused();
  const auto error = tests::thrown_error([&] {
                       static_cast<void>(session.relieve_memory(RepeatedWork::validation, second));
                     }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::out_of_memory);
  EXPECT_NE(error.parts().remedy.find("--budget"), std::string::npos);
}

TEST_F(OutOfMemory, AnswerStop_ChangesNothingAndNamesTheOtherAnswer) {
  options_.settings.train.on_oom = base::OutOfMemoryAnswer::stop;
  TrainingSession session(options_in("run"));
  static_cast<void>(session.prepare({}));
  memory::fail_allocation(30);
  const auto error = tests::thrown_error([&] { static_cast<void>(step(session)); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::out_of_memory);
  EXPECT_NE(error.parts().remedy.find("--on-oom adapt"), std::string::npos);
  EXPECT_EQ(session.step({}).plan, kKeep);
}

TEST_F(OutOfMemory, PlanAskedForAfterwards_ReplacesTheOneThatWasForced) {
  TrainingSession session(options_in("run"));
  static_cast<void>(session.prepare({}));
  memory::fail_allocation(30);
  EXPECT_EQ(step(session).plan, kLight);
  session.set_plan(kKeep);
  EXPECT_EQ(step(session).plan, kKeep);
  memory::fail_allocation(30);
  // Light was never refused.
  EXPECT_EQ(step(session).plan, kLight);
}

// ---------------------------------------------------------------- fewer tiles at once

/// Half of the tiles at once, whatever the plan.
std::optional<plan::StepForm> half_the_tiles(const plan::MemoryRecord& record) {
  const plan::StepForm& now = record.refused.back().form;
  return plan::StepForm{now.plan, (now.tiles_at_once + 1) / 2};
}

TEST_F(OutOfMemory, FewerTilesAtOnce_KeepSamplesEffectiveBatchAndSchedule) {
  options_.settings.step.accumulate = 2;
  const auto train = [&](const std::string& name, bool is_disturbed) {
    auto asked = std::make_shared<Asked>();
    train::TrainingOptions options = options_in(name);
    options.next_form = half_the_tiles;
    options.wrap_batches = [asked](std::unique_ptr<data::BatchSource> source) {
      return std::make_unique<WatchedBatches>(std::move(source), *asked);
    };
    TrainingSession session(std::move(options));
    const run::SessionFacts facts = session.prepare({});
    std::vector<run::StepReport> reports;
    for (std::int64_t i = 1; i <= 6; ++i) {
      if (is_disturbed && (i == 2 || i == 4)) {
        // What the attempt that fails asks for is asked for again.
        const Asked before = *asked;
        memory::fail_allocation(60);
        EXPECT_ANY_THROW(static_cast<void>(session.step({})));
        memory::fail_allocation(0);
        *asked = before;
        static_cast<void>(session.relieve_memory(
            RepeatedWork::step, base::Error(base::ErrorKind::out_of_memory, {"a", "b", "c"})));
      }
      reports.push_back(session.step({}));
    }
    return std::pair(*asked, std::pair(facts.steps, reports));
  };
  const auto [plain_asked, plain] = train("plain", false);
  const auto [asked, disturbed] = train("disturbed", true);
  EXPECT_EQ(asked.indices, plain_asked.indices);
  EXPECT_EQ(asked.indices, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(asked.pixels, plain_asked.pixels);
  EXPECT_EQ(disturbed.first, plain.first);
  const std::vector<std::int64_t> tiles = {4, 2, 2, 1, 1, 1};
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    EXPECT_EQ(disturbed.second[i].step, plain.second[i].step);
    EXPECT_EQ(disturbed.second[i].epoch, plain.second[i].epoch);
    EXPECT_EQ(disturbed.second[i].learning_rate, plain.second[i].learning_rate);
    EXPECT_EQ(disturbed.second[i].tiles_at_once, tiles[i]);
  }
  EXPECT_EQ(disturbed.second[0].loss, plain.second[0].loss);
}

TEST_F(OutOfMemory, FewerTilesAtOnce_LastForTheRestOfTheRunAndThroughAResume) {
  options_.next_form = half_the_tiles;
  {
    TrainingSession whole(options_in("whole"));
    static_cast<void>(whole.prepare({}));
    memory::fail_allocation(60);
    train_to(whole, 6);
    whole.save();
  }
  {
    TrainingSession first(options_in("parted"));
    static_cast<void>(first.prepare({}));
    memory::fail_allocation(60);
    train_to(first, 3);
    first.save();
  }
  train::TrainingOptions options = options_in("parted");
  options.resume = true;
  TrainingSession rest(std::move(options));
  EXPECT_EQ(rest.prepare({}).tiles_at_once, 2);
  EXPECT_EQ(step(rest).tiles_at_once, 2);
  train_to(rest, 6);
  rest.save();
  expect_same_state("parted", "whole");
}

// ---------------------------------------------------------------- real budgets

TEST_F(OutOfMemory, BudgetBetweenLightAndKeep_TrainsUnderLightWithTheBitsOfKeep) {
  train_plainly("plain");
  const std::int64_t keep = peak_of("keep", 4), light = peak_of("light", 4);
  ASSERT_LT(light, keep);
  options_.settings.step.budget_bytes = (light + keep) / 2;
  TrainingSession session(options_in("tight"));
  static_cast<void>(session.prepare({}));
  EXPECT_EQ(step(session).plan, kLight);
  train_to(session, 6);
  EXPECT_NO_THROW(static_cast<void>(session.validate({})));
  session.save();
  EXPECT_EQ(reliefs_.size(), 1U);
  EXPECT_GT(reliefs_[0].refused_bytes, reliefs_[0].budget_bytes);
  expect_same_state("tight", "plain");
}

TEST_F(OutOfMemory, BudgetBelowEveryPlanOfTheBatch_TrainsInParts) {
  const std::int64_t of_four =
      std::min({peak_of("full", 4), peak_of("light", 4),
                peak_of("enc1=full,enc2=full,enc3=full,dec2=full,dec1=light", 4)});
  const std::int64_t of_one = peak_of("keep", 1);
  ASSERT_LT(of_one, of_four);
  options_.settings.step.budget_bytes = of_one + (of_four - of_one) / 8;
  TrainingSession session(options_in("tight"));
  static_cast<void>(session.prepare({}));
  train_to(session, 6);
  EXPECT_NO_THROW(static_cast<void>(session.validate({})));
  session.save();
  EXPECT_GE(reliefs_.size(), 4U);
  EXPECT_LT(reliefs_.back().after.tiles_at_once, 4);
  for (const MemoryRelief& relief : reliefs_) EXPECT_EQ(relief.step, 1);
}

TEST_F(OutOfMemory, BudgetBelowEverything_SaysWhatIsNeededAndWhatToDo) {
  const std::int64_t of_one = std::min(peak_of("full", 1), peak_of("light", 1));
  std::int64_t weights = 0;
  {
    TrainingSession session(options_in("weights"));
    static_cast<void>(session.prepare({}));
    weights = memory::meter_of(c10::kCPU).reading().live_bytes;
  }
  options_.settings.step.budget_bytes = (weights + of_one) / 2;
  TrainingSession session(options_in("tight"));
  static_cast<void>(session.prepare({}));
  const auto error = tests::thrown_error([&] { static_cast<void>(step(session)); }).value();
  EXPECT_EQ(error.kind(), base::ErrorKind::out_of_memory);
  EXPECT_NE(error.parts().subject.find("the budget is"), std::string::npos) << error.what();
  EXPECT_NE(error.parts().remedy.find("--budget above"), std::string::npos) << error.what();
  EXPECT_NE(error.parts().remedy.find("--tile"), std::string::npos) << error.what();
  EXPECT_EQ(reliefs_.back().after.tiles_at_once, 1);
}

TEST_F(OutOfMemory, RunThatNothingFitsAnyMore_GoesOnAsItWasWhenThereIsMemoryAgain) {
  train_plainly("plain");
  {
    TrainingSession session(options_in("run"));
    static_cast<void>(session.prepare({}));
    train_to(session, 3);
    memory::MemoryMeter& meter = memory::meter_of(c10::kCPU);
    meter.set_budget(meter.reading().live_bytes);
    EXPECT_TRUE(tests::thrown_error([&] { static_cast<void>(step(session)); }));
    meter.set_budget(0);
    session.save();
  }
  train::TrainingOptions options = options_in("run");
  options.resume = true;
  TrainingSession rest(std::move(options));
  const run::SessionFacts facts = rest.prepare({});
  EXPECT_EQ(facts.plan, kKeep);
  EXPECT_EQ(facts.tiles_at_once, 0);
  train_to(rest, 6);
  rest.save();
  expect_same_state("run", "plain");
}

}  // namespace
}  // namespace headroom::models
