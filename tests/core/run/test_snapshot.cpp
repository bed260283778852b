#include "core/run/snapshot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json_text.hpp"
#include "core/run/record_reader.hpp"

namespace headroom::run {
namespace {

using plan::Policy;

StepReport report_of(std::int64_t step) {
  StepReport report;
  report.step = step;
  report.loss = 1.0 / static_cast<double>(step);
  report.peak_total_bytes = 1000 + step;
  return report;
}

RunSnapshot prepared_snapshot() {
  SessionFacts facts;
  facts.stages = {"enc1", "enc2", "dec1"};
  facts.plan = plan::Plan(3, Policy::keep);
  facts.first_step = 7;
  RunSnapshot snapshot = reduce({}, Configured{});
  snapshot = reduce(std::move(snapshot), StateChanged{RunState::ready, RunState::preparing});
  return reduce(std::move(snapshot), Prepared{std::make_shared<const SessionFacts>(facts)});
}

TEST(Reduce, EveryEvent_RaisesTheRevisionByOne) {
  const std::vector<Event> events = {Configured{},
                                     StateChanged{},
                                     Prepared{std::make_shared<const SessionFacts>()},
                                     RecordRead{std::make_shared<const RecordedRun>()},
                                     StepDone{report_of(1)},
                                     ValidationDone{},
                                     PlanRequested{},
                                     PlanApplied{},
                                     PlanMeasured{},
                                     LearningRateSet{},
                                     Saved{},
                                     LogLine{},
                                     CommandRefused{},
                                     Finished{},
                                     Failed{},
                                     SelfTestDone{},
                                     MemoryRelieved{},
                                     CalibrationBegun{},
                                     CalibrationProgressed{},
                                     CalibrationEnded{},
                                     FitCheckBegun{},
                                     FitCheckEnded{}};
  ASSERT_EQ(events.size(), std::variant_size_v<Event>);
  RunSnapshot snapshot;
  for (const Event& event : events) {
    const std::int64_t before = snapshot.revision;
    snapshot = reduce(std::move(snapshot), event);
    EXPECT_EQ(snapshot.revision, before + 1);
  }
}

TEST(Reduce, Pure_LeavesTheGivenSnapshotAsItWas) {
  const RunSnapshot before = prepared_snapshot();
  const RunSnapshot after = reduce(before, StepDone{report_of(8)});
  EXPECT_EQ(before.steps_done, 7);
  EXPECT_TRUE(before.history.loss.buckets().empty());
  EXPECT_EQ(after.steps_done, 8);
  EXPECT_EQ(after.history.peak_total_bytes.buckets().at(0).last, 1008);
}

TEST(Reduce, PlanChange_IsRequestedFirstAndAppliedLater) {
  const plan::Plan full(3, Policy::full);
  RunSnapshot snapshot = reduce(prepared_snapshot(), PlanRequested{full});
  EXPECT_EQ(snapshot.requested_plan, full);
  EXPECT_TRUE(snapshot.applied_plan.empty());
  snapshot = reduce(std::move(snapshot), PlanApplied{.step = 9, .plan = full});
  EXPECT_EQ(snapshot.applied_plan, full);
  ASSERT_EQ(snapshot.plan_marks.size(), 1U);
  EXPECT_EQ(snapshot.plan_marks[0].step, 9);
}

TEST(Reduce, ContinuedRun_HasTheStepsBefore) {
  auto record = std::make_shared<RecordedRun>();
  for (std::int64_t step = 1; step <= 7; ++step) record->history.add(report_of(step));
  record->validations.push_back({.step = 5, .loss = 0.25, .mean_dice = 0.75});
  const plan::Plan keep(3, Policy::keep), full(3, Policy::full);
  record->plans = {{.step = 1, .plan = keep}, {.step = 4, .plan = full}};
  RunSnapshot snapshot = reduce(prepared_snapshot(), RecordRead{record});
  const std::size_t lines = snapshot.log.size();
  EXPECT_EQ(snapshot.applied_plan, full) << "the last step, before the run was saved, ran with it";
  snapshot = reduce(std::move(snapshot), StepDone{report_of(8)});
  ASSERT_EQ(snapshot.history.loss.buckets().size(), 8U);
  EXPECT_EQ(snapshot.history.loss.buckets().front().first_step, 1);
  ASSERT_EQ(snapshot.validations.size(), 1U);
  EXPECT_EQ(snapshot.validations[0].mean_dice, 0.75);
  ASSERT_EQ(snapshot.plan_marks.size(), 2U);
  EXPECT_EQ(snapshot.plan_marks[1].number, 1);
  EXPECT_EQ(snapshot.plan_marks[1].step, 4);
  EXPECT_EQ(snapshot.log.size(), lines);
  snapshot = reduce(std::move(snapshot), PlanApplied{.step = 9, .plan = keep});
  EXPECT_EQ(snapshot.plan_marks.back().number, 2);
}

TEST(Reduce, NewRun_ForgetsTheOldOneButKeepsLogAndRequest) {
  RunSnapshot snapshot = reduce(prepared_snapshot(), StepDone{report_of(8)});
  snapshot = reduce(std::move(snapshot), LogLine{.text = "kept"});
  snapshot = reduce(std::move(snapshot), Failed{.kind = base::ErrorKind::io});
  snapshot = reduce(std::move(snapshot), StateChanged{RunState::failed, RunState::preparing});
  EXPECT_EQ(snapshot.state, RunState::preparing);
  EXPECT_EQ(snapshot.facts, nullptr);
  EXPECT_EQ(snapshot.steps_done, 0);
  EXPECT_FALSE(snapshot.error);
  EXPECT_FALSE(snapshot.last_step);
  EXPECT_TRUE(snapshot.history.loss.buckets().empty());
  EXPECT_TRUE(snapshot.request);
  EXPECT_NE(std::ranges::find(snapshot.log, "kept", &LogEntry::text), snapshot.log.end());
}

TEST(Reduce, RefusalAndFailure_StandInTheLog) {
  RunSnapshot snapshot =
      reduce({}, CommandRefused{.action = Action::pause, .reason = "The run is over."});
  snapshot =
      reduce(std::move(snapshot),
             Failed{.kind = base::ErrorKind::io,
                    .error = {.attempted = "saving", .subject = "m", .remedy = "free space"}});
  ASSERT_EQ(snapshot.log.size(), 2U);
  EXPECT_EQ(snapshot.log[0].text, "The run is over.");
  EXPECT_EQ(snapshot.log[1].text, "saving: m. free space");
  EXPECT_EQ(snapshot.log[1].severity, base::Severity::error);
}

TEST(Reduce, EndlessLists_StayBounded) {
  RunSnapshot snapshot;
  for (std::int64_t i = 1; i <= 5000; ++i) {
    snapshot = reduce(std::move(snapshot), LogLine{.text = std::to_string(i)});
    snapshot = reduce(std::move(snapshot), PlanApplied{.step = i});
    snapshot = reduce(std::move(snapshot), MemoryRelieved{{.step = i}});
    ValidationReport report;
    report.step = i;
    report.is_best = i == 1 || i == 2500;
    snapshot = reduce(std::move(snapshot), ValidationDone{report});
  }
  EXPECT_EQ(snapshot.log.size(), RunSnapshot::kLogLines);
  EXPECT_EQ(snapshot.log.back().text, "Validation at 5\u2009000: mean Dice 0.000");
  EXPECT_EQ(snapshot.plan_marks.size(), RunSnapshot::kPlanMarks);
  EXPECT_EQ(snapshot.plan_marks.back().step, 5000);
  EXPECT_EQ(snapshot.memory_reliefs.size(), RunSnapshot::kMemoryReliefs);
  EXPECT_EQ(snapshot.memory_reliefs.back().step, 5000);
  EXPECT_EQ(snapshot.plan_marks.back().number, 4999);
  EXPECT_LE(snapshot.validations.size(), RunSnapshot::kValidations);
  EXPECT_EQ(snapshot.validations.front().step, 1);
  EXPECT_EQ(snapshot.validations.back().step, 5000);
  EXPECT_EQ(std::count_if(snapshot.validations.begin(), snapshot.validations.end(),
                          [](const ValidationReport& each) { return each.step == 2500; }),
            1);
}

TEST(Reduce, PlanMarks_AreNumberedFromThePlanThatTheRunBeganWith) {
  RunSnapshot snapshot = reduce(prepared_snapshot(), PlanApplied{.step = 8});
  snapshot = reduce(std::move(snapshot), PlanApplied{.step = 9, .plan = {Policy::full}});
  snapshot = reduce(std::move(snapshot),
                    PlanMeasured{.number = 1, .step = 9, .peak_total_bytes_after = 77});
  ASSERT_EQ(snapshot.plan_marks.size(), 2U);
  EXPECT_EQ(snapshot.plan_marks[0].number, 0);
  EXPECT_FALSE(snapshot.plan_marks[0].effect);
  EXPECT_EQ(snapshot.plan_marks[1].number, 1);
  EXPECT_EQ(snapshot.plan_marks[1].effect.value().peak_total_bytes_after, 77);
}

TEST(Reduce, MemoryThatRanOut_IsAWarningAndAMarkAndTheNewPlanIsTheRequestedOne) {
  const plan::Plan light(3, Policy::light);
  const MemoryRelief relief{.step = 8,
                            .refused_bytes = 3 << 20,
                            .budget_bytes = 2 << 20,
                            .before = {plan::Plan(3, Policy::keep), 4},
                            .after = {light, 4}};
  const RunSnapshot snapshot = reduce(prepared_snapshot(), MemoryRelieved{relief});
  EXPECT_EQ(snapshot.requested_plan, light);
  ASSERT_EQ(snapshot.memory_reliefs.size(), 1U);
  EXPECT_EQ(snapshot.memory_reliefs[0].step, 8);
  EXPECT_EQ(snapshot.log.back().severity, base::Severity::warning);
  EXPECT_EQ(snapshot.log.back().text,
            "Out of memory at step 8 (at least 3.00 MiB needed, budget 2.00 MiB): enc1 Light, enc2 "
            "Light, dec1 Light, the step is repeated");
}

TEST(Reduce, MemoryThatRanOutInAValidation_LeavesThePlanAlone) {
  const plan::StepForm form{plan::Plan(3, Policy::full), 4};
  const MemoryRelief relief{
      .work = RepeatedWork::validation, .step = 7, .before = form, .after = form};
  const RunSnapshot snapshot = reduce(prepared_snapshot(), MemoryRelieved{relief});
  EXPECT_EQ(snapshot.requested_plan, plan::Plan(3, Policy::keep));
  EXPECT_EQ(snapshot.log.back().text,
            "Out of memory in the validation after step 7: it is repeated");
}

TEST(Reduce, Previews_AreHeldByTheSnapshotAndNotByTheReports) {
  const auto preview = std::make_shared<const SamplePreview>();
  ValidationReport report;
  report.previews = {preview, preview};
  RunSnapshot snapshot = reduce(prepared_snapshot(), ValidationDone{report});
  EXPECT_EQ(snapshot.previews.size(), 2U);
  EXPECT_TRUE(snapshot.validations.back().previews.empty());
  report.previews = {preview};
  snapshot = reduce(std::move(snapshot), ValidationDone{report});
  EXPECT_EQ(snapshot.previews.size(), 1U);
}

TEST(Reduce, Timeline_OfTheLatestStepThatHasOneStays) {
  const auto timeline = std::make_shared<const plan::StepTimeline>();
  StepReport recorded = report_of(8);
  recorded.timeline = timeline;
  RunSnapshot snapshot = reduce(prepared_snapshot(), StepDone{recorded});
  snapshot = reduce(std::move(snapshot), StepDone{report_of(9)});
  EXPECT_EQ(snapshot.timeline, timeline);
}

TEST(Reduce, CalibrationThatFails_SaysWhyAndLeavesTheCostsBefore) {
  const auto costs = std::make_shared<const plan::StepCosts>();
  base::Settings settings;
  settings.model.levels = 3;
  RunSnapshot snapshot = reduce({}, CalibrationBegun{settings});
  snapshot = reduce(std::move(snapshot), CalibrationProgressed{5});
  EXPECT_TRUE(snapshot.calibration->is_running());
  snapshot = reduce(std::move(snapshot), CalibrationEnded{costs});
  EXPECT_EQ(snapshot.calibration->state, CalibrationStatus::State::done);
  snapshot = reduce(std::move(snapshot), CalibrationBegun{});
  EXPECT_EQ(snapshot.calibration->steps, 0);
  snapshot = reduce(std::move(snapshot),
                    CalibrationEnded{.kind = base::ErrorKind::out_of_memory,
                                     .error = {.attempted = "calibrating",
                                               .subject = "the machine has no memory left",
                                               .remedy = "Close other programs"}});
  EXPECT_EQ(snapshot.calibration->state, CalibrationStatus::State::failed);
  EXPECT_EQ(snapshot.calibration->problem.remedy, "Close other programs");
  EXPECT_EQ(snapshot.costs, costs);
  EXPECT_EQ(snapshot.costs_settings.model.levels, 3);
  EXPECT_EQ(snapshot.log.back().severity, base::Severity::error);
}

TEST(Reduce, SelfTest_OutlivesRuns) {
  RunSnapshot snapshot = reduce({}, SelfTestDone{{.plans = 32, .equal = 32}});
  snapshot = reduce(std::move(snapshot), StateChanged{RunState::empty, RunState::ready});
  snapshot = reduce(std::move(snapshot), StateChanged{RunState::ready, RunState::preparing});
  ASSERT_TRUE(snapshot.self_test);
  EXPECT_EQ(snapshot.self_test->equal, 32);
}

StepReport stage_report(std::int64_t step, Policy policy, double seconds) {
  StepReport report = report_of(step);
  report.stages = {{.name = "enc1",
                    .policy = policy,
                    .kept_bytes = 100 * step,
                    .forward_seconds = seconds,
                    .backward_seconds = 2 * seconds,
                    .recompute_seconds = seconds}};
  report.head.kept_bytes = 5;
  return report;
}

const PolicyMeasurement& measured(const RunSnapshot& snapshot, Policy policy) {
  return snapshot.stages.at(0).at(static_cast<std::size_t>(policy)).value();
}

TEST(Reduce, StageTimes_AreAMeanAtFirstAndThenFollowOverEightSteps) {
  RunSnapshot snapshot = prepared_snapshot();
  for (std::int64_t step = 1; step <= 8; ++step) {
    snapshot = reduce(std::move(snapshot), StepDone{stage_report(step, Policy::keep, 1)});
  }
  EXPECT_DOUBLE_EQ(measured(snapshot, Policy::keep).seconds, 4);
  snapshot = reduce(std::move(snapshot), StepDone{stage_report(9, Policy::keep, 3)});
  EXPECT_DOUBLE_EQ(measured(snapshot, Policy::keep).seconds, 4 + (12.0 - 4) / 8);
  EXPECT_EQ(measured(snapshot, Policy::keep).kept_bytes, 900);
  ASSERT_EQ(snapshot.stages.size(), 2U);
  EXPECT_EQ(snapshot.stages[1][0].value().kept_bytes, 5);
}

TEST(Reduce, StageTimes_RestartWhenThePolicyChangesAndTheOtherPolicyKeepsItsOwn) {
  RunSnapshot snapshot = prepared_snapshot();
  snapshot = reduce(std::move(snapshot), StepDone{stage_report(1, Policy::keep, 1)});
  snapshot = reduce(std::move(snapshot), StepDone{stage_report(2, Policy::full, 2)});
  EXPECT_DOUBLE_EQ(measured(snapshot, Policy::full).seconds, 8);
  EXPECT_DOUBLE_EQ(measured(snapshot, Policy::keep).seconds, 4);
  EXPECT_EQ(measured(snapshot, Policy::keep).step, 1);
  snapshot = reduce(std::move(snapshot), StepDone{stage_report(3, Policy::keep, 5)});
  EXPECT_DOUBLE_EQ(measured(snapshot, Policy::keep).seconds, 20);
}

TEST(PlanLetters, AnyNumber_CountAsColumnsOfASheet) {
  EXPECT_EQ(letters_of(0), "");
  EXPECT_EQ(letters_of(1), "A");
  EXPECT_EQ(letters_of(26), "Z");
  EXPECT_EQ(letters_of(27), "AA");
  EXPECT_EQ(letters_of(52), "AZ");
  EXPECT_EQ(letters_of(703), "AAA");
}

TEST(Series, TwoMillionValues_StayBoundedAndKeepExtremes) {
  constexpr std::int64_t kValues = 2'000'000;
  Series series;
  double sum = 0;
  for (std::int64_t step = 1; step <= kValues; ++step) {
    double value = std::sin(static_cast<double>(step) * 1e-3);
    if (step == 1'234'567) value = 50;  // a single spike
    if (step == 765'433) value = -50;
    sum += value;
    series.add(step, value);
    ASSERT_LE(series.buckets().size(), Series::kBuckets);
  }
  const std::vector<SeriesBucket>& buckets = series.buckets();
  EXPECT_GE(buckets.size(), Series::kBuckets / 2);
  EXPECT_EQ(buckets.front().first_step, 1);
  EXPECT_EQ(buckets.front().first, std::sin(1e-3));
  EXPECT_EQ(buckets.back().last_step, kValues);
  EXPECT_EQ(buckets.back().last, std::sin(static_cast<double>(kValues) * 1e-3));

  double low = 0, high = 0, bucket_sum = 0;
  std::int64_t count = 0, next_step = 1;
  for (const SeriesBucket& bucket : buckets) {
    EXPECT_EQ(bucket.first_step, next_step);
    next_step = bucket.last_step + 1;
    low = std::min(low, bucket.low);
    high = std::max(high, bucket.high);
    bucket_sum += bucket.sum;
    count += bucket.count;
    if (&bucket != &buckets.back()) {
      EXPECT_EQ(bucket.count, series.values_per_bucket());
    }
  }
  EXPECT_EQ(low, -50);
  EXPECT_EQ(high, 50);
  EXPECT_EQ(count, kValues);
  EXPECT_NEAR(bucket_sum, sum, 1e-6);
}

TEST(Series, NotFiniteValues_DoNotHideTheOthers) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Series series;
  const std::int64_t values = 2 * static_cast<std::int64_t>(Series::kBuckets) + 2;
  for (std::int64_t step = 1; step <= values; ++step) {
    series.add(step, step % 2 == 0 ? kNan : static_cast<double>(step));
  }
  const SeriesBucket& first = series.buckets().front();
  EXPECT_EQ(first.low, 1);
  EXPECT_EQ(first.high, first.last_step - 1);
  EXPECT_EQ(first.count, series.values_per_bucket() / 2);
  EXPECT_TRUE(std::isnan(first.last));

  Series hopeless;
  hopeless.add(1, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(hopeless.buckets().at(0).low));
  EXPECT_EQ(hopeless.buckets().at(0).count, 0);
}

TEST(EventJson, TimelineAndPreviews_AreLeftOut) {
  StepReport step = report_of(3);
  step.timeline = std::make_shared<const plan::StepTimeline>();
  EXPECT_FALSE(to_json(StepDone{step}).contains("timeline"));
  ValidationReport validation;
  validation.previews = {std::make_shared<const SamplePreview>()};
  EXPECT_FALSE(to_json(ValidationDone{validation}).contains("previews"));
}

TEST(EventJson, EachEvent_HasItsOwnNameAndIsOneLine) {
  StepReport step = report_of(3);
  step.loss = std::numeric_limits<double>::quiet_NaN();
  step.stages.push_back({.name = "enc1"});
  SessionFacts facts;
  facts.dataset.findings.push_back({.code = "c", .file = "bad\xFF name"});
  const std::vector<Event> events = {Configured{{.data_folder = "d\xFF"}},
                                     StateChanged{},
                                     Prepared{std::make_shared<const SessionFacts>(facts)},
                                     RecordRead{std::make_shared<const RecordedRun>()},
                                     StepDone{step},
                                     ValidationDone{},
                                     PlanRequested{},
                                     PlanApplied{.step = 5, .plan = {Policy::full, Policy::keep}},
                                     PlanMeasured{},
                                     LearningRateSet{},
                                     Saved{},
                                     LogLine{},
                                     CommandRefused{},
                                     Finished{},
                                     Failed{},
                                     SelfTestDone{},
                                     MemoryRelieved{},
                                     CalibrationBegun{},
                                     CalibrationProgressed{},
                                     CalibrationEnded{},
                                     FitCheckBegun{},
                                     FitCheckEnded{}};
  ASSERT_EQ(events.size(), std::variant_size_v<Event>);
  std::set<std::string> names;
  for (const Event& event : events) {
    const std::string text = base::dump_json(to_json(event));
    EXPECT_EQ(text.find('\n'), std::string::npos);
    names.insert(nlohmann::json::parse(text).at("event").get<std::string>());
  }
  EXPECT_EQ(names.size(), events.size());
  EXPECT_EQ(base::dump_json(to_json(events[7])),
            R"({"event":"plan_applied","step":5,"plan":["full","keep"],"tiles_at_once":0,)"
            R"("cause":"asked"})");
}

}  // namespace
}  // namespace headroom::run
