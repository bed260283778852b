#include "tools/engine_figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace headroom {

bool is_met(const Figure& figure) {
  if (!figure.bar) return true;
  return figure.is_floor ? figure.value >= *figure.bar : figure.value <= *figure.bar;
}

std::string as_text(const Figures& figures) {
  std::string text;
  for (const Figure& figure : figures) {
    text +=
        fmt::format("{:9} {:66} {:12.6g} {}", figure.part, figure.what, figure.value, figure.unit);
    if (figure.bar) {
      text += fmt::format(", {} {:g}: {}", figure.is_floor ? "at least" : "at most", *figure.bar,
                          is_met(figure) ? "met" : "NOT MET");
    }
    text += '\n';
  }
  return text;
}

std::string as_json(const Figures& figures) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Figure& figure : figures) {
    nlohmann::ordered_json one = {{"part", figure.part},
                                  {"what", figure.what},
                                  {"value", figure.value},
                                  {"unit", figure.unit}};
    if (figure.bar) {
      one[figure.is_floor ? "at_least" : "at_most"] = *figure.bar;
      one["met"] = is_met(figure);
    }
    list.push_back(std::move(one));
  }
  const nlohmann::ordered_json document = {{"figures", list},
                                           {"all_met", std::ranges::all_of(figures, is_met)}};
  return document.dump(2) + '\n';
}

}  // namespace headroom
