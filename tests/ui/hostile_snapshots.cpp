#include "tests/ui/hostile_snapshots.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/run/plan_forecast.hpp"
#include "tests/ui/sample_outlook.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();

using plan::Phase;
using plan::Policy;

run::RunSnapshot usual() { return training_snapshot({.steps = 300, .steps_done = 200}); }

template <typename Change>
std::shared_ptr<const run::SessionFacts> changed(const run::RunSnapshot& snapshot, Change change) {
  run::SessionFacts facts = *snapshot.facts;
  change(facts);
  return std::make_shared<const run::SessionFacts>(std::move(facts));
}

std::shared_ptr<const plan::StepTimeline> timeline_of(std::size_t stages, std::size_t points) {
  plan::StepTimeline timeline;
  for (std::size_t s = 0; s < stages; ++s) timeline.owners.push_back("stage" + std::to_string(s));
  timeline.owners.push_back("head");
  timeline.owners.push_back("other");
  for (std::size_t point = 0; point < points; ++point) {
    timeline.seconds.push_back(1e-3 * static_cast<double>(point));
    for (std::size_t owner = 0; owner < timeline.owners.size(); ++owner) {
      timeline.live_bytes.push_back(static_cast<std::int64_t>((point * 31 + owner * 17) % 97)
                                    << 22);
    }
    timeline.spans.push_back(
        {1e-3 * static_cast<double>(point), 1e-3 * (static_cast<double>(point) + 1),
         static_cast<Phase>(point % 6), static_cast<int>(point % (stages + 3)) - 1});
  }
  timeline.total_seconds = timeline.seconds.back();
  timeline.peak_point = points / 2;
  return std::make_shared<const plan::StepTimeline>(std::move(timeline));
}

run::RunSnapshot with_64_stages() {
  run::RunSnapshot snapshot = usual();
  snapshot.facts = changed(snapshot, [](run::SessionFacts& facts) {
    facts.stages.clear();
    for (int s = 0; s < 64; ++s) facts.stages.push_back("stage" + std::to_string(s));
    facts.plan.assign(64, Policy::full);
  });
  snapshot.requested_plan = snapshot.applied_plan = snapshot.facts->plan;
  snapshot.last_step->stages.clear();
  for (const std::string& name : snapshot.facts->stages) {
    snapshot.last_step->stages.push_back({.name = name,
                                          .policy = Policy::full,
                                          .channels = 32,
                                          .height = 8,
                                          .width = 8,
                                          .kept_bytes = 1 << 20});
  }
  snapshot.stages.resize(65);
  snapshot.timeline = timeline_of(64, plan::StepTimeline::kPoints);
  return snapshot;
}

run::RunSnapshot with_long_names() {
  run::RunSnapshot snapshot = usual();
  const std::string name(300, 'W');
  snapshot.facts = changed(snapshot, [&](run::SessionFacts& facts) {
    for (std::string& stage : facts.stages) stage = name + stage;
    for (std::string& of_class : facts.class_names) of_class = name + of_class;
    facts.device = name;
  });
  for (run::StageReport& stage : snapshot.last_step->stages) stage.name = name + stage.name;
  for (run::ValidationReport& report : snapshot.validations) {
    for (run::ClassScore& score : report.classes) score.name = name + score.name;
  }
  plan::StepTimeline timeline = *snapshot.timeline;
  for (std::string& owner : timeline.owners) owner = name + owner;
  snapshot.timeline = std::make_shared<const plan::StepTimeline>(std::move(timeline));
  snapshot.request->run_folder = snapshot.request->data_folder = "/" + name + "/" + name;
  for (int i = 0; i < 20; ++i) snapshot.log.push_back({.text = name + name + name});
  auto preview = std::make_shared<run::SamplePreview>(*snapshot.previews.front());
  preview->sample_id = name;
  snapshot.previews = {preview};
  snapshot.state = run::RunState::failed;
  snapshot.error =
      run::Failed{.error = {.attempted = name, .subject = name, .remedy = name, .detail = name}};
  return snapshot;
}

/// Every measured value is `value`.
run::RunSnapshot with_values(double value, std::int64_t bytes) {
  run::RunSnapshot snapshot = usual();
  run::StepReport report = *snapshot.last_step;
  report.loss = report.learning_rate = report.total_seconds = value;
  report.seconds.fill(value);
  report.peak_bytes = report.peak_total_bytes = report.reserved_bytes = bytes;
  for (run::StageReport& stage : report.stages) {
    stage.kept_bytes = stage.bytes_at_peak = bytes;
    stage.forward_seconds = stage.backward_seconds = stage.recompute_seconds = value;
  }
  snapshot.history = {};
  for (std::int64_t step = 1; step <= 20; ++step) {
    report.step = step;
    snapshot.history.add(report);
  }
  snapshot.last_step = report;
  for (run::ValidationReport& validation : snapshot.validations) {
    validation.loss = validation.mean_dice = validation.mean_iou = value;
    for (run::ClassScore& score : validation.classes) score.dice = score.iou = value;
  }
  for (run::PlanMark& mark : snapshot.plan_marks) {
    if (!mark.effect.has_value()) continue;
    mark.effect->step_seconds_before = mark.effect->step_seconds_after = value;
    mark.effect->peak_total_bytes_after = bytes / 2;
  }
  for (run::PolicyMeasurements& stage : snapshot.stages) {
    for (auto& measured : stage) measured = run::PolicyMeasurement{1, bytes, value};
  }
  snapshot.facts = changed(snapshot, [&](run::SessionFacts& facts) { facts.budget_bytes = bytes; });
  plan::StepTimeline timeline = *snapshot.timeline;
  timeline.total_seconds = value;
  for (plan::TimelineSpan& span : timeline.spans) span.end_seconds = value;
  for (std::int64_t& live : timeline.live_bytes) live = bytes / 64;
  snapshot.timeline = std::make_shared<const plan::StepTimeline>(std::move(timeline));
  return snapshot;
}

run::RunSnapshot without_steps() {
  run::RunSnapshot snapshot = usual();
  snapshot.history = {};
  snapshot.last_step.reset();
  snapshot.validations.clear();
  snapshot.plan_marks.clear();
  snapshot.timeline.reset();
  snapshot.previews.clear();
  snapshot.stages.clear();
  snapshot.log.clear();
  snapshot.steps_done = 0;
  snapshot.facts = changed(snapshot, [](run::SessionFacts& facts) {
    facts.steps = facts.validate_every = facts.budget_bytes = facts.steps_per_epoch = 0;
  });
  return snapshot;
}

run::RunSnapshot with_empty_facts() {
  run::RunSnapshot snapshot = usual();
  snapshot.facts = std::make_shared<const run::SessionFacts>();
  return snapshot;
}

run::RunSnapshot without_facts() {
  run::RunSnapshot snapshot = usual();
  snapshot.facts.reset();
  snapshot.request.reset();
  return snapshot;
}

/// Lengths that contradict each other.
run::RunSnapshot with_other_lengths() {
  run::RunSnapshot snapshot = usual();
  snapshot.last_step->stages.resize(3);
  snapshot.last_step->plan.resize(1);
  snapshot.requested_plan.resize(20, Policy::offload);
  snapshot.applied_plan.clear();
  snapshot.stages.resize(2);
  snapshot.facts = changed(snapshot, [](run::SessionFacts& facts) {
    facts.plan.resize(2);
    facts.policies.clear();
    facts.class_names.resize(1);
  });
  snapshot.validations.front().classes.clear();
  snapshot.validations.back().classes.resize(40);
  for (run::PlanMark& mark : snapshot.plan_marks) mark.plan.resize(2);
  plan::StepTimeline timeline = *snapshot.timeline;
  timeline.owners.pop_back();
  snapshot.timeline = std::make_shared<const plan::StepTimeline>(std::move(timeline));
  return snapshot;
}

run::RunSnapshot with_broken_previews() {
  run::RunSnapshot snapshot = usual();
  auto broken = std::make_shared<run::SamplePreview>(*snapshot.previews.front());
  broken->truth.labels.resize(7);
  broken->image.pixels.resize(5);
  broken->full_width = broken->full_height = 0;
  broken->mean_dice = kNan;
  auto empty = std::make_shared<run::SamplePreview>();
  auto vast = std::make_shared<run::SamplePreview>();
  vast->image.height = vast->image.width = vast->truth.height = kHuge;
  snapshot.previews = {nullptr, broken, empty, vast, nullptr};
  return snapshot;
}

run::RunSnapshot with_odd_texts() {
  run::RunSnapshot snapshot = usual();
  snapshot.log.clear();
  for (const char* text : {"", "%s%n%d", "\xFF\xFE\x80 broken", "two\nlines\tand more", "##id"}) {
    for (int i = 0; i < 80; ++i) {
      snapshot.log.push_back({.severity = static_cast<base::Severity>(i % 3),
                              .topic = static_cast<run::LogTopic>(i % 5),
                              .text = text});
    }
  }
  snapshot.facts = changed(snapshot, [](run::SessionFacts& facts) {
    for (std::string& stage : facts.stages) stage.clear();
    for (std::string& name : facts.class_names) name = "##\xFF%s";
  });
  return snapshot;
}

run::RunSnapshot with_many_marks() {
  run::RunSnapshot snapshot = usual();
  snapshot.plan_marks.clear();
  for (std::int64_t number = 0; number < 1024; ++number) {
    snapshot.plan_marks.push_back({.number = number,
                                   .step = number % 7 == 0 ? -number * 1'000'000 : number,
                                   .plan = snapshot.applied_plan});
    snapshot.memory_reliefs.push_back(
        {.step = number % 5 == 0 ? -number * 1'000'000 : number,
         .refused_bytes = number % 3 == 0 ? kHuge : -1,
         .before = {snapshot.applied_plan, number},
         .after = {plan::Plan(static_cast<std::size_t>(number % 4), Policy::full), -number}});
  }
  return snapshot;
}

run::RunSnapshot beyond_its_end() {
  run::RunSnapshot snapshot = usual();
  snapshot.steps_done = kHuge;
  snapshot.previews.clear();
  snapshot.facts = changed(snapshot, [](run::SessionFacts& facts) {
    facts.steps = 1;
    facts.validate_every = kHuge;
  });
  return snapshot;
}

template <typename Change>
ui::Outlook changed_plans(const ui::Outlook& outlook, Change change) {
  run::PlanForecast plans = *outlook.plans;
  run::PlanCurve curve = *plans.curve;
  change(plans, curve);
  if (plans.curve != nullptr) plans.curve = std::make_shared<const run::PlanCurve>(curve);
  ui::Outlook changed = outlook;
  changed.plans = std::make_shared<const run::PlanForecast>(std::move(plans));
  return changed;
}

template <typename Change>
ui::Outlook changed_fits(const ui::Outlook& outlook, Change change) {
  run::FitForecast fits = *outlook.fits;
  change(fits);
  ui::Outlook changed = outlook;
  changed.fits = std::make_shared<const run::FitForecast>(std::move(fits));
  return changed;
}

/// Every prediction costs `bytes` and `seconds`.
ui::Outlook of_predictions(const ui::Outlook& outlook, std::int64_t bytes, double seconds) {
  const plan::StepPrediction odd{.peak_total_bytes = bytes, .seconds_per_step = seconds};
  const ui::Outlook plans =
      changed_plans(outlook, [&](run::PlanForecast& forecast, run::PlanCurve& curve) {
        for (plan::PlanChoice& point : curve.trade_off.points) point.predicted = odd;
        curve.others.assign(50, odd);
        curve.all_keep = odd;
        forecast.predicted.assign(forecast.predicted.size(), odd);
        forecast.question.limits.budget_bytes = bytes;
      });
  return changed_fits(plans, [&](run::FitForecast& fits) {
    for (plan::FitCell& cell : fits.map.cells) {
      if (cell.fits()) cell.cheapest->predicted = odd;
      cell.least_bytes = bytes;
    }
    fits.question.limits.budget_bytes = bytes;
  });
}

std::vector<ui::Outlook> hostile_outlooks() {
  const SampleRun sample{.steps = 300, .steps_done = 200};
  const ui::Outlook usual_one = sample_outlook(sample, usual());
  std::vector<ui::Outlook> all = {{}, {.costs = ui::CostsState::known}};
  all.push_back({.costs = ui::CostsState::missing, .problem = std::string(600, 'W')});
  all.push_back(changed_plans(
      usual_one, [](run::PlanForecast& plans, run::PlanCurve&) { plans.curve = nullptr; }));
  all.push_back(changed_plans(usual_one, [](run::PlanForecast& plans, run::PlanCurve& curve) {
    curve.trade_off.points.clear();
    curve.others.clear();
    curve.all_keep.reset();
    plans.predicted.clear();
    plans.effects.clear();
    plans.cheapest.reset();
  }));
  all.push_back(changed_plans(usual_one, [](run::PlanForecast& plans, run::PlanCurve& curve) {
    for (plan::PlanChoice& point : curve.trade_off.points) point.plan.resize(2);
    for (plan::PolicyEffect& effect : plans.effects) effect.saved_bytes = -kHuge;
    plans.question.plans.resize(1);
    plans.cheapest->plan.resize(30);
  }));
  all.push_back(changed_fits(usual_one, [](run::FitForecast& fits) { fits.map.cells.pop_back(); }));
  all.push_back(changed_fits(usual_one, [](run::FitForecast& fits) {
    for (plan::FitCell& cell : fits.map.cells) {
      cell.cheapest.reset();
      cell.least_bytes.reset();
      cell.shape = {.batch = -1, .height = 0, .width = kHuge};
    }
  }));
  all.push_back(of_predictions(usual_one, kHuge, kInfinity));
  all.push_back(of_predictions(usual_one, -5, kNan));
  all.push_back(of_predictions(usual_one, 0, 0));
  all.push_back(usual_one);
  return all;
}

}  // namespace

std::vector<HostileSnapshot> hostile_snapshots() {
  std::vector<HostileSnapshot> all;
  const auto add = [&](std::string name, run::RunSnapshot snapshot) {
    all.push_back({std::move(name), shared(std::move(snapshot))});
  };
  for (std::size_t state = 0; state < run::kRunStates; ++state) {
    run::RunSnapshot bare;
    bare.state = static_cast<run::RunState>(state);
    add(std::string("bare ") + run::kRunStateNames[state], std::move(bare));
  }
  add("64 stages", with_64_stages());
  add("long names", with_long_names());
  add("NaN", with_values(kNan, 0));
  add("infinite", with_values(kInfinity, kHuge));
  add("vast", with_values(1e300, kHuge));
  add("negative", with_values(-1, -5));
  add("zero", with_values(0, 0));
  add("no steps", without_steps());
  add("empty facts", with_empty_facts());
  add("no facts", without_facts());
  add("other lengths", with_other_lengths());
  add("broken previews", with_broken_previews());
  add("odd texts", with_odd_texts());
  add("many marks", with_many_marks());
  add("beyond its end", beyond_its_end());
  const std::vector<ui::Outlook> outlooks = hostile_outlooks();
  for (std::size_t i = 0; i < all.size(); ++i) all[i].outlook = outlooks[i % outlooks.size()];
  for (std::size_t i = 0; i < outlooks.size(); ++i) {
    add("outlook " + std::to_string(i), usual());
    all.back().outlook = outlooks[i];
  }
  return all;
}

}  // namespace headroom::tests
