#include "core/base/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/base/error.hpp"

namespace headroom::base {
namespace {

using nlohmann::json;

/// "line 3, column 14" of the byte that is the `position`-th (1-based).
std::string place_of(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position == 0 ? 0 : position - 1);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, before.size() - line_begin + 1);
}

/// Notices a key that an object has twice; the parser alone would take the last one without a word.
class RepeatedKeyCheck {
 public:
  bool operator()(int, json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) {
      open_objects_.emplace_back();
    } else if (event == json::parse_event_t::object_end) {
      open_objects_.pop_back();
    } else if (event == json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!open_objects_.back().insert(key).second && repeated_.empty()) repeated_ = key;
    }
    return true;
  }

  [[nodiscard]] const std::string& repeated() const { return repeated_; }

 private:
  std::vector<std::set<std::string>> open_objects_{};
  std::string repeated_{};
};

}  // namespace

json parse_json_object(std::string_view text, const std::string& attempted,
                       const std::string& source) {
  RepeatedKeyCheck check;
  json parsed;
  try {
    parsed = json::parse(text.begin(), text.end(), std::ref(check));
  } catch (const json::out_of_range& problem) {
    throw Error(ErrorKind::usage, {.attempted = attempted,
                                   .subject = source + ": has a number that is too large",
                                   .remedy = "Correct it",
                                   .detail = problem.what()});
  } catch (const json::parse_error& problem) {
    throw Error(ErrorKind::usage, {.attempted = attempted,
                                   .subject = fmt::format("{}: no valid JSON at {}", source,
                                                          place_of(text, problem.byte)),
                                   .remedy = "Correct it there",
                                   .detail = problem.what()});
  }
  if (!parsed.is_object()) {
    throw Error(ErrorKind::usage, {.attempted = attempted,
                                   .subject = fmt::format("{}: holds {} where an object is needed",
                                                          source, parsed.type_name()),
                                   .remedy = R"(Write it as {"key": value, …})"});
  }
  if (!check.repeated().empty()) {
    throw Error(ErrorKind::usage,
                {.attempted = attempted,
                 .subject = fmt::format("{}: \"{}\" stands there twice", source, check.repeated()),
                 .remedy = "Keep one of them"});
  }
  return parsed;
}

std::string dump_json(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace headroom::base
