#include "ui/timeline_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ui/number_text.hpp"
#include "ui/peak_tensors.hpp"
#include "ui/timeline_strips.hpp"
#include "ui/value_tooltip.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kDimmed = 0.35F;
constexpr float kNameHeight = 13;

/// The chart with its axes as straight lines from values to pixels.
class Bands {
 public:
  const Frame& frame;
  const Chart& chart;
  const TimelineChart& content;

  Bands(const Frame& of_frame, const Chart& of_chart, const TimelineChart& of_content)
      : frame(of_frame),
        chart(of_chart),
        content(of_content),
        pixels_per_ms_((chart.area().max.x - chart.area().min.x) /
                       (chart.x().high - chart.x().low)),
        pixels_per_byte_((chart.area().max.y - chart.area().min.y) /
                         (chart.y().high - chart.y().low) / content.unit.size) {}

  [[nodiscard]] ImVec4 colour(std::size_t owner) const {
    const auto& colours = content.colours;
    const ImVec4& own = colours[std::min(owner, colours.size() - 1)];
    const int hovered = frame.shared.hovered_stage;
    return hovered < 0 || static_cast<std::size_t>(hovered) == owner ? own
                                                                     : with_alpha(own, kDimmed);
  }
  [[nodiscard]] float x(double ms) const {
    return chart.area().min.x + static_cast<float>((ms - chart.x().low) * pixels_per_ms_);
  }
  [[nodiscard]] float y(double bytes) const {
    return chart.area().max.y - static_cast<float>(bytes * pixels_per_byte_);
  }

 private:
  double pixels_per_ms_, pixels_per_byte_;
};

/// The edges of a band in pixels.
struct Edges {
  std::vector<ImVec2> lower{}, upper{};
};

Edges edges_of(const Bands& bands, const TimelineBand& band) {
  Edges edges;
  edges.lower.reserve(band.ms.size());
  edges.upper.reserve(band.ms.size());
  for (std::size_t point = 0; point < band.ms.size(); ++point) {
    const float x = bands.x(band.ms[point]);
    edges.lower.push_back({x, bands.y(band.lower[point])});
    edges.upper.push_back({x, bands.y(band.upper[point])});
  }
  return edges;
}

/// Neighbours share their corners, which makes many bands of many points cheap.
void fill(ImDrawList& list, const Edges& edges, ImU32 colour) {
  const auto points = static_cast<int>(edges.lower.size());
  if (points < 2) return;
  list.PrimReserve(6 * (points - 1), 2 * points);
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  for (int point = 0; point < points; ++point) {
    const auto first = static_cast<ImDrawIdx>(list._VtxCurrentIdx);
    list.PrimWriteVtx(edges.lower[static_cast<std::size_t>(point)], white, colour);
    list.PrimWriteVtx(edges.upper[static_cast<std::size_t>(point)], white, colour);
    if (point + 1 == points) break;
    for (const int corner : {0, 1, 3, 0, 3, 2}) {
      list.PrimWriteIdx(static_cast<ImDrawIdx>(first + corner));
    }
  }
}

/// A line of the panel's ground along the top, where the band is high enough to spare it.
void separate(const Bands& bands, const Edges& edges) {
  const Frame& frame = bands.frame;
  const float least = frame.px(2.5F);
  const auto is_high = [&](std::size_t point) {
    return edges.lower[point].y - edges.upper[point].y >= least;
  };
  for (std::size_t first = 0; first < edges.upper.size();) {
    std::size_t end = first;
    while (end < edges.upper.size() && is_high(end)) ++end;
    if (end > first + 1) {
      bands.chart.list().AddPolyline(&edges.upper[first], static_cast<int>(end - first),
                                     packed(frame.theme.bg1), ImDrawFlags_None, frame.px(1));
    }
    first = end + 1;
  }
}

void draw_bands(const Bands& bands) {
  const Frame& frame = bands.frame;
  ImDrawList& list = bands.chart.list();
  ImPlot::PushPlotClipRect();
  for (const TimelineBand& band : bands.content.view.bands) {
    const Edges edges = edges_of(bands, band);
    fill(list, edges, packed(bands.colour(band.owner)));
    separate(bands, edges);
  }
  std::vector<ImVec2> outline;
  const TimelineView& view = bands.content.view;
  for (std::size_t point = 0; point < view.ms.size(); ++point) {
    outline.push_back({bands.x(view.ms[point]), bands.y(view.total[point])});
  }
  list.AddPolyline(outline.data(), static_cast<int>(outline.size()), packed(frame.theme.text2),
                   ImDrawFlags_None, frame.px(1.2F));
  ImPlot::PopPlotClipRect();
}

/// Pixels that are inside the band over the whole width of a name around point `at`.
struct Inside {
  float top = 0, bottom = 0;
};
Inside inside_around(const Bands& bands, const TimelineBand& band, std::size_t at, float width) {
  const float middle = bands.x(band.ms[at]);
  Inside inside{.top = bands.y(band.upper[at]), .bottom = bands.y(band.lower[at])};
  const auto narrow = [&](std::size_t point) {
    inside.top = std::max(inside.top, bands.y(band.upper[point]));
    inside.bottom = std::min(inside.bottom, bands.y(band.lower[point]));
    return std::abs(bands.x(band.ms[point]) - middle) < width / 2;
  };
  for (std::size_t point = at; point > 0 && narrow(point - 1); --point) {
  }
  for (std::size_t point = at + 1; point < band.ms.size() && narrow(point); ++point) {
  }
  return inside;
}

/// The middle of the longest stretch that is high enough for a name; the number of points where
/// there is none.
std::size_t place_of_name(const Bands& bands, const TimelineBand& band, float height, float width) {
  std::size_t best = band.ms.size();
  float longest = width;
  std::size_t first = 0;
  for (std::size_t point = 0; point <= band.ms.size(); ++point) {
    const bool is_high =
        point < band.ms.size() && bands.y(band.lower[point]) - bands.y(band.upper[point]) >= height;
    if (is_high) continue;
    if (point > first) {
      const float left = bands.x(band.ms[first]), right = bands.x(band.ms[point - 1]);
      if (right - left >= longest) {
        longest = right - left;
        const auto middle =
            std::ranges::lower_bound(band.ms, (band.ms[first] + band.ms[point - 1]) / 2);
        best = static_cast<std::size_t>(std::distance(band.ms.begin(), middle));
      }
    }
    first = point + 1;
  }
  return best;
}

void draw_names(const Bands& bands) {
  const Frame& frame = bands.frame;
  const TextStyle style{.size = FontSize::kLabel};
  for (const TimelineBand& band : bands.content.view.bands) {
    const std::string& name = bands.content.view.timeline->owners[band.owner];
    if (band.owner + 1 == bands.content.view.timeline->owners.size()) continue;
    const int hovered = frame.shared.hovered_stage;
    if (hovered >= 0 && static_cast<std::size_t>(hovered) != band.owner) continue;
    const float width = text_size(frame, name, style).x + frame.px(6);
    const float height = frame.px(kNameHeight);
    const std::size_t at = place_of_name(bands, band, height, width);
    if (at >= band.ms.size()) continue;
    const Inside inside = inside_around(bands, band, at, width);
    if (inside.bottom - inside.top < height) continue;
    TextStyle on_band = style;
    on_band.colour =
        text_on(bands.content.colours[std::min(band.owner, bands.content.colours.size() - 1)]);
    draw_text(frame, bands.chart.list(),
              {bands.x(band.ms[at]), (inside.top + inside.bottom - frame.px(style.size)) / 2}, name,
              on_band, Align::centre);
  }
}

/// The box beside the peak: to its left where there is room, as the forward ramp leaves it free.
/// Returns where it is.
PixelBox draw_peak_label(const Bands& bands, const ImVec2& peak, std::int64_t bytes, double ms) {
  const Frame& frame = bands.frame;
  const plan::StepTimeline& timeline = *bands.content.view.timeline;
  const std::string title = "Peak " + bytes_text(bytes);
  std::string where = plan::name_of(timeline.peak_phase);
  if (timeline.peak_owner >= 0 && timeline.peak_owner < static_cast<int>(timeline.owners.size())) {
    where = timeline.owners[static_cast<std::size_t>(timeline.peak_owner)] + ", " + where;
  }
  where += ", " + time_text(ms / 1e3);
  const TextStyle strong{.size = FontSize::kLabel + 1, .weight = Weight::semibold};
  const TextStyle plain{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const PixelBox& area = bands.chart.area();
  const float most = std::max(frame.px(60), (area.max.x - area.min.x) / 2 - frame.px(60));
  where = elided(frame, where, plain, most);
  const float width =
      std::max(text_size(frame, title, strong).x, text_size(frame, where, plain).x) + frame.px(20);
  const float height = frame.px(40);
  const float lead = frame.px(28);
  const bool is_left = peak.x - lead - width >= area.min.x;
  const float left = is_left ? peak.x - lead - width : peak.x + lead;
  const float top =
      std::clamp(peak.y - frame.px(14), area.min.y, std::max(area.min.y, area.max.y - height));
  ImDrawList& list = bands.chart.list();
  const ImVec2 max{left + width, top + height};
  const float line_y = std::clamp(peak.y, top + frame.px(4), max.y - frame.px(4));
  list.AddLine({is_left ? max.x : left, line_y}, peak, packed(frame.theme.text2), frame.px(1));
  list.AddRectFilled({left, top}, max, packed(frame.theme.bg2), frame.px(6));
  list.AddRect({left, top}, max, packed(frame.theme.line2), frame.px(6));
  draw_text(frame, list, {left + frame.px(10), top + frame.px(5)}, title, strong);
  draw_text(frame, list, {left + frame.px(10), top + frame.px(22)}, where, plain);
  return {{left, top}, max};
}

PixelBox draw_peak(const Bands& bands) {
  const Frame& frame = bands.frame;
  const TimelineView& view = bands.content.view;
  const double ms = view.ms[view.peak_point];
  const double bytes = view.total[view.peak_point];
  const ImVec2 peak{bands.x(ms), bands.y(bytes)};
  draw_dashed(frame, bands.chart.list(), peak, {peak.x, bands.chart.area().max.y},
              with_alpha(frame.theme.text1, 0.7F));
  const PixelBox label =
      draw_peak_label(bands, peak, view.timeline->total_bytes(view.peak_point), ms);
  bands.chart.list().AddCircleFilled(peak, frame.px(5), packed(frame.theme.bg1));
  bands.chart.list().AddCircleFilled(peak, frame.px(3.5F), packed(frame.theme.text1));
  return label;
}

/// On the peak's label: which tensors hold it. False where the mouse is elsewhere.
bool hover_peak(const Bands& bands, const PixelBox& label) {
  bands.frame.record("step_memory/peak", label.min, label.max, true, "");
  if (!bands.chart.is_hovered() || !ImGui::IsMouseHoveringRect(label.min, label.max)) return false;
  const plan::StepTimeline& timeline = *bands.content.view.timeline;
  const std::vector<ValueRow> rows = peak_rows(timeline, bands.content.colours);
  if (rows.empty()) return true;
  value_tooltip(bands.frame, "Live at the peak", rows, peak_note(timeline));
  bands.frame.record("step_memory/peak/largest", label.min, label.max, true,
                     rows.front().label + ": " + rows.front().value);
  return true;
}

void hover_band(const Bands& bands) {
  if (!bands.chart.is_hovered()) return;
  const ImPlotPoint at = ImPlot::PixelsToPlot(ImGui::GetIO().MousePos);
  const TimelineView& view = bands.content.view;
  const TimelineBand* const band = band_at(view, at.x, at.y * bands.content.unit.size);
  if (band == nullptr) return;
  if (band->owner + 1 < view.timeline->owners.size()) {
    bands.frame.shared.next_hovered_stage = static_cast<int>(band->owner);
  }
  const HeldBytes held = held_at(view, at.x, band->owner);
  const double share =
      held.total > 0 ? static_cast<double>(held.own) / static_cast<double>(held.total) : 0;
  const ValueRow rows[] = {{"holds", bytes_text(held.own)},
                           {"of all that is live", percent_text(share)},
                           {"at", time_text(at.x / 1e3)}};
  value_tooltip(bands.frame, owner_title(*view.timeline, band->owner), rows);
}

}  // namespace

bool shows_budget(double peak_bytes, std::int64_t budget_bytes) {
  constexpr double kFar = 1.6;
  return budget_bytes > 0 && static_cast<double>(budget_bytes) <= kFar * peak_bytes;
}

void draw_timeline_chart(const Frame& frame, const ChartPlace& place,
                         const TimelineChart& content) {
  const TimelineView& view = content.view;
  const double peak = view.total[view.peak_point];
  const bool with_budget = shows_budget(peak, content.budget_bytes);
  double high = *std::ranges::max_element(view.total);
  if (with_budget) high = std::max(high, static_cast<double>(content.budget_bytes));
  const Chart chart(frame,
                    {place.name, {place.min.x, place.min.y + frame.px(kStripsHeight)}, place.max},
                    linear_axis(0, view.total_ms), linear_axis(0, high / content.unit.size * 1.12));
  if (!chart.is_open()) return;
  const Bands bands(frame, chart, content);
  draw_bands(bands);
  ImPlot::PushPlotClipRect(frame.px(1));
  draw_names(bands);
  if (with_budget) {
    draw_limit(frame, chart, static_cast<double>(content.budget_bytes) / content.unit.size);
  }
  const PixelBox peak_label = draw_peak(bands);
  ImPlot::PopPlotClipRect();
  if (!hover_peak(bands, peak_label)) hover_band(bands);
  const int hovered = draw_strips(frame, chart, place.min.y, view, content.colours);
  if (hovered >= 0) frame.shared.next_hovered_stage = hovered;
}

}  // namespace headroom::ui
