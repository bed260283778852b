#include "app/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headroom::app {
namespace {

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

std::string format_score(double score) {
  return std::isnan(score) ? "-" : fmt::format("{:.3f}", score);
}

std::string format_step_time(double seconds) {
  return seconds < 0.99995 ? fmt::format("{:.1f} ms", 1000 * seconds)
                           : fmt::format("{:.3f} s", seconds);
}

std::string format_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - columns_of(row[i]), ' ');
      line += i == 0 ? row[i] + padding : "  " + padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + '\n';
  }
  return table;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace headroom::app
