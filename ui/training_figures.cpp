#include "ui/training_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ui/loss_chart.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr float kSmoothingWidth = 116;

struct RowFigure {
  std::string label{}, value{};
  std::string change{};  ///< beside the value; empty: none
  bool change_is_good = true;
  const char* name = "";
  float least_width = 64;
};

double step_seconds(const run::RunSnapshot& run) {
  return run.last_step.has_value() ? run.last_step->total_seconds : kUnknown;
}

double share_waiting(const run::RunSnapshot& run) {
  if (!run.last_step.has_value() || !(run.last_step->total_seconds > 0)) return kUnknown;
  return run.last_step->seconds[static_cast<std::size_t>(plan::Phase::data)] /
         run.last_step->total_seconds;
}

RowFigure dice_figure(const run::RunSnapshot& run) {
  RowFigure figure{
      .label = "Mean Dice", .value = kNone, .name = "training/figure/dice", .least_width = 104};
  const auto& validations = run.validations;
  if (validations.empty() || !std::isfinite(validations.back().mean_dice)) return figure;
  const double now = validations.back().mean_dice;
  figure.value = fmt::format("{:.3f}", now);
  if (validations.size() < 2) return figure;
  const double change = now - validations[validations.size() - 2].mean_dice;
  if (!std::isfinite(change)) return figure;
  figure.change = fmt::format("{}{:.3f}", change < 0 ? "\xE2\x88\x92" : "+", std::abs(change));
  figure.change_is_good = change >= 0;
  return figure;
}

std::vector<RowFigure> figures_of(const Frame& frame) {
  const run::RunSnapshot& run = frame.run;
  return {{.label = "Training loss",
           .value = measured_text(smoothed_loss(frame)),
           .name = "training/figure/loss",
           .least_width = 84},
          dice_figure(run),
          {.label = "Step",
           .value = time_text(step_seconds(run)),
           .name = "training/figure/step",
           .least_width = 70},
          {.label = "Images / s",
           .value = measured_text(images_per_second(run)),
           .name = "training/figure/images"},
          {.label = "Waiting for data",
           .value = percent_text(share_waiting(run)),
           .name = "training/figure/data",
           .least_width = 96}};
}

void draw_change(const Frame& frame, ImDrawList& list, const ImVec2& at, const RowFigure& figure) {
  const TextStyle value{.size = FontSize::kFigure, .weight = Weight::semibold};
  const float x = at.x + text_size(frame, figure.value, value).x + frame.px(7);
  draw_text(frame, list, {x, at.y + frame.px(FontSize::kLabel + 4 + 4)}, figure.change,
            {.size = FontSize::kLabel,
             .weight = Weight::medium,
             .colour = figure.change_is_good ? frame.theme.ok : frame.theme.bad});
}

float height_of_row() { return FontSize::kLabel + 4 + FontSize::kFigure + 4; }

void draw_one(const Frame& frame, const ImVec2& at, float width, const RowFigure& figure,
              bool is_first) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = frame.px(height_of_row());
  if (!is_first) {
    const float x = std::floor(at.x - frame.px(11));
    list.AddLine({x, at.y}, {x, at.y + height}, packed(frame.theme.line));
  }
  draw_figure(frame, list, at, {.label = figure.label, .value = figure.value});
  if (!figure.change.empty() && width > frame.px(100)) draw_change(frame, list, at, figure);
  frame.record(figure.name, at, {at.x + width, at.y + height}, true, figure.value);
}

/// The learning rate, which a click changes.
void draw_learning_rate(const Frame& frame, const ImVec2& at, float width,
                        LearningRateState& state) {
  const std::string value =
      frame.run.last_step.has_value() ? rate_text(frame.run.last_step->learning_rate) : kNone;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = frame.px(height_of_row());
  const ImVec2 min{at.x - frame.px(7), at.y - frame.px(2)};
  const ImVec2 max{at.x + width, at.y + height};
  const float line = std::floor(at.x - frame.px(11));
  list.AddLine({line, at.y}, {line, at.y + height}, packed(frame.theme.line));
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const Hit hit = hit_area(frame, "training/learning_rate", min, max, value);
  tooltip(frame, "Change the learning rate");
  list.ChannelsSetCurrent(0);
  if (hit.hovered) list.AddRectFilled(min, max, packed(frame.theme.bg2), frame.px(6));
  list.ChannelsSetCurrent(1);
  draw_figure(frame, list, at, {.label = "Learning rate", .value = value});
  list.ChannelsMerge();
  if (hit.pressed) open_learning_rate_popup(frame, state);
  draw_learning_rate_popup(frame, state, {min.x, max.y + frame.px(6)});
}

void draw_smoothing(const Frame& frame, const ImVec2& at, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(frame, list, at, "Smoothing", {.size = FontSize::kLabel, .colour = frame.theme.text3});
  draw_text(frame, list, {at.x + width, at.y}, fmt::format("{:.2f}", frame.preferences.smoothing),
            {.size = FontSize::kLabel, .weight = Weight::medium}, Align::right);
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(FontSize::kLabel + 6)});
  constexpr float kMost = 0.99F;
  static_cast<void>(slider(frame, "training/smoothing", frame.preferences.smoothing, 0, kMost,
                           width / frame.scale));
}

}  // namespace

double images_per_second(const run::RunSnapshot& run) {
  const double seconds = step_seconds(run);
  if (!run.request.has_value() || !(seconds > 0)) return kUnknown;
  const base::StepSettings& step = run.request->settings.step;
  return static_cast<double>(step.batch) * static_cast<double>(step.accumulate) / seconds;
}

void draw_training_figures(const Frame& frame, LearningRateState& learning_rate) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float gap = frame.px(22);
  const std::vector<RowFigure> figures = figures_of(frame);
  constexpr float kRateWidth = 86;
  float needed = 0;
  std::size_t shown = 0;
  while (shown < figures.size() && needed + frame.px(figures[shown].least_width) <= width + gap) {
    needed += frame.px(figures[shown++].least_width) + gap;
  }
  const bool has_rate = shown == figures.size() && needed + frame.px(kRateWidth) <= width;
  if (has_rate) needed += frame.px(kRateWidth) + gap;
  const bool has_smoothing = has_rate && needed + frame.px(kSmoothingWidth) <= width;
  if (has_smoothing) needed += frame.px(kSmoothingWidth);
  const std::size_t columns = shown + (has_rate ? 1 : 0);
  const float more =
      columns == 0 ? 0
                   : std::clamp((width - needed) / static_cast<float>(columns), 0.0F, frame.px(40));
  float x = at.x;
  for (std::size_t i = 0; i < shown; ++i) {
    const float own = frame.px(figures[i].least_width) + more;
    draw_one(frame, {x, at.y}, own, figures[i], i == 0);
    x += own + gap;
  }
  if (has_rate) draw_learning_rate(frame, {x, at.y}, frame.px(kRateWidth) + more, learning_rate);
  if (has_smoothing) {
    draw_smoothing(frame, {at.x + width - frame.px(kSmoothingWidth), at.y},
                   frame.px(kSmoothingWidth));
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, frame.px(height_of_row())});
}

}  // namespace headroom::ui
