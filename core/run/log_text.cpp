#include "core/run/log_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/text_number.hpp"

namespace headroom::run {
namespace {

/// Above so many changed stages a plan that is the same everywhere is told as one.
constexpr std::size_t kMostListed = 3;

const char* sign_of(double change) { return change < 0 ? "−" : "+"; }

/// "5.20 → 4.62 GiB", "980.0 MiB → 1.20 GiB".
std::string from_to(std::string before, const std::string& after) {
  const auto unit_of = [](const std::string& text) { return text.substr(text.rfind(' ')); };
  if (const std::string unit = unit_of(before); unit == unit_of(after)) {
    before.resize(before.size() - unit.size());
  }
  return before + " → " + after;
}

std::string peak_change(std::int64_t before, std::int64_t after) {
  if (before == after) return fmt::format("Peak as before ({})", base::format_bytes(after));
  return fmt::format("Peak {}{} ({})", sign_of(static_cast<double>(after - before)),
                     base::format_bytes(std::abs(after - before)),
                     from_to(base::format_bytes(before), base::format_bytes(after)));
}

std::string step_change(double before, double after) {
  constexpr double kFewMilliseconds = 0.01, kManyMilliseconds = 10;
  const double longest = std::max(before, after);
  const bool in_seconds = longest >= kManyMilliseconds;
  const int decimals = in_seconds || longest < kFewMilliseconds ? 1 : 0;
  const auto text = [&](double seconds) {
    return in_seconds ? fmt::format("{:.1f} s", seconds)
                      : fmt::format("{:.{}f} ms", seconds * 1e3, decimals);
  };
  if (text(before) == text(after)) return fmt::format("step as before ({})", text(after));
  return fmt::format("step {}{} ({})", sign_of(after - before), text(std::abs(after - before)),
                     from_to(text(before), text(after)));
}

/// " (at least 1.20 GiB needed, budget 1.00 GiB)", or what of it is known.
std::string need_and_budget(const MemoryRelief& relief) {
  std::string text;
  if (relief.refused_bytes > 0)
    text = "at least " + base::format_bytes(relief.refused_bytes) + " needed";
  if (relief.budget_bytes > 0)
    text += (text.empty() ? "budget " : ", budget ") + base::format_bytes(relief.budget_bytes);
  return text.empty() ? text : " (" + text + ")";
}

}  // namespace

std::string describe_change(const plan::Plan& before, const plan::Plan& after,
                            const std::vector<std::string>& stages) {
  std::string changes;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i < before.size() && before[i] == after[i]) continue;
    const std::string stage = i < stages.size() ? stages[i] : fmt::format("stage {}", i + 1);
    changes += fmt::format("{}{} {}", changed == 0 ? "" : ", ", stage, plan::title_of(after[i]));
    ++changed;
  }
  if (changed == 0) return "as before";
  const bool is_uniform = std::ranges::count(after, after.front()) == std::ssize(after);
  return changed > kMostListed && is_uniform
             ? std::string("all stages ") + plan::title_of(after.front())
             : changes;
}

std::string describe_form_change(const plan::StepForm& before, const plan::StepForm& after,
                                 const std::vector<std::string>& stages) {
  if (before.tiles_at_once == after.tiles_at_once)
    return describe_change(before.plan, after.plan, stages);
  const std::string tiles =
      fmt::format("{} tile{} at once", after.tiles_at_once, after.tiles_at_once == 1 ? "" : "s");
  if (before.plan == after.plan) return tiles;
  return describe_change(before.plan, after.plan, stages) + ", " + tiles;
}

std::string describe_start(const SessionFacts& facts) {
  const std::string steps = base::format_count(facts.steps);
  return facts.first_step == 0 ? fmt::format("Training started: {} steps", steps)
                               : fmt::format("Training continues after step {} of {}",
                                             base::format_count(facts.first_step), steps);
}

std::string describe_plan_change(const PlanMark& mark, const plan::StepForm& before,
                                 const std::vector<std::string>& stages) {
  return fmt::format("Plan {}: {} from step {}", letters_of(mark.number),
                     describe_form_change(before, mark.form(), stages),
                     base::format_count(mark.step));
}

std::string consequence_of(const MemoryRelief& relief) {
  if (relief.before.tiles_at_once == relief.after.tiles_at_once) return {};
  return "Samples, effective batch and schedule stay; batch norm, Dice and dropout see fewer tiles "
         "at a time, so that weights will differ";
}

std::string describe(const MemoryRelief& relief, const std::vector<std::string>& stages) {
  const std::string step = base::format_count(relief.step);
  const std::string bytes = need_and_budget(relief);
  switch (relief.work) {
    case RepeatedWork::validation:
      return fmt::format("Out of memory in the validation after step {}{}: it is repeated", step,
                         bytes);
    case RepeatedWork::save:
      return fmt::format("Out of memory while saving after step {}{}: it is repeated", step, bytes);
    case RepeatedWork::step:
      break;
  }
  const std::string change = describe_form_change(relief.before, relief.after, stages);
  const std::string consequence = consequence_of(relief);
  return fmt::format("Out of memory at step {}{}: {}, the step is repeated{}{}", step, bytes,
                     change, consequence.empty() ? "" : ". ", consequence);
}

std::string describe(const PlanMeasured& effect, const std::vector<std::string>& stages) {
  return fmt::format("Plan {}: {}. {}, {}", letters_of(effect.number),
                     describe_form_change({effect.before, effect.tiles_at_once_before},
                                          {effect.after, effect.tiles_at_once_after}, stages),
                     peak_change(effect.peak_total_bytes_before, effect.peak_total_bytes_after),
                     step_change(effect.step_seconds_before, effect.step_seconds_after));
}

std::string describe(const ValidationReport& report) {
  const std::string dice =
      std::isfinite(report.mean_dice) ? fmt::format("{:.3f}", report.mean_dice) : "–";
  return fmt::format("Validation at {}: mean Dice {}{}", base::format_count(report.step), dice,
                     report.is_best ? ", best so far" : "");
}

std::string describe(const LearningRateSet& change) {
  return fmt::format("Learning rate {} from step {}", base::format_real(change.peak_rate),
                     base::format_count(change.step));
}

std::string describe(const Saved& saved) {
  return fmt::format("Run state saved, step {}, {}", base::format_count(saved.step),
                     base::format_bytes(saved.bytes));
}

std::string describe(const Finished& finished) {
  const std::string step = base::format_count(finished.step);
  if (finished.outcome == Outcome::completed) return fmt::format("All {} steps done", step);
  return finished.step == 0 ? "Stopped before the first step" : "Stopped after step " + step;
}

std::string describe(const FitCheckReport& report) {
  const std::string size = fmt::format("batch {} of {} x {}", report.shape.batch,
                                       report.shape.height, report.shape.width);
  const std::string budget = base::format_bytes(report.budget_bytes);
  if (!report.peak_bytes) return fmt::format("Checked: {} does not fit {}", size, budget);
  return fmt::format("Checked: {} fits, peak {} of {}", size,
                     base::format_bytes(*report.peak_bytes), budget);
}

std::string describe(const SelfTestReport& report) {
  const std::string seconds = base::format_duration(report.seconds);
  if (report.has_passed()) {
    return fmt::format("Self-test passed: {} plans gave the same bits as Keep ({})", report.plans,
                       seconds);
  }
  if (!report.problem.empty()) return "Self-test failed: " + report.problem;
  return fmt::format("Self-test failed: {} of {} plans did not give the same bits as Keep",
                     report.plans - report.equal, report.plans);
}

}  // namespace headroom::run
