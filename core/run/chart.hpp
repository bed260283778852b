#pragma once
// Charts of values over steps as SVG, coloured by the CSS classes of the page that they stand in.
// Pure; any thread.

#include <functional>
#include <string>
#include <vector>

namespace headroom::run {

struct ChartPoint {
  double x = 0, y = 0;  ///< a y that is not finite breaks a line
};

enum class LineShape { straight, stairs };

/// Colours and widths come from the class.
struct ChartLine {
  std::string css_class{};
  std::vector<ChartPoint> points{};
  LineShape shape = LineShape::straight;
  bool has_dots = false;
};

/// The area between two curves over the same xs; values are finite.
struct ChartArea {
  std::string css_class{};
  std::vector<double> xs{}, lows{}, highs{};
};

/// Something that happened at a step: a dashed vertical line.
struct ChartMark {
  double x = 0;
  std::string label{};  ///< above the line; may be empty
  std::string css_class{};
};

/// A limit: a horizontal line with its name.
struct ChartLevel {
  double y = 0;
  std::string label{};
};

struct Chart {
  std::string description{};  ///< for who cannot see it
  double width = 560, height = 220;
  double most_x = 1;               ///< the axis begins at 0
  double least_y = 0, most_y = 1;  ///< most_y is above least_y
  double tick_unit = 1;            ///< ticks are round multiples of it
  std::function<std::string(double)> tick_text{};
  std::vector<ChartArea> areas{};
  std::vector<ChartLine> lines{};
  std::vector<ChartMark> marks{};
  std::vector<ChartLevel> levels{};
};

[[nodiscard]] std::string svg_of(const Chart& chart);

}  // namespace headroom::run
