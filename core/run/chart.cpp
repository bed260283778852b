#include "core/run/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text_number.hpp"
#include "core/run/markup.hpp"

namespace headroom::run {
namespace {

constexpr double kLeft = 52, kRight = 14, kTop = 22, kBottom = 22;
constexpr int kMostTicks = 5;
/// Marks that stand closer than this lose their labels.
constexpr double kLabelWidth = 16;

/// Places values of a chart on its picture.
class Frame {
 public:
  explicit Frame(const Chart& chart) : chart_(chart) {}

  [[nodiscard]] double left() const { return kLeft; }
  [[nodiscard]] double right() const { return chart_.width - kRight; }
  [[nodiscard]] double top() const { return kTop; }
  [[nodiscard]] double bottom() const { return chart_.height - kBottom; }
  [[nodiscard]] double x(double value) const {
    return left() + (right() - left()) * std::clamp(value / chart_.most_x, 0.0, 1.0);
  }
  [[nodiscard]] double y(double value) const {
    const double share = (value - chart_.least_y) / (chart_.most_y - chart_.least_y);
    return bottom() - (bottom() - top()) * std::clamp(share, 0.0, 1.0);
  }

 private:
  const Chart& chart_;
};

/// The smallest of 1, 2, 5, 10, 20, … times `unit` that needs at most kMostTicks in the range.
double tick_distance(double range, double unit) {
  double distance = std::pow(10, std::floor(std::log10(range / unit / kMostTicks)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    if (range / (unit * distance * factor) <= kMostTicks) return unit * distance * factor;
  }
  return range;
}

std::string horizontal_grid(const Chart& chart, const Frame& frame) {
  const double distance = tick_distance(chart.most_y - chart.least_y, chart.tick_unit);
  std::string svg;
  for (double k = std::ceil(chart.least_y / distance); k * distance <= chart.most_y * 1.0001; ++k) {
    const double y = frame.y(k * distance);
    svg += fmt::format(R"(<path class="grid" d="M{:.1f} {:.1f}H{:.1f}"/>)", frame.left(), y,
                       frame.right());
    svg += fmt::format(R"(<text class="tick end" x="{:.1f}" y="{:.1f}">{}</text>)",
                       frame.left() - 8, y + 4, escaped(chart.tick_text(k * distance)));
  }
  return svg + '\n';
}

std::string step_ticks(const Chart& chart, const Frame& frame) {
  const double distance = std::max(1.0, tick_distance(chart.most_x, 1));
  std::string svg;
  for (double k = 0; k * distance <= chart.most_x; ++k) {
    const double x = frame.x(k * distance);
    const char* const anchor = x > frame.right() - 12 ? "end" : "middle";
    svg += fmt::format(R"(<text class="tick {}" x="{:.1f}" y="{:.1f}">{}</text>)", anchor, x,
                       frame.bottom() + 16, base::format_count(std::llround(k * distance)));
  }
  return svg + '\n';
}

std::string svg_of(const ChartArea& area, const Frame& frame) {
  if (area.xs.empty()) return {};
  std::string path;
  for (std::size_t i = 0; i < area.xs.size(); ++i) {
    path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? 'M' : 'L', frame.x(area.xs[i]),
                        frame.y(area.highs[i]));
  }
  for (std::size_t i = area.xs.size(); i-- > 0;) {
    path += fmt::format("L{:.1f} {:.1f}", frame.x(area.xs[i]), frame.y(area.lows[i]));
  }
  return fmt::format("<path class=\"area {}\" d=\"{}Z\"/>\n", area.css_class, path);
}

std::string svg_of(const ChartLine& line, const Frame& frame) {
  std::string path, dots;
  bool is_drawing = false;
  for (const ChartPoint& point : line.points) {
    if (!std::isfinite(point.y)) {
      is_drawing = false;
      continue;
    }
    const double x = frame.x(point.x), y = frame.y(point.y);
    if (!is_drawing) {
      path += fmt::format("M{:.1f} {:.1f}", x, y);
    } else if (line.shape == LineShape::stairs) {
      path += fmt::format("H{:.1f}V{:.1f}", x, y);
    } else {
      path += fmt::format("L{:.1f} {:.1f}", x, y);
    }
    if (line.has_dots) dots += fmt::format(R"(<circle cx="{:.1f}" cy="{:.1f}" r="2.2"/>)", x, y);
    is_drawing = true;
  }
  if (path.empty()) return {};
  std::string svg = fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", line.css_class, path);
  if (!dots.empty()) svg += fmt::format("<g class=\"dots {}\">{}</g>\n", line.css_class, dots);
  return svg;
}

std::string svg_of(const std::vector<ChartMark>& marks, const Frame& frame) {
  std::string svg;
  double free_from = 0;
  for (const ChartMark& mark : marks) {
    const double x = frame.x(mark.x);
    svg += fmt::format(R"(<path class="mark {}" d="M{:.1f} {:.1f}V{:.1f}"/>)", mark.css_class, x,
                       frame.top(), frame.bottom());
    if (mark.label.empty() || x < free_from) continue;
    svg += fmt::format(R"(<text class="flag middle {}" x="{:.1f}" y="{:.1f}">{}</text>)",
                       mark.css_class, x, frame.top() - 6, escaped(mark.label));
    free_from = x + kLabelWidth;
  }
  return svg + '\n';
}

std::string svg_of(const ChartLevel& level, const Frame& frame) {
  const double y = frame.y(level.y);
  return fmt::format(
      "<path class=\"level\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>"
      "<text class=\"level end\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      frame.left(), y, frame.right(), frame.right(), y - 5, escaped(level.label));
}

}  // namespace

std::string svg_of(const Chart& chart) {
  const Frame frame(chart);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-label=\"{}\">\n",
      chart.width, chart.height, escaped(chart.description));
  svg += horizontal_grid(chart, frame) + step_ticks(chart, frame);
  for (const ChartArea& area : chart.areas) svg += svg_of(area, frame);
  svg += svg_of(chart.marks, frame);
  for (const ChartLine& line : chart.lines) svg += svg_of(line, frame);
  for (const ChartLevel& level : chart.levels) svg += svg_of(level, frame);
  return svg + "</svg>\n";
}

}  // namespace headroom::run
