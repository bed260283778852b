#include "core/data/split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text_number.hpp"
#include "core/data/counter_random.hpp"

namespace headroom::data {

namespace {

constexpr std::int64_t kSplitStream = 0x73706c6974;

[[noreturn]] void fail(std::string subject, std::string remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {"splitting the samples", std::move(subject), std::move(remedy)});
}

/// Samples that must stay on one side: the pages of a file.
std::vector<std::vector<std::int64_t>> group_by_file(const std::vector<Sample>& samples) {
  std::vector<std::vector<std::int64_t>> groups;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const bool continues = i > 0 && samples[i].image == samples[i - 1].image;
    if (!continues) groups.emplace_back();
    groups.back().push_back(static_cast<std::int64_t>(i));
  }
  return groups;
}

SplitResult split_one_file(std::int64_t pages, std::int64_t validation) {
  SplitResult result;
  for (std::int64_t page = 0; page < pages; ++page)
    (page < pages - validation ? result.split.train : result.split.validation).push_back(page);
  result.findings.push_back(
      {base::Severity::warning,
       "one-file-on-both-sides",
       {},
       fmt::format("all samples are pages of one file; its last {} validate, and those beside the "
                   "border are alike",
                   validation)});
  return result;
}

SplitResult split_by_share(const std::vector<Sample>& samples, double share, std::int64_t seed) {
  if (!(share > 0 && share < 1)) {
    fail(fmt::format("the share for validation is {}", share),
         "give a share above 0 and below 1, such as 0.2");
  }
  const auto count = static_cast<std::int64_t>(samples.size());
  if (count < 2) {
    fail("there is one sample only, so that no sample would be left for validation",
         "add more images, or cut the image into several");
  }
  const auto wanted = static_cast<std::int64_t>(std::llround(share * static_cast<double>(count)));
  const std::int64_t validation = std::clamp<std::int64_t>(wanted, 1, count - 1);
  const auto groups = group_by_file(samples);
  const auto group_count = static_cast<std::int64_t>(groups.size());
  if (group_count == 1) return split_one_file(count, validation);
  const Permutation order(group_count, seed, kSplitStream);
  SplitResult result;
  for (std::int64_t position = 0; position < group_count; ++position) {
    const bool validates = position < group_count - 1 &&
                           static_cast<std::int64_t>(result.split.validation.size()) < validation;
    auto& side = validates ? result.split.validation : result.split.train;
    const auto& group = groups.at(static_cast<std::size_t>(order[position]));
    side.insert(side.end(), group.begin(), group.end());
  }
  std::ranges::sort(result.split.train);
  std::ranges::sort(result.split.validation);
  return result;
}

nlohmann::json read_split_file(const std::string& file) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(std::filesystem::path(file), failure)) {
    fail(fmt::format("'{}' is neither a number nor a file", file),
         "give a share such as 0.2 or a JSON file with \"train\" and \"val\" lists");
  }
  return base::parse_json_object(base::read_file(std::filesystem::path(file)),
                                 "splitting the samples", file);
}

class IdLists {
 public:
  IdLists(const std::vector<Sample>& samples, const std::string& file) : file_(file) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      index_of_.emplace(samples[i].id, static_cast<std::int64_t>(i));
    }
  }

  std::vector<std::int64_t> take(const nlohmann::json& json, const char* key) {
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array()) {
      fail(fmt::format("'{}' has no list \"{}\"", file_, key),
           R"(give {"train": [ids], "val": [ids]})");
    }
    std::vector<std::int64_t> indices;
    for (const auto& entry : *list) indices.push_back(take_one(entry, key));
    if (indices.empty()) {
      fail(fmt::format("the list \"{}\" of '{}' is empty", key, file_),
           "name at least one sample in each list");
    }
    std::ranges::sort(indices);
    return indices;
  }

 private:
  std::int64_t take_one(const nlohmann::json& entry, const char* key) {
    if (!entry.is_string()) {
      fail(fmt::format("an entry of \"{}\" in '{}' is no text: {}", key, file_,
                       base::dump_json(entry)),
           "list the ids of samples, as `headroom check` names them");
    }
    const auto id = entry.get<std::string>();
    const auto found = index_of_.find(id);
    if (found == index_of_.end()) {
      fail(fmt::format("'{}' in \"{}\" of '{}' is no sample of this data", id, key, file_),
           "list image paths relative to the data folder, with their extension");
    }
    if (!taken_.emplace(id, key).second) {
      fail(fmt::format("'{}' is listed twice in '{}', in \"{}\" and \"{}\"", id, file_, taken_[id],
                       key),
           "list each sample once");
    }
    return found->second;
  }

  const std::string& file_;
  std::unordered_map<std::string, std::int64_t> index_of_;
  std::unordered_map<std::string, std::string> taken_;
};

SplitResult split_by_file(const std::vector<Sample>& samples, const std::string& file) {
  const nlohmann::json json = read_split_file(file);
  IdLists lists(samples, file);
  SplitResult result;
  result.split.train = lists.take(json, "train");
  result.split.validation = lists.take(json, "val");
  const auto used = result.split.train.size() + result.split.validation.size();
  if (used < samples.size()) {
    result.findings.push_back(
        {base::Severity::info,
         "samples-left-out",
         {},
         fmt::format("{} of {} samples are in neither list of '{}' and are not used",
                     samples.size() - used, samples.size(), file)});
  }
  return result;
}

}  // namespace

SplitResult make_split(const std::vector<Sample>& samples, const std::string& setting,
                       std::int64_t seed) {
  if (const auto share = base::parse_real(setting)) {
    return split_by_share(samples, *share, seed);
  }
  return split_by_file(samples, setting);
}

std::vector<base::Finding> find_unlearnable_classes(
    const Split& split, const std::vector<std::vector<std::int64_t>>& class_pixels,
    const std::vector<std::string>& class_names) {
  const auto occurs = [&](const std::vector<std::int64_t>& side, std::size_t id) {
    return std::ranges::any_of(side, [&](std::int64_t sample) {
      return class_pixels.at(static_cast<std::size_t>(sample)).at(id) > 0;
    });
  };
  std::vector<base::Finding> findings;
  for (std::size_t id = 0; id < class_names.size(); ++id) {
    if (occurs(split.validation, id) && !occurs(split.train, id)) {
      findings.push_back({base::Severity::warning,
                          "class-only-in-validation",
                          {},
                          fmt::format("class {} ({}) has pixels in validation samples only and "
                                      "cannot be learned; use another split or seed",
                                      id, class_names[id])});
    }
  }
  return findings;
}

}  // namespace headroom::data
