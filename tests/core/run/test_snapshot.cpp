#include "core/run/snapshot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json_text.hpp"

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
                                     StepDone{report_of(1)},
                                     ValidationDone{},
                                     PlanRequested{},
                                     PlanApplied{},
                                     LearningRateSet{},
                                     Saved{},
                                     LogLine{},
                                     CommandRefused{},
                                     Finished{},
                                     Failed{}};
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
  EXPECT_EQ(snapshot.log.at(0).text, "kept");
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
    ValidationReport report;
    report.step = i;
    report.is_best = i == 1 || i == 2500;
    snapshot = reduce(std::move(snapshot), ValidationDone{report});
  }
  EXPECT_EQ(snapshot.log.size(), RunSnapshot::kLogLines);
  EXPECT_EQ(snapshot.log.back().text, "5000");
  EXPECT_EQ(snapshot.plan_marks.size(), RunSnapshot::kPlanMarks);
  EXPECT_EQ(snapshot.plan_marks.back().step, 5000);
  EXPECT_LE(snapshot.validations.size(), RunSnapshot::kValidations);
  EXPECT_EQ(snapshot.validations.front().step, 1);
  EXPECT_EQ(snapshot.validations.back().step, 5000);
  EXPECT_EQ(std::count_if(snapshot.validations.begin(), snapshot.validations.end(),
                          [](const ValidationReport& each) { return each.step == 2500; }),
            1);
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

TEST(EventJson, EachEvent_HasItsOwnNameAndIsOneLine) {
  StepReport step = report_of(3);
  step.loss = std::numeric_limits<double>::quiet_NaN();
  step.stages.push_back({.name = "enc1"});
  SessionFacts facts;
  facts.dataset.findings.push_back({.code = "c", .file = "bad\xFF name"});
  const std::vector<Event> events = {Configured{{.data_folder = "d\xFF"}},
                                     StateChanged{},
                                     Prepared{std::make_shared<const SessionFacts>(facts)},
                                     StepDone{step},
                                     ValidationDone{},
                                     PlanRequested{},
                                     PlanApplied{.step = 5, .plan = {Policy::full, Policy::keep}},
                                     LearningRateSet{},
                                     Saved{},
                                     LogLine{},
                                     CommandRefused{},
                                     Finished{},
                                     Failed{}};
  ASSERT_EQ(events.size(), std::variant_size_v<Event>);
  std::set<std::string> names;
  for (const Event& event : events) {
    const std::string text = base::dump_json(to_json(event));
    EXPECT_EQ(text.find('\n'), std::string::npos);
    names.insert(nlohmann::json::parse(text).at("event").get<std::string>());
  }
  EXPECT_EQ(names.size(), events.size());
  EXPECT_EQ(base::dump_json(to_json(events[6])),
            R"({"event":"plan_applied","step":5,"plan":["full","keep"]})");
}

}  // namespace
}  // namespace headroom::run
