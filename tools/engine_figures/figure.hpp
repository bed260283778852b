#pragma once
// One measured figure with its bar. Values; pure.

#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct Figure {
  std::string part{};
  std::string what{};
  double value = 0;
  std::string unit{};
  /// At most this, or at least where is_floor; nothing: the figure only explains others.
  std::optional<double> bar{};
  bool is_floor = false;
};
using Figures = std::vector<Figure>;

/// True where there is no bar.
[[nodiscard]] bool is_met(const Figure& figure);

/// One line each.
[[nodiscard]] std::string as_text(const Figures& figures);
/// {"figures": [{"part", "what", "value", "unit", "at_most" or "at_least"?, "met"?}], "all_met"}
[[nodiscard]] std::string as_json(const Figures& figures);

}  // namespace headroom
