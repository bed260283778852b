#include "core/data/sample_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <locale>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <utility>

#include "core/base/error.hpp"

namespace headroom::data {

namespace {

constexpr const char* kExample = "give one such as --split-by 'case([0-9]+)_'";

[[noreturn]] void fail(std::string subject, std::string remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {"grouping the samples", std::move(subject), std::move(remedy)});
}

/// What a sample is grouped by; nothing where it is not known.
using KeyFunction = std::function<std::optional<std::string>(const Sample&)>;

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string place_of(const Sample& sample) {
  return sample.part ? fmt::format("{},{}", sample.part->top, sample.part->left) : "";
}

/// Pages of a file and slices of a volume are never apart.
std::string file_of(const Sample& sample) {
  const std::string file =
      sample.volume >= 0 ? fmt::format("volume {}", sample.volume) : sample.image.string();
  return file + '\n' + place_of(sample);
}

class IdPattern {
 public:
  explicit IdPattern(const std::string& pattern) : pattern_(pattern) {
    regex_.imbue(std::locale::classic());
    try {
      regex_.assign(pattern, std::regex::ECMAScript);
    } catch (const std::regex_error& error) {
      fail(fmt::format("--split-by '{}' is no regular expression ({})", pattern, error.what()),
           kExample);
    }
    if (regex_.mark_count() == 0)
      fail(fmt::format("--split-by '{}' has no group", pattern), kExample);
  }

  [[nodiscard]] std::string key_of(const std::string& id) const {
    std::smatch match;
    if (std::regex_search(id, match, regex_)) {
      for (std::size_t group = 1; group < match.size(); ++group)
        if (match[group].matched) return match[group].str();
    }
    fail(fmt::format("--split-by '{}' is not found in '{}'", pattern_, id),
         "give an expression that every sample's id has; `headroom check --json` lists the ids");
  }

 private:
  const std::string pattern_;
  std::regex regex_;
};

KeyFunction key_function(const std::string& by) {
  if (by == "sample") return [](const Sample&) { return std::nullopt; };
  if (by == "folder")
    return [](const Sample& sample) { return sample.image.parent_path().string(); };
  if (by == "patient") return [](const Sample& sample) { return unless_empty(sample.patient); };
  if (by == "series") return [](const Sample& sample) { return unless_empty(sample.series); };
  if (by == "blocks") {
    return [](const Sample& sample) { return file_of(sample); };
  }
  return [pattern = IdPattern(by)](const Sample& sample) { return pattern.key_of(sample.id); };
}

/// Sets of samples that grow together.
class Unions {
 public:
  explicit Unions(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root_of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = root_of(a), second = root_of(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::size_t> parent_;
};

void report_unknown(const std::string& by, const std::vector<const Sample*>& unknown,
                    std::size_t all, std::vector<base::Finding>& findings) {
  if (unknown.size() == all) {
    fail(fmt::format("no sample has a DICOM {}, which --split-by {} needs", by, by),
         "give --split-by folder, or a regular expression over the ids");
  }
  findings.push_back({base::Severity::warning, "group-unknown", unknown.front()->id,
                      fmt::format("{} of {} samples, such as this one, tell no {}; each file of "
                                  "them goes to either side on its own",
                                  unknown.size(), all, by)});
}

}  // namespace

SampleGroups group_samples(const std::vector<Sample>& samples,
                           const std::vector<std::int64_t>& chosen, const std::string& by) {
  const KeyFunction key_of = key_function(by);
  SampleGroups result;
  Unions unions(chosen.size());
  std::map<std::string, std::size_t> first_of_key, first_of_file;
  std::vector<const Sample*> unknown;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Sample& sample = samples.at(static_cast<std::size_t>(chosen[i]));
    unions.join(i, first_of_file.emplace(file_of(sample), i).first->second);
    if (const auto key = key_of(sample)) {
      unions.join(i, first_of_key.emplace(*key, i).first->second);
    } else if (by != "sample") {
      unknown.push_back(&sample);
    }
  }
  if (!unknown.empty()) report_unknown(by, unknown, chosen.size(), result.findings);
  std::map<std::size_t, SampleGroup> by_first;
  for (std::size_t i = 0; i < chosen.size(); ++i) by_first[unions.root_of(i)].push_back(chosen[i]);
  for (auto& [first, group] : by_first) result.groups.push_back(std::move(group));
  return result;
}

}  // namespace headroom::data
