#include "core/base/ct_window.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text_number.hpp"

namespace headroom::base {
namespace {

constexpr auto kNamed = std::to_array<std::pair<std::string_view, CtWindow>>({
    {"lung", {-600, 1500}},
    {"bone", {400, 1800}},
    {"brain", {40, 80}},
    {"soft-tissue", {50, 400}},
    {"liver", {30, 150}},
    {"mediastinum", {50, 350}},
});

}  // namespace

std::optional<CtWindow> parse_ct_window(std::string_view text) {
  const auto* const named =
      std::ranges::find(kNamed, text, &std::pair<std::string_view, CtWindow>::first);
  if (named != kNamed.end()) return named->second;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::optional<double> centre = parse_real(text.substr(0, colon));
  const std::optional<double> width = parse_real(text.substr(colon + 1));
  if (!centre || !width || !(*width > 0)) return std::nullopt;
  return CtWindow{*centre, *width};
}

}  // namespace headroom::base
