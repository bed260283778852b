#include "ui/chart_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kLegendGap = 12;
constexpr float kSwatchWidth = 12;

TextStyle legend_style(const Frame& frame) {
  return {.size = FontSize::kLabel, .colour = frame.theme.text2};
}
TextStyle value_style() { return {.size = FontSize::kLabel, .weight = Weight::medium}; }

float entry_width(const Frame& frame, const LegendEntry& entry, bool with_value) {
  float width = frame.px(kSwatchWidth + 5) + text_size(frame, entry.label, legend_style(frame)).x;
  if (with_value && !entry.value.empty()) {
    width += frame.px(5) + text_size(frame, entry.value, value_style()).x;
  }
  return width;
}

float legend_width(const Frame& frame, std::span<const LegendEntry> legend, bool with_values) {
  float width = 0;
  for (const LegendEntry& entry : legend) {
    width += entry_width(frame, entry, with_values) + frame.px(kLegendGap);
  }
  return width;
}

void draw_entry(const Frame& frame, ImDrawList& list, ImVec2 at, const LegendEntry& entry,
                bool with_value) {
  const float middle = at.y + frame.px(FontSize::kLabel / 2);
  if (entry.is_box) {
    const float half = frame.px(4.5F);
    list.AddRectFilled({at.x + frame.px(2), middle - half}, {at.x + frame.px(11), middle + half},
                       packed(entry.colour), frame.px(2));
  } else {
    list.AddRectFilled({at.x, middle - frame.px(1)},
                       {at.x + frame.px(kSwatchWidth - 1), middle + frame.px(1)},
                       packed(entry.colour));
  }
  at.x += frame.px(kSwatchWidth + 5);
  draw_text(frame, list, at, entry.label, legend_style(frame));
  if (with_value) {
    at.x += text_size(frame, entry.label, legend_style(frame)).x + frame.px(5);
    draw_text(frame, list, at, entry.value, value_style());
  }
}

void draw_legend(const Frame& frame, ImDrawList& list, const ImVec2& right_end, float room,
                 std::span<const LegendEntry> legend) {
  const bool with_values = legend_width(frame, legend, true) <= room;
  while (!legend.empty() && legend_width(frame, legend, with_values) > room) {
    legend = legend.first(legend.size() - 1);
  }
  float x = right_end.x - legend_width(frame, legend, with_values) + frame.px(kLegendGap);
  for (const LegendEntry& entry : legend) {
    draw_entry(frame, list, {x, right_end.y}, entry, with_values);
    x += entry_width(frame, entry, with_values) + frame.px(kLegendGap);
  }
}

ChartAxis drawable(double low, double high) {
  if (!std::isfinite(low)) low = 0;
  if (!std::isfinite(high)) high = low + 1;
  // Below this ImPlot's own arithmetic has nothing left to part.
  const double least = std::max(1e-12, std::abs(low) * 1e-9);
  return {.low = low, .high = std::max(high, low + least)};
}

/// Without ticks of its own an axis has none: ImPlot would make some.
void set_axis(ImAxis axis, const ChartAxis& range, ImPlotAxisFlags flags) {
  if (range.ticks.empty()) flags |= ImPlotAxisFlags_NoDecorations;
  ImPlot::SetupAxis(axis, nullptr,
                    flags | ImPlotAxisFlags_NoTickMarks | ImPlotAxisFlags_NoHighlight |
                        ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoMenus |
                        ImPlotAxisFlags_NoSideSwitch | ImPlotAxisFlags_NoInitialFit);
  if (range.is_log) ImPlot::SetupAxisScale(axis, ImPlotScale_Log10);
  ImPlot::SetupAxisLimits(axis, range.low, range.high, ImPlotCond_Always);
  std::vector<double> values;
  std::vector<const char*> labels;
  for (const Tick& tick : range.ticks) {
    values.push_back(tick.value);
    labels.push_back(tick.label.c_str());
  }
  if (!values.empty()) {
    ImPlot::SetupAxisTicks(axis, values.data(), static_cast<int>(values.size()), labels.data());
  }
}

/// The label of the last tick would stick out: spaces behind it make it end at the axis.
void pad_last_label(const Frame& frame, ChartAxis& x) {
  if (x.ticks.empty()) return;
  Tick& last = x.ticks.back();
  if (last.value < x.high - (x.high - x.low) * 0.02) return;
  const TextStyle style{.size = FontSize::kLabel};
  const float space = std::max(1.0F, text_size(frame, " ", style).x);
  const auto spaces = static_cast<std::size_t>(text_size(frame, last.label, style).x / space);
  last.label.append(spaces, ' ');
}

}  // namespace

PixelBox draw_chart_header(const Frame& frame, const ImVec2& at, float width,
                           const ChartHeader& header) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle title{.size = FontSize::kButton, .weight = Weight::semibold};
  const TextStyle unit{.size = FontSize::kLabel, .colour = frame.theme.text3};
  draw_text(frame, list, at, header.title, title);
  PixelBox box;
  box.min = {at.x + text_size(frame, header.title, title).x + frame.px(8), at.y + frame.px(1)};
  box.max = {box.min.x + text_size(frame, header.unit, unit).x,
             box.min.y + frame.px(unit.size + 2)};
  draw_text(frame, list, box.min, header.unit, unit);
  const float room = at.x + width - box.max.x;
  draw_legend(frame, list, {at.x + width, box.min.y}, room, header.legend);
  return box;
}

void draw_legend_row(const Frame& frame, const ImVec2& at, float width,
                     std::span<const LegendEntry> legend) {
  float x = at.x;
  for (const LegendEntry& entry : legend) {
    const float own = entry_width(frame, entry, true);
    if (x + own > at.x + width) return;
    draw_entry(frame, *ImGui::GetWindowDrawList(), {x, at.y}, entry, true);
    x += own + frame.px(kLegendGap);
  }
}

ChartAxis linear_axis(double low, double high) {
  ChartAxis axis = drawable(low, high);
  axis.ticks = linear_ticks(axis.low, axis.high);
  return axis;
}

ChartAxis log_axis(double low, double high) {
  constexpr double kLeast = 1e-12;
  ChartAxis axis = drawable(std::isfinite(low) ? std::max(low, kLeast) : kLeast, high);
  axis.high = std::max(axis.high, axis.low * 1.01);
  axis.is_log = true;
  axis.ticks = log_ticks(axis.low, axis.high);
  return axis;
}

Chart::Chart(const Frame& frame, const ChartPlace& below_header, const ChartAxis& x,
             const ChartAxis& y)
    : x_(x), y_(y) {
  const ImVec2 size{below_header.max.x - below_header.min.x,
                    below_header.max.y - below_header.min.y};
  if (size.x < frame.px(90) || size.y < frame.px(44)) return;
  pad_last_label(frame, x_);
  ImGui::SetCursorScreenPos(below_header.min);
  ImGui::PushFont(frame.fonts.regular, FontSize::kLabel);
  ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, {frame.px(2), frame.px(6)});
  ImPlot::PushStyleVar(ImPlotStyleVar_LabelPadding, {frame.px(6), frame.px(4)});
  is_open_ = ImPlot::BeginPlot(below_header.name, size,
                               ImPlotFlags_CanvasOnly | ImPlotFlags_NoInputs | ImPlotFlags_NoFrame);
  if (!is_open_) {
    ImPlot::PopStyleVar(2);
    ImGui::PopFont();
    return;
  }
  set_axis(ImAxis_X1, x_, ImPlotAxisFlags_NoGridLines);
  set_axis(ImAxis_Y1, y_, ImPlotAxisFlags_None);
  ImPlot::SetupFinish();
  area_.min = ImPlot::GetPlotPos();
  area_.max = {area_.min.x + ImPlot::GetPlotSize().x, area_.min.y + ImPlot::GetPlotSize().y};
  is_hovered_ = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(area_.min, area_.max);
  frame.record(below_header.name, area_.min, area_.max);
}

Chart::~Chart() {
  if (!is_open_) return;
  ImPlot::EndPlot();
  ImPlot::PopStyleVar(2);
  ImGui::PopFont();
}

namespace {

ImPlotSpec line_spec(const Frame& frame, const LineStyle& style) {
  ImPlotSpec spec;
  spec.LineColor = style.colour;
  spec.LineWeight = frame.px(style.weight);
  spec.Flags = ImPlotItemFlags_NoLegend | ImPlotItemFlags_NoFit;
  return spec;
}

}  // namespace

void plot_line(const Frame& frame, const char* id, const Polyline& line, const LineStyle& style) {
  if (line.empty()) return;
  ImPlot::PlotLine(id, line.xs.data(), line.ys.data(), line.size(), line_spec(frame, style));
}

void plot_stairs(const Frame& frame, const char* id, const Polyline& line, const LineStyle& style) {
  if (line.empty()) return;
  ImPlot::PlotStairs(id, line.xs.data(), line.ys.data(), line.size(), line_spec(frame, style));
}

void plot_band(const char* id, std::span<const double> xs, std::span<const double> lower,
               std::span<const double> upper, const ImVec4& colour) {
  const std::size_t count = std::min({xs.size(), lower.size(), upper.size()});
  if (count < 2) return;
  ImPlotSpec spec;
  spec.FillColor = colour;
  spec.Flags = ImPlotItemFlags_NoLegend | ImPlotItemFlags_NoFit;
  ImPlot::PlotShaded(id, xs.data(), lower.data(), upper.data(), static_cast<int>(count), spec);
}

void draw_end_dot(const Frame& frame, const Chart& chart, double x, double y,
                  const ImVec4& colour) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  const ImVec2 at = chart.pixel_of(x, y);
  if (at.y < chart.area().min.y || at.y > chart.area().max.y) return;
  chart.list().AddCircleFilled(at, frame.px(5), packed(frame.theme.bg1));
  chart.list().AddCircleFilled(at, frame.px(3.5F), packed(colour));
}

void draw_dashed(const Frame& frame, ImDrawList& list, const ImVec2& from, const ImVec2& to,
                 const ImVec4& colour) {
  const float dash = frame.px(4);
  const float length = std::abs(to.y - from.y);
  const float x = std::floor(from.x) + 0.5F;
  const float top = std::min(from.y, to.y);
  for (float y = 0; y < length; y += 2 * dash) {
    list.AddLine({x, top + y}, {x, top + std::min(y + dash, length)}, packed(colour), frame.px(1));
  }
}

void draw_dashed_level(const Frame& frame, ImDrawList& list, const ImVec2& from, float end_x,
                       const ImVec4& colour) {
  const float dash = frame.px(4);
  const float y = std::floor(from.y) + 0.5F;
  // What lies outside may be longer than can be drawn.
  const float begin = std::max(from.x, list.GetClipRectMin().x);
  const float end = std::min(end_x, list.GetClipRectMax().x);
  for (float x = begin; x < end; x += 2 * dash) {
    list.AddLine({x, y}, {std::min(x + dash, end), y}, packed(colour), frame.px(1.5F));
  }
}

void draw_limit(const Frame& frame, const Chart& chart, double budget) {
  const PixelBox& area = chart.area();
  const float y = chart.pixel_of(chart.x().low, budget).y;
  if (!(y >= area.min.y && y <= area.max.y)) return;
  ImDrawList& list = chart.list();
  list.AddLine({area.min.x, y}, {area.max.x, y}, packed(frame.theme.bad), frame.px(2));
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.bad};
  const float top = std::max(area.min.y, y - frame.px(style.size + 4));
  draw_text(frame, list, {area.max.x - frame.px(2), top}, "budget " + plain_text(budget), style,
            Align::right);
}

void keep_apart(std::vector<float>& positions, float gap, float low, float high) {
  for (std::size_t i = 1; i < positions.size(); ++i) {
    positions[i] = std::max(positions[i], positions[i - 1] + gap);
  }
  for (std::size_t i = positions.size(); i-- > 0;) {
    const float limit = i + 1 == positions.size() ? high : positions[i + 1] - gap;
    positions[i] = std::min(positions[i], limit);
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const float limit = i == 0 ? low : positions[i - 1] + gap;
    positions[i] = std::max(positions[i], limit);
  }
}

void draw_end_labels(const Frame& frame, const Chart& chart, double x,
                     std::vector<EndLabel> labels) {
  std::erase_if(labels, [](const EndLabel& label) { return !std::isfinite(label.value); });
  std::ranges::sort(labels, std::ranges::greater{}, &EndLabel::value);
  std::vector<float> middles;
  float widest = 0;
  const auto style_of = [](const EndLabel& label) {
    return TextStyle{.size = FontSize::kLabel,
                     .weight = label.is_strong ? Weight::semibold : Weight::medium,
                     .colour = label.colour};
  };
  for (const EndLabel& label : labels) {
    middles.push_back(chart.pixel_of(x, label.value).y);
    widest = std::max(widest, text_size(frame, label.text, style_of(label)).x);
  }
  const PixelBox& area = chart.area();
  keep_apart(middles, frame.px(14), area.min.y + frame.px(6), area.max.y - frame.px(6));
  const float bar = frame.px(8);
  const float line_end = chart.pixel_of(x, chart.y().low).x;
  const float left = std::min(line_end + frame.px(9), area.max.x - widest - bar);
  const bool is_over_data = left < line_end;
  ImDrawList& list = chart.list();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const float half = frame.px(6);
    if (is_over_data) {
      list.AddRectFilled({left - frame.px(3), middles[i] - half - frame.px(1)},
                         {area.max.x, middles[i] + half + frame.px(1)},
                         packed(with_alpha(frame.theme.bg1, 0.8F)), frame.px(3));
    }
    const bool has_bar = labels[i].bar_colour.w > 0;
    if (has_bar) {
      list.AddRectFilled({left, middles[i] - half}, {left + frame.px(3), middles[i] + half},
                         packed(labels[i].bar_colour));
    }
    draw_text(frame, list, {left + bar, middles[i] - frame.px(FontSize::kLabel / 2)},
              labels[i].text, style_of(labels[i]));
  }
}

}  // namespace headroom::ui
