#include "ui/axis_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ui/number_text.hpp"

namespace headroom::ui {
namespace {

bool is_range(double low, double high) {
  return std::isfinite(low) && std::isfinite(high) && high > low;
}

/// With as many decimals as `step` needs.
std::string tick_label(double value, double step) {
  constexpr double kLargest = 1e15;
  if (std::abs(value) >= kLargest) return value_text(value);
  int decimals = 0;
  constexpr int kMostDecimals = 9;
  for (double rest = step; decimals < kMostDecimals; rest *= 10, ++decimals) {
    if (std::abs(rest - std::round(rest)) < 1e-6 * rest) break;
  }
  if (decimals == 0) return count_text(std::llround(value));
  return fmt::format("{:.{}f}", value, decimals);
}

/// `factors` times powers of ten within the range.
std::vector<double> decade_values(double low, double high, std::initializer_list<double> factors) {
  std::vector<double> values;
  const auto first = static_cast<int>(std::floor(std::log10(low)));
  const auto last = static_cast<int>(std::ceil(std::log10(high)));
  for (int power = first; power <= last; ++power) {
    for (const double factor : factors) {
      const double value = factor * std::pow(10.0, power);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) values.push_back(value);
    }
  }
  return values;
}

}  // namespace

double round_step(double least) {
  if (!std::isfinite(least) || least <= 0) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::vector<Tick> linear_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!is_range(low, high) || most < 2) return ticks;
  const double step = round_step((high - low) / (most - 1));
  const double slack = step * 1e-6;
  for (double number = std::ceil((low - slack) / step);
       number * step <= high + slack && std::ssize(ticks) < most; ++number) {
    const double value = number * step + 0.0;  // never a negative zero
    ticks.push_back({value, tick_label(value, step)});
  }
  return ticks;
}

std::vector<Tick> log_ticks(double low, double high, int most) {
  if (!is_range(low, high) || low <= 0) return {};
  std::vector<double> values = decade_values(low, high, {1, 2, 5});
  if (values.size() < 2) return linear_ticks(low, high, most);
  if (std::ssize(values) > most) values = decade_values(low, high, {1});
  const auto stride =
      (values.size() + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most);
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < values.size(); i += std::max<std::size_t>(1, stride)) {
    ticks.push_back({values[i], value_text(values[i], 1)});
  }
  return ticks;
}

}  // namespace headroom::ui
