#include "ui/budget_bar.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/plan_request.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kLabelGap = 5;

/// What a double holds of bytes, within what can be counted with.
std::int64_t whole_bytes(double bytes) {
  constexpr double kMost = 4e18;
  return std::isfinite(bytes) ? static_cast<std::int64_t>(std::clamp(bytes, 0.0, kMost)) : 0;
}

/// From 0 to slightly past the largest of what it shows. Bytes; 0: not known.
struct MemoryScale {
  double peak = 0, budget = 0, all_keep = 0;
  float left = 0, width = 0;  ///< pixels

  [[nodiscard]] double end() const {
    constexpr double kRoom = 1.06;
    return std::max({budget, peak, all_keep, 1.0}) * kRoom;
  }
  [[nodiscard]] float x_of(double bytes) const {
    return left + static_cast<float>(std::clamp(bytes / end(), 0.0, 1.0)) * width;
  }
  [[nodiscard]] double bytes_at(float x) const {
    return static_cast<double>((x - left) / std::max(1.0F, width)) * end();
  }
};

struct Bar {
  MemoryScale scale{};
  std::int64_t handle = 0;  ///< where it is; 0: there is none
  bool is_predicted = false;
  const run::PlanForecast* forecast = nullptr;
  ImVec2 min{}, max{};
};

/// The peak of the plan that counts: measured where the last step ran with it.
void add_peak(const Frame& frame, const PlanEdit& edit, Bar& bar) {
  const auto& step = frame.run.last_step;
  const bool is_measured = step.has_value() && step->plan == edit.plan();
  const auto predicted = prediction_of(frame.shell, edit.plan());
  if (!is_measured && predicted.has_value()) {
    bar.is_predicted = true;
    bar.scale.peak = static_cast<double>(predicted->peak_total_bytes);
  } else if (step.has_value()) {
    bar.scale.peak = static_cast<double>(std::max<std::int64_t>(0, step->peak_total_bytes));
  }
}

Bar bar_of(const Frame& frame, const PlanEdit& edit, const BudgetBarState& state) {
  Bar bar;
  bar.forecast = forecast_for(frame.shell, edit.plan().size());
  add_peak(frame, edit, bar);
  if (is_before_start(frame.run) || frame.run.facts != nullptr)
    bar.scale.budget = static_cast<double>(planned_budget(frame));
  if (bar.forecast != nullptr && bar.forecast->curve->all_keep.has_value())
    bar.scale.all_keep = static_cast<double>(bar.forecast->curve->all_keep->peak_total_bytes);
  bar.handle = bar.scale.budget > 0 ? handle_bytes(frame, state) : 0;
  return bar;
}

std::string refusal_of(const Frame& frame, const Bar& bar) {
  std::string refusal = plan_refusal(frame.run);
  if (refusal.empty() && bar.forecast == nullptr && !is_before_start(frame.run))
    refusal = "Plans for a budget need a calibration.";
  return refusal;
}

/// The fastest plan whose predicted peak fits, with what is left free; null: none, or not known.
const plan::PlanChoice* plan_for(const Bar& bar, std::int64_t budget_bytes) {
  if (bar.forecast == nullptr) return nullptr;
  return run::best_within(bar.forecast->curve->trade_off, run::forecast_limits(budget_bytes));
}

void choose(const Frame& frame, const Bar& bar, PlanEdit& edit, std::int64_t budget_bytes,
            BudgetBarState& state) {
  const plan::PlanChoice* const best = plan_for(bar, budget_bytes);
  if (is_before_start(frame.run)) {
    request_budget(frame, edit, budget_bytes, best == nullptr ? nullptr : &best->plan);
  } else if (best != nullptr) {
    state.target = budget_bytes;
    request_plan(frame, edit.replace(best->plan));
  }
}

std::int64_t snapped(const Frame& frame, const Bar& bar, double bytes) {
  const std::int64_t step = budget_step(bar.scale.end());
  const std::int64_t at = (whole_bytes(bytes) + step / 2) / step * step;
  // A run has its budget; plans can be chosen for less.
  const std::int64_t most =
      whole_bytes(is_before_start(frame.run) ? bar.scale.end() : bar.scale.budget);
  return std::clamp(at, std::min(step, most), most);
}

void draw_track(const Frame& frame, const Bar& bar) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = frame.px(3);
  const MemoryScale& scale = bar.scale;
  const float budget = scale.x_of(scale.budget);
  const float peak = scale.x_of(scale.peak);
  list.AddRectFilled(bar.min, bar.max, packed(frame.theme.bg3), rounding);
  if (scale.budget > 0) {
    list.AddRectFilled(bar.min, {budget, bar.max.y}, packed(with_alpha(frame.theme.ok, 0.3F)),
                       rounding, ImDrawFlags_RoundCornersLeft);
    draw_hatch(frame, list, {budget, bar.min.y}, bar.max, frame.theme.bg4, 5);
  }
  if (scale.peak > 0) {
    list.AddRectFilled(bar.min, {peak, bar.max.y}, packed(frame.theme.accent), rounding,
                       ImDrawFlags_RoundCornersLeft);
  }
  if (scale.budget > 0 && peak > budget)
    list.AddRectFilled({budget, bar.min.y}, {peak, bar.max.y}, packed(frame.theme.bad));
  for (const double tick : {scale.all_keep, bar.handle > 0 ? scale.budget : 0.0}) {
    if (!(tick > 0)) continue;
    const float x = std::floor(scale.x_of(tick));
    list.AddRectFilled({x, bar.min.y - frame.px(1)}, {x + frame.px(1), bar.max.y + frame.px(1)},
                       packed(frame.theme.text3));
  }
}

void draw_handle(const Frame& frame, const Bar& bar, bool is_lit) {
  if (bar.handle <= 0) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = std::round(bar.scale.x_of(static_cast<double>(bar.handle)));
  const float half = frame.px(is_lit ? 3 : 2);
  list.AddRectFilled({x - half - frame.px(1), bar.min.y - frame.px(3)},
                     {x + half + frame.px(1), bar.max.y + frame.px(3)}, packed(frame.theme.bg1),
                     frame.px(3));
  list.AddRectFilled({x - half, bar.min.y - frame.px(2)}, {x + half, bar.max.y + frame.px(2)},
                     packed(frame.theme.text1), frame.px(2));
}

struct LabelText {
  std::string text{};
  ImVec4 colour{};
};

/// What the bar shows, or what the held handle would choose.
LabelText left_label(const Frame& frame, const Bar& bar, const BudgetBarState& state) {
  if (state.held.has_value() && bar.forecast != nullptr) {
    if (const plan::PlanChoice* const best = plan_for(bar, *state.held)) {
      return {"would peak at " + figure_bytes_text(best->predicted.peak_total_bytes) + ", " +
                  time_text(best->predicted.seconds_per_step),
              frame.theme.accent};
    }
    const std::optional<std::int64_t> least = bar.forecast->least_bytes();
    return {"no plan fits" + (least.has_value() ? ": the least needs " + bytes_text(*least) : ""),
            frame.theme.bad};
  }
  if (!(bar.scale.peak > 0)) return {};
  return {"Peak " + figure_bytes_text(whole_bytes(bar.scale.peak)) +
              (bar.is_predicted ? " predicted" : ""),
          frame.theme.text2};
}

void draw_labels(const Frame& frame, const Bar& bar, const BudgetBarState& state, float y) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float right = bar.scale.left + bar.scale.width;
  const LabelText left = left_label(frame, bar, state);
  const TextStyle quiet{.size = FontSize::kLabel, .colour = left.colour};
  float free_from = bar.scale.left;
  if (!left.text.empty()) {
    const std::string shown = elided(frame, left.text, quiet, bar.scale.width);
    draw_text(frame, list, {bar.scale.left, y}, shown, quiet);
    free_from += text_size(frame, shown, quiet).x + frame.px(12);
  }
  if (bar.handle <= 0) return;
  const bool is_target = bar.handle != whole_bytes(bar.scale.budget);
  const TextStyle strong{.size = FontSize::kLabel, .weight = Weight::medium};
  const std::string words =
      std::string(is_target && !is_before_start(frame.run) ? "Plan for " : "Budget ") +
      figure_bytes_text(bar.handle);
  const float half = text_size(frame, words, strong).x / 2;
  const float x = std::clamp(bar.scale.x_of(static_cast<double>(bar.handle)), free_from + half,
                             std::max(free_from + half, right - half));
  if (x + half > right + 1) return;
  draw_text(frame, list, {x, y}, words, strong, Align::centre);
  const std::string keep = "All Keep " + figure_bytes_text(whole_bytes(bar.scale.all_keep));
  const TextStyle label{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const float keep_width = text_size(frame, keep, label).x;
  if (bar.scale.all_keep > 0 && right - keep_width > x + half + frame.px(12))
    draw_text(frame, list, {right, y}, keep, label, Align::right);
}

/// Follows the mouse; what it is let go at is chosen.
void follow_handle(const Frame& frame, const Bar& bar, PlanEdit& edit, int steps,
                   BudgetBarState& state) {
  const std::string refusal = refusal_of(frame, bar);
  const float x = bar.scale.x_of(static_cast<double>(bar.handle));
  const float half = frame.px(8);
  const Hit hit =
      hit_area(frame, "plan/budget", {x - half, bar.min.y - frame.px(4)},
               {x + half, bar.max.y + frame.px(4)}, figure_bytes_text(bar.handle), refusal);
  if (!state.held.has_value())
    tooltip(frame, refusal.empty() ? "Drag, or press \xE2\x88\x92 and +: the cheapest plan that "
                                     "fits is chosen"
                                   : refusal);
  if (!refusal.empty()) {
    state.held.reset();
    return;
  }
  if (hit.hovered || hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (hit.held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1)) {
    state.held = snapped(frame, bar, bar.scale.bytes_at(ImGui::GetIO().MousePos.x));
  } else if (state.dragged_in_chart.has_value()) {
    state.held = snapped(frame, bar, *state.dragged_in_chart);
  } else if (!hit.held && state.held.has_value()) {
    choose(frame, bar, edit, *std::exchange(state.held, std::nullopt), state);
  }
  if (steps != 0) {
    const std::int64_t to =
        snapped(frame, bar, static_cast<double>(bar.handle + steps * budget_step(bar.scale.end())));
    if (to != bar.handle) choose(frame, bar, edit, to, state);
  }
}

void forget_other_runs(const run::RunSnapshot& run, BudgetBarState& state) {
  const std::filesystem::path folder =
      run.request.has_value() ? run.request->run_folder : std::filesystem::path();
  if (folder != state.run_folder) state = {.run_folder = folder};
  if (is_before_start(run)) state.target.reset();
}

}  // namespace

std::int64_t handle_bytes(const Frame& frame, const BudgetBarState& state) {
  return state.held.value_or(state.target.value_or(planned_budget(frame)));
}

std::int64_t budget_step(double end_bytes) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  constexpr std::int64_t kMiB = std::int64_t{1} << 20;
  if (end_bytes >= 4 * kGiB) return 256 * kMiB;
  return end_bytes >= kGiB ? 64 * kMiB : 16 * kMiB;
}

void draw_budget_bar(const Frame& frame, const NetworkFacts& network, PlanEdit& edit, int steps,
                     BudgetBarState& state) {
  forget_other_runs(frame.run, state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float height = frame.px(frame.is_small() ? 13 : 14);
  Bar bar = bar_of(frame, edit, state);
  bar.scale.left = at.x;
  bar.scale.width = width;
  bar.min = at;
  bar.max = {at.x + width, at.y + height};
  draw_track(frame, bar);
  if (bar.handle > 0 && !network.stages.empty()) follow_handle(frame, bar, edit, steps, state);
  draw_handle(frame, bar, state.held.has_value());
  draw_labels(frame, bar, state, at.y + height + frame.px(kLabelGap));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height + frame.px(kLabelGap + FontSize::kLabel)});
}

}  // namespace headroom::ui
