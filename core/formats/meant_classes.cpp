#include "core/formats/meant_classes.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "core/base/image.hpp"
#include "core/formats/mapping_proposal.hpp"

namespace headroom::formats {

namespace {

using PixelsOfValue = std::map<std::int64_t, std::int64_t>;

PixelsOfValue count_values(const std::vector<MaskCensus>& masks) {
  PixelsOfValue pixels_of;
  for (const MaskCensus& mask : masks) {
    for (const auto& [code, pixels] : mask.pixels_of) pixels_of[code] += pixels;
  }
  return pixels_of;
}

MeantClasses passed_over(const MaskMeaning& meaning, const std::string& reason) {
  return {.finding = {.severity = base::Severity::warning,
                      .code = "class-names-passed-over",
                      .message = fmt::format("classes are not taken from {}: {}; they are proposed "
                                             "from the masks instead",
                                             meaning.source, reason)}};
}

MeantClasses map_objects(const MaskMeaning& meaning) {
  base::ClassMapping mapping{
      .ids = {{{false, 0}, 0}}, .other = 1, .class_names = {"background", meaning.object_name}};
  return {
      .mapping = std::move(mapping),
      .finding = {.severity = base::Severity::info,
                  .code = "classes-from-layout",
                  .message = fmt::format("0 is background and every other value '{}', as for {}; "
                                         "give --mapping if the values are classes",
                                         meaning.object_name, meaning.source)}};
}

MeantClasses map_names(const MaskMeaning& meaning, const PixelsOfValue& pixels_of,
                       const std::map<std::int64_t, std::string>& names) {
  base::ClassMapping mapping;
  for (const auto& [value, name] : names) {
    mapping.ids[{false, value}] = static_cast<std::uint8_t>(mapping.class_names.size());
    mapping.class_names.push_back(name);
  }
  std::int64_t ignored_pixels = 0;
  for (const auto& [value, pixels] : pixels_of) {
    if (names.contains(value)) continue;
    mapping.ids[{false, value}] = base::kIgnoreLabel;
    ignored_pixels += pixels;
  }
  for (const std::int64_t value : meaning.ignored) mapping.ids[{false, value}] = base::kIgnoreLabel;
  return {
      .mapping = std::move(mapping),
      .finding = {.severity = base::Severity::info,
                  .code = "classes-from-layout",
                  .message = fmt::format("{} classes are taken from {}; {} pixels of other values "
                                         "are ignored; give --mapping for other classes",
                                         names.size(), meaning.source, ignored_pixels)}};
}

}  // namespace

MeantClasses map_as_meant(const MaskMeaning& meaning, const std::vector<MaskCensus>& masks,
                          std::int64_t ignore_value) {
  if (hold_colours(masks)) return passed_over(meaning, "the masks hold colours");
  if (!meaning.object_name.empty()) return map_objects(meaning);
  const PixelsOfValue pixels_of = count_values(masks);
  std::map<std::int64_t, std::string> names = meaning.names;
  for (const auto& [value, pixels] : pixels_of) {
    if (names.contains(value) || meaning.ignored.contains(value) || value == ignore_value) continue;
    if (!meaning.names.empty()) {
      return passed_over(meaning,
                         fmt::format("the masks hold the value {}, which is not named", value));
    }
    names.emplace(value, fmt::format("class_{}", value));
  }
  const auto classes = static_cast<std::int64_t>(names.size());
  if (classes < 2 || classes > base::kMaxClasses) {
    return passed_over(meaning, fmt::format("there would be {} classes", classes));
  }
  return map_names(meaning, pixels_of, names);
}

}  // namespace headroom::formats
