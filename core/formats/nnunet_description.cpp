#include "core/formats/nnunet_description.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text_number.hpp"

namespace headroom::formats {

namespace {

constexpr const char* kAttempted = "reading the description of an nnU-Net data set";

[[noreturn]] void fail(const std::string& source, const std::string& problem,
                       const std::string& remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {kAttempted, fmt::format("{}: {}", source, problem), remedy});
}

/// {"0": "T1", "1": "T2"}
std::vector<std::string> channels_in(const nlohmann::json& json, const std::string& source) {
  const auto list =
      json.contains("channel_names") ? json.find("channel_names") : json.find("modality");
  if (list == json.end()) return {};
  std::map<std::int64_t, std::string> by_number;
  for (const auto& [key, name] : list->items()) {
    const auto number = base::parse_integer(key);
    if (!list->is_object() || !number || !name.is_string()) {
      fail(source, "the channels are not numbers with names", R"(give {"0": "T1", "1": "T2"})");
    }
    by_number[*number] = name.get<std::string>();
  }
  std::vector<std::string> channels;
  for (const auto& [number, name] : by_number) channels.push_back(name);
  return channels;
}

/// {"tumour": 1} of version 2 or {"1": "tumour"} of version 1. Regions are lists of values.
std::optional<MaskMeaning> labels_in(const nlohmann::json& json, const std::string& source) {
  const auto labels = json.find("labels");
  if (labels == json.end()) return std::nullopt;
  MaskMeaning meaning{.source = source};
  for (const auto& [key, entry] : labels->items()) {
    if (entry.is_array()) return std::nullopt;
    const auto number = entry.is_string()           ? base::parse_integer(key)
                        : entry.is_number_integer() ? std::optional(entry.get<std::int64_t>())
                                                    : std::nullopt;
    if (!labels->is_object() || !number) {
      fail(source, fmt::format("the label '{}' has no value", key),
           R"(give {"background": 0, "tumour": 1})");
    }
    const std::string name = entry.is_string() ? entry.get<std::string>() : key;
    if (name == "ignore") {
      meaning.ignored.insert(*number);
    } else if (!meaning.names.emplace(*number, name).second) {
      fail(source, fmt::format("two labels have the value {}", *number),
           "give each label a value of its own");
    }
  }
  return meaning;
}

}  // namespace

NnunetDescription parse_nnunet_description(const std::string& json, const std::string& source) {
  const nlohmann::json parsed = base::parse_json_object(json, kAttempted, source);
  NnunetDescription description{.channels = channels_in(parsed, source),
                                .labels = labels_in(parsed, source)};
  const auto ending = parsed.find("file_ending");
  if (ending != parsed.end() && ending->is_string()) {
    description.file_ending = ending->get<std::string>();
  }
  return description;
}

}  // namespace headroom::formats
