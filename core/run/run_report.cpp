#include "core/run/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "core/run/record_files.hpp"
#include "core/run/record_reader.hpp"

namespace headroom::run {
namespace {

namespace fs = std::filesystem;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// NaN for none.
double median_of(std::vector<double> values) {
  if (values.empty()) return kNone;
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

/// Sorts steps by the plans that they ran with.
class PlanSorter {
 public:
  explicit PlanSorter(const std::vector<PlanApplied>& changes) : changes_(changes) {}

  void add(const StepReport& report) {
    const std::size_t before = next_;
    while (next_ < changes_.size() && changes_[next_].step <= report.step) ++next_;
    if (next_ == 0) return;  // no plan is recorded for it
    Group& group = group_of(changes_[next_ - 1]);
    if (group.steps.steps++ == 0) group.steps.first_step = report.step;
    group.steps.peak_bytes = std::max(group.steps.peak_bytes, report.peak_bytes);
    group.steps.peak_total_bytes = std::max(group.steps.peak_total_bytes, report.peak_total_bytes);
    const double seconds = report.seconds_without_data();
    if (next_ != before || !std::isfinite(seconds)) return;
    group.seconds.push_back(seconds);
    group.recompute.push_back(report.seconds[static_cast<std::size_t>(plan::Phase::recompute)]);
  }

  [[nodiscard]] std::vector<PlanSteps> plans() && {
    std::vector<PlanSteps> plans;
    for (Group& group : groups_) {
      group.steps.step_seconds = median_of(std::move(group.seconds));
      group.steps.recompute_seconds = median_of(std::move(group.recompute));
      plans.push_back(std::move(group.steps));
    }
    compare_with_keep(plans);
    return plans;
  }

 private:
  struct Group {
    PlanSteps steps{};
    std::vector<double> seconds{}, recompute{};
  };

  Group& group_of(const PlanApplied& applied) {
    const plan::StepForm form{applied.plan, applied.tiles_at_once};
    const auto found =
        std::ranges::find_if(groups_, [&](const Group& group) { return group.steps.form == form; });
    if (found != groups_.end()) return *found;
    groups_.emplace_back().steps.form = form;
    return groups_.back();
  }

  static void compare_with_keep(std::vector<PlanSteps>& plans) {
    for (PlanSteps& each : plans) {
      const auto keep = std::ranges::find_if(plans, [&](const PlanSteps& other) {
        return plan::is_all_keep(other.form.plan) &&
               other.form.tiles_at_once == each.form.tiles_at_once;
      });
      if (keep == plans.end()) continue;
      const double ratio = each.step_seconds / keep->step_seconds;
      if (std::isfinite(ratio)) each.of_keep = ratio;
    }
  }

  const std::vector<PlanApplied>& changes_;
  std::size_t next_ = 0;  ///< change after the one that steps run with
  std::vector<Group> groups_{};
};

/// The buckets of a series from `begin` as one value.
SeriesBucket joined(const Series& series, std::size_t begin, std::size_t end) {
  SeriesBucket all = series.buckets()[begin];
  for (std::size_t i = begin + 1; i < end; ++i) {
    const SeriesBucket& next = series.buckets()[i];
    all.low = std::fmin(all.low, next.low);
    all.high = std::fmax(all.high, next.high);
    all.sum += next.sum;
    all.count += next.count;
    all.last_step = next.last_step;
  }
  return all;
}

double mean_of(const SeriesBucket& bucket) {
  return bucket.count > 0 ? bucket.sum / static_cast<double>(bucket.count) : kNone;
}

/// The series of a history have equal buckets: each step is added to all of them.
std::vector<HistoryPoint> points_of(const StepHistory& history) {
  const std::size_t buckets = history.loss.buckets().size();
  const std::size_t stride = (buckets + RunReport::kHistoryPoints - 1) / RunReport::kHistoryPoints;
  std::vector<HistoryPoint> points;
  for (std::size_t begin = 0; begin < buckets; begin += stride) {
    const std::size_t end = std::min(begin + stride, buckets);
    const SeriesBucket loss = joined(history.loss, begin, end);
    HistoryPoint point{.first_step = loss.first_step,
                       .last_step = loss.last_step,
                       .loss = mean_of(loss),
                       .lowest_loss = loss.low,
                       .highest_loss = loss.high};
    const double peak = joined(history.peak_total_bytes, begin, end).high;
    point.peak_total_bytes = std::isfinite(peak) ? std::llround(peak) : 0;
    for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
      point.seconds[phase] = mean_of(joined(history.phase_seconds[phase], begin, end));
    }
    points.push_back(point);
  }
  return points;
}

void note_missing(RunReport& report, const fs::path& folder, const char* file,
                  const char* consequence) {
  std::error_code problem;
  if (fs::exists(folder / file, problem)) return;
  report.gaps.push_back({file, fmt::format("is missing: {}", consequence)});
}

void note_unreadable(RunReport& report, const char* file, std::int64_t lines) {
  if (lines == 0) return;
  report.gaps.push_back(
      {file, fmt::format("{} {} could not be read and {} left out", lines,
                         lines == 1 ? "line" : "lines", lines == 1 ? "is" : "are")});
}

void add_story(RunReport& report, const fs::path& folder) {
  note_missing(report, folder, kEventsFile,
               "device, budget, how the run ended and when it was resumed are not known");
  RunStory story = read_story(folder);
  note_unreadable(report, kEventsFile, story.unreadable);
  report.began = std::move(story.began);
  report.ended = std::move(story.ended);
  report.resumed_after = std::move(story.resumed_after);
  report.end = story.end;
  report.error = std::move(story.error);
  if (story.facts) report.facts = std::move(*story.facts);
  if (report.facts.stages.empty()) {
    report.facts.stages = plan::unet_stage_names(report.description.settings.model.levels);
  }
}

void add_validations(RunReport& report, const fs::path& folder) {
  note_missing(report, folder, kResultsFile, "there are no scores");
  if (std::vector<std::string> names = recorded_classes(folder); !names.empty()) {
    report.facts.class_names = std::move(names);
  }
  auto [validations, unreadable] = read_validations(folder, report.facts.class_names);
  note_unreadable(report, kResultsFile, unreadable);
  for (std::string& name : report.facts.class_names) name = base::display_text(name);
  for (ValidationReport& validation : validations) {
    for (ClassScore& score : validation.classes) score.name = base::display_text(score.name);
  }
  report.validations = std::move(validations);
}

void add_steps(RunReport& report, const fs::path& folder) {
  note_missing(report, folder, kPlansFile, "what each plan needed is not known");
  auto [changes, unreadable_plans] = read_plans(folder, report.facts.stages);
  note_unreadable(report, kPlansFile, unreadable_plans);
  report.changes = std::move(changes);

  note_missing(report, folder, kStepsFile, "there are no losses, seconds and peaks of steps");
  PlanSorter sorter(report.changes);
  StepHistory history;
  report.last_loss = kNone;
  std::vector<double> seconds;
  const std::int64_t unreadable = read_steps(folder, [&](const StepReport& step) {
    history.add(step);
    sorter.add(step);
    report.steps_done = std::max(report.steps_done, step.step);
    report.last_loss = step.loss;
    if (std::isfinite(step.total_seconds)) seconds.push_back(step.seconds_without_data());
    report.peak_bytes = std::max(report.peak_bytes, step.peak_bytes);
    report.peak_total_bytes = std::max(report.peak_total_bytes, step.peak_total_bytes);
    for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
      if (std::isfinite(step.seconds[phase])) report.seconds[phase] += step.seconds[phase];
    }
  });
  note_unreadable(report, kStepsFile, unreadable);
  report.step_seconds = median_of(std::move(seconds));
  report.plans = std::move(sorter).plans();
  report.history = points_of(history);
}

}  // namespace

const ValidationReport* RunReport::best_validation() const {
  const auto best = std::find_if(validations.rbegin(), validations.rend(),
                                 [](const ValidationReport& each) { return each.is_best; });
  return best == validations.rend() ? nullptr : &*best;
}

RunReport read_run_report(const fs::path& run_folder) {
  RunReport report;
  report.description = read_run_description(run_folder);
  const fs::path folder = base::absolute_folder(run_folder);
  report.name = base::display_text(base::name_of_folder(folder));
  report.folder = base::display_path(folder);
  add_story(report, folder);
  add_validations(report, folder);
  add_steps(report, folder);
  return report;
}

}  // namespace headroom::run
