#include "core/base/class_mapping.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text_number.hpp"

namespace headroom::base {
namespace {

using nlohmann::json;

constexpr const char* kAttempted = "reading the class mapping";
constexpr std::string_view kNamePrefix = "name:";
constexpr const char* kExample =
    R"(Write entries as "17": {"class": 0, "name": "road"}, "#3C1098": "ignore", "tree": {"class": 1} or "other": "ignore")";

[[noreturn]] void refuse(const std::string& source, const std::string& entry,
                         const std::string& problem) {
  throw Error(ErrorKind::usage,
              {.attempted = kAttempted,
               .subject = fmt::format("{}: entry \"{}\" {}", source, entry, problem),
               .remedy = kExample});
}

/// The class id that `value` names; kIgnoreLabel for "ignore".
std::uint8_t id_of(const json& value, const std::string& entry, const std::string& source) {
  if (value.is_string() && value.get_ref<const std::string&>() == "ignore") return kIgnoreLabel;
  if (!value.is_object() || !value.contains("class")) {
    refuse(source, entry, "is neither \"ignore\" nor an object with \"class\"");
  }
  const json& id = value["class"];
  if (!id.is_number_integer() || id < 0 || id >= kMaxClasses) {
    refuse(source, entry,
           fmt::format("has the class {}, which is no whole number from 0 to {}", id.dump(),
                       kMaxClasses - 1));
  }
  for (const auto& [member, unused] : value.items()) {
    if (member != "class" && member != "name") {
      refuse(source, entry, fmt::format("has the unknown member \"{}\"", member));
    }
  }
  return id.get<std::uint8_t>();
}

/// Empty where the entry gives no name.
std::string name_in(const json& value, const std::string& entry, const std::string& source) {
  if (!value.is_object() || !value.contains("name")) return "";
  if (!value["name"].is_string() || value["name"].get_ref<const std::string&>().empty()) {
    refuse(source, entry, "has a name that is no text, or empty");
  }
  return value["name"].get<std::string>();
}

/// Names by id, as far as entries give them; every id up to the highest must have an entry.
std::vector<std::string> class_names_of(const std::map<std::uint8_t, std::string>& names,
                                        const std::string& source) {
  std::vector<std::string> by_id;
  for (const auto& [id, name] : names) {
    if (id != by_id.size()) {
      throw Error(ErrorKind::usage,
                  {.attempted = kAttempted,
                   .subject = fmt::format("{}: class {} is there, class {} is not", source, id,
                                          by_id.size()),
                   .remedy = "Number the classes from 0 without gaps"});
    }
    by_id.push_back(name.empty() ? fmt::format("class {}", id) : name);
  }
  if (by_id.empty()) {
    throw Error(
        ErrorKind::usage,
        {.attempted = kAttempted, .subject = source + ": names no class", .remedy = kExample});
  }
  return by_id;
}

void add_key(const std::string& entry, std::uint8_t id, const std::string& source,
             ClassMapping& mapping) {
  if (entry == "other") {
    mapping.other = id;
    return;
  }
  const std::optional<MaskKey> key = parse_mask_key(entry);
  if (!key) refuse(source, entry, "is neither a value (17), a colour (#RRGGBB) nor a name");
  if (!mapping.ids.emplace(*key, id).second)
    refuse(source, entry, fmt::format("means {}, which another entry maps too", to_string(*key)));
}

/// Whether the text alone would be read as something else than a name.
bool needs_prefix(const std::string& name) {
  if (name == "other" || name == "mapping") return true;
  const std::optional<MaskKey> key = parse_mask_key(name);
  return !key || key->name != name;
}

}  // namespace

std::string to_string(const MaskKey& key) {
  if (!key.name.empty()) {
    return needs_prefix(key.name) ? fmt::format("{}{}", kNamePrefix, key.name) : key.name;
  }
  return key.is_colour ? fmt::format("#{:06X}", key.value) : fmt::format("{}", key.value);
}

std::optional<MaskKey> parse_mask_key(const std::string& text) {
  if (text.empty() || text == kNamePrefix) return std::nullopt;
  if (text.starts_with(kNamePrefix)) return MaskKey{.name = text.substr(kNamePrefix.size())};
  if (!text.starts_with('#')) {
    const std::optional<std::int64_t> value = parse_integer(text);
    return value ? MaskKey{.value = *value} : MaskKey{.name = text};
  }
  constexpr std::size_t kColourLength = 7;
  const char* const end = text.data() + text.size();
  std::uint32_t colour = 0;
  const auto [stopped, problem] = std::from_chars(text.data() + 1, end, colour, 16);
  if (text.size() != kColourLength || problem != std::errc{} || stopped != end) return std::nullopt;
  return MaskKey{.is_colour = true, .value = colour};
}

ClassMapping parse_class_mapping(const std::string& json_text, const std::string& source) {
  json object = parse_json_object(json_text, kAttempted, source);
  if (object.contains("mapping")) {
    json inner = object["mapping"];
    if (!inner.is_object()) refuse(source, "mapping", "is no object");
    object = std::move(inner);
  }

  ClassMapping mapping;
  std::map<std::uint8_t, std::string> names;
  for (const auto& [entry, value] : object.items()) {
    const std::uint8_t id = id_of(value, entry, source);
    add_key(entry, id, source, mapping);
    if (id == kIgnoreLabel) continue;
    const std::string name = name_in(value, entry, source);
    std::string& known = names[id];
    if (!known.empty() && !name.empty() && name != known) {
      refuse(source, entry,
             fmt::format("calls class {} \"{}\", another entry \"{}\"", id, name, known));
    }
    if (known.empty()) known = name;
  }
  mapping.class_names = class_names_of(names, source);
  return mapping;
}

std::string to_json(const ClassMapping& mapping) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  const auto add = [&](const std::string& entry, std::uint8_t id) {
    if (id == kIgnoreLabel) {
      object[entry] = "ignore";
    } else {
      object[entry] = {{"class", id}, {"name", mapping.class_names.at(id)}};
    }
  };
  for (const auto& [key, id] : mapping.ids) add(to_string(key), id);
  if (mapping.other) add("other", *mapping.other);
  return dump_json(object);
}

}  // namespace headroom::base
