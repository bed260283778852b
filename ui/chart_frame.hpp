#pragma once
// What all charts have alike: a header line with a legend, axes with few ticks, lines, dots at
// their ends and labels beside them. Drawn with ImPlot; the UI thread.

#include <implot.h>

#include <span>
#include <string>
#include <vector>

#include "ui/axis_ticks.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

struct LegendEntry {
  std::string label{};
  std::string value{};  ///< the latest one; empty: none
  ImVec4 colour{};
  bool is_box = false;  ///< of an area; else of a line
};

struct ChartHeader {
  std::string_view title{};
  std::string_view unit{};  ///< in text3 after the title
  std::span<const LegendEntry> legend{};
};

/// Design pixels of a header line.
inline constexpr float kChartHeaderHeight = 20;

struct PixelBox {
  ImVec2 min{}, max{};
};

/// `at`: upper left, in pixels; the legend ends at `width`. What does not fit is left out: values
/// first, then the legend, from its end. Returns where the unit stands.
PixelBox draw_chart_header(const Frame& frame, const ImVec2& at, float width,
                           const ChartHeader& header);

/// The legend alone, from the left; entries that do not fit are left out.
void draw_legend_row(const Frame& frame, const ImVec2& at, float width,
                     std::span<const LegendEntry> legend);

struct ChartAxis {
  double low = 0, high = 1;
  bool is_log = false;
  std::vector<Tick> ticks{};
};

/// low … high with round ticks; a range that is empty or not finite becomes one that can be drawn.
[[nodiscard]] ChartAxis linear_axis(double low, double high);
[[nodiscard]] ChartAxis log_axis(double low, double high);

/// Where a chart goes: its name for the probe, and its pixels.
struct ChartPlace {
  const char* name;
  ImVec2 min{}, max{};
};

/// An open chart: data is drawn while it lives. Nothing is open where there is no room.
class Chart {
 public:
  /// `below_header`: the place without its header line. The name of the place is its ImGui ID.
  Chart(const Frame& frame, const ChartPlace& below_header, const ChartAxis& x, const ChartAxis& y);
  ~Chart();
  Chart(const Chart&) = delete;
  Chart& operator=(const Chart&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] bool is_hovered() const { return is_hovered_; }
  /// The plot without its labels, in pixels.
  [[nodiscard]] const PixelBox& area() const { return area_; }
  [[nodiscard]] ImDrawList& list() const { return *ImPlot::GetPlotDrawList(); }
  [[nodiscard]] ImVec2 pixel_of(double x, double y) const { return ImPlot::PlotToPixels(x, y); }
  [[nodiscard]] int columns() const { return static_cast<int>(area_.max.x - area_.min.x); }
  [[nodiscard]] const ChartAxis& x() const { return x_; }
  [[nodiscard]] const ChartAxis& y() const { return y_; }

 private:
  ChartAxis x_, y_;
  PixelBox area_{};
  bool is_open_ = false;
  bool is_hovered_ = false;
};

/// Columns of points for ImPlot.
struct Polyline {
  std::vector<double> xs{}, ys{};

  void add(double x, double y) {
    xs.push_back(x);
    ys.push_back(y);
  }
  [[nodiscard]] int size() const { return static_cast<int>(xs.size()); }
  [[nodiscard]] bool empty() const { return xs.empty(); }
};

struct LineStyle {
  ImVec4 colour{};
  float weight = 1;  ///< design pixels
};

/// `id`: "##…", one per chart.
void plot_line(const Frame& frame, const char* id, const Polyline& line, const LineStyle& style);
/// Values hold until the next x.
void plot_stairs(const Frame& frame, const char* id, const Polyline& line, const LineStyle& style);
/// Between two lines over the same xs.
void plot_band(const char* id, std::span<const double> xs, std::span<const double> lower,
               std::span<const double> upper, const ImVec4& colour);
/// The last point of a line, on a ring of the panel's ground.
void draw_end_dot(const Frame& frame, const Chart& chart, double x, double y, const ImVec4& colour);
/// A vertical dashed line over the whole height of the chart.
void draw_dashed(const Frame& frame, ImDrawList& list, const ImVec2& from, const ImVec2& to,
                 const ImVec4& colour);

/// A horizontal dashed line between two points of one y.
void draw_dashed_level(const Frame& frame, ImDrawList& list, const ImVec2& from, float end_x,
                       const ImVec4& colour);

/// A horizontal line at the budget, with its label above it.
void draw_limit(const Frame& frame, const Chart& chart, double budget);

struct EndLabel {
  double value = 0;  ///< on the y axis: where the label belongs
  std::string text{};
  ImVec4 colour{};         ///< of the text
  ImVec4 bar_colour{};     ///< of a bar in front of it; all zero: none
  bool is_strong = false;  ///< semibold
};
/// To the right of x, moved apart where they would touch.
void draw_end_labels(const Frame& frame, const Chart& chart, double x,
                     std::vector<EndLabel> labels);

/// Moves ascending positions until neighbours are `gap` apart, within low … high where there is
/// room.
void keep_apart(std::vector<float>& positions, float gap, float low, float high);

}  // namespace headroom::ui
