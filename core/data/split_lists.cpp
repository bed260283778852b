#include "core/data/split_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"

namespace headroom::data {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAttempted = "splitting the samples";

[[noreturn]] void fail(std::string subject, std::string remedy) {
  throw base::Error(base::ErrorKind::usage, {kAttempted, std::move(subject), std::move(remedy)});
}

struct ListOfIds {
  std::string name{};  ///< as messages call it
  std::vector<std::string> entries{};
};

struct IdLists {
  ListOfIds train{}, validation{};
};

ListOfIds json_list(const nlohmann::json& json, const char* key, const std::string& file) {
  ListOfIds list{.name = fmt::format("\"{}\" of '{}'", key, file)};
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array())
    fail(fmt::format("'{}' has no list \"{}\"", file, key),
         R"(give {"train": [ids], "val": [ids]})");
  for (const auto& entry : *found) {
    if (!entry.is_string()) {
      fail(fmt::format("an entry of {} is no text: {}", list.name, base::dump_json(entry)),
           "list the ids of samples, as `headroom check --json` names them");
    }
    list.entries.push_back(entry.get<std::string>());
  }
  return list;
}

IdLists read_json_lists(const fs::path& file) {
  const std::string name = base::display_path(file);
  const nlohmann::json json = base::parse_json_object(base::read_file(file), kAttempted, name);
  return {json_list(json, "train", name), json_list(json, "val", name)};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

ListOfIds read_text_list(const fs::path& file) {
  ListOfIds list{.name = fmt::format("'{}'", base::display_path(file))};
  const std::string text = base::read_file(file);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (const auto entry = trimmed(line); !entry.empty()) list.entries.emplace_back(entry);
  }
  return list;
}

IdLists read_text_lists(const fs::path& folder) {
  const auto first_of = [&](const std::vector<const char*>& names) {
    for (const char* name : names) {
      std::error_code failure;
      if (fs::is_regular_file(folder / name, failure)) return folder / name;
    }
    fail(fmt::format("the folder '{}' has no {}", base::display_path(folder), names.front()),
         "give a folder with train.txt and val.txt, or a JSON file with \"train\" and \"val\" "
         "lists");
  };
  return {read_text_list(first_of({"train.txt"})),
          read_text_list(first_of({"val.txt", "valid.txt", "validation.txt"}))};
}

IdLists read_lists(const fs::path& lists) {
  std::error_code failure;
  if (fs::is_directory(lists, failure)) return read_text_lists(lists);
  if (!fs::is_regular_file(lists, failure)) {
    fail(fmt::format("'{}' is neither a number nor a file", base::display_path(lists)),
         "give a share such as 0.2, a JSON file with \"train\" and \"val\" lists, or a folder with "
         "train.txt and val.txt");
  }
  if (lists.extension() == ".txt") {
    fail(fmt::format("'{}' is one list", base::display_path(lists)),
         "give the folder that holds train.txt and val.txt");
  }
  return read_json_lists(lists);
}

/// The names by which entries may call samples.
class SampleNames {
 public:
  explicit SampleNames(const std::vector<Sample>& samples) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      ids_[samples[i].id].push_back(index);
      const fs::path file = without_page(samples[i]);
      for (const fs::path& name : {file, fs::path(file).replace_extension()})
        paths_[name.string()].push_back(index);
      for (const fs::path& name : {file.filename(), file.stem()})
        file_names_[name.string()].push_back(index);
      files_.push_back(file.string());
    }
  }

  /// The samples of one file; nothing where none is meant. Throws where several files are.
  [[nodiscard]] std::vector<std::int64_t> find(const std::string& entry,
                                               const std::string& list) const {
    const std::string first_word = entry.substr(0, entry.find_first_of(" \t"));
    for (const std::string& text : {entry, first_word}) {
      const std::string name = relative(text);
      for (const Index* index : {&ids_, &paths_, &file_names_}) {
        const auto found = index->find(name);
        if (found == index->end()) continue;
        require_one_file(found->second, text, list);
        return found->second;
      }
    }
    return {};
  }

 private:
  using Index = std::unordered_map<std::string, std::vector<std::int64_t>>;

  static fs::path without_page(const Sample& sample) {
    const auto mark = sample.id.rfind('#');
    const bool has_page = mark != std::string::npos && mark + 1 < sample.id.size() &&
                          sample.id.find_first_not_of("0123456789", mark + 1) == std::string::npos;
    return has_page ? sample.id.substr(0, mark) : sample.id;
  }

  static std::string relative(std::string_view text) {
    while (text.starts_with('/') || text.starts_with("./"))
      text.remove_prefix(text.starts_with('/') ? 1 : 2);
    return std::string(text);
  }

  void require_one_file(const std::vector<std::int64_t>& found, const std::string& entry,
                        const std::string& list) const {
    const auto file_of = [&](std::int64_t index) -> const std::string& {
      return files_[static_cast<std::size_t>(index)];
    };
    const auto other = std::ranges::find_if(
        found, [&](std::int64_t index) { return file_of(index) != file_of(found.front()); });
    if (other == found.end()) return;
    fail(fmt::format("'{}' in {} may mean '{}' or '{}'", entry, list, file_of(found.front()),
                     file_of(*other)),
         "list image paths relative to the data folder");
  }

  Index ids_, paths_, file_names_;
  std::vector<std::string> files_;  ///< [sample] relative path
};

/// Turns entries into indices, each once.
class EntryReader {
 public:
  explicit EntryReader(const std::vector<Sample>& samples) : samples_(samples), names_(samples) {}

  std::vector<std::int64_t> take(const ListOfIds& list) {
    std::vector<std::int64_t> indices;
    for (const std::string& entry : list.entries) {
      const std::vector<std::int64_t> found = names_.find(entry, list.name);
      if (found.empty()) {
        fail(fmt::format("'{}' in {} is no sample of this data", entry, list.name),
             "list image paths relative to the data folder, with their extension");
      }
      for (const std::int64_t index : found) note(index, list.name);
      indices.insert(indices.end(), found.begin(), found.end());
    }
    if (indices.empty())
      fail(fmt::format("the list {} is empty", list.name), "name at least one sample in each list");
    std::ranges::sort(indices);
    return indices;
  }

 private:
  void note(std::int64_t index, const std::string& list) {
    const auto [taken, is_new] = taken_.emplace(index, list);
    if (is_new) return;
    fail(fmt::format("'{}' is listed twice, in {} and {}",
                     samples_[static_cast<std::size_t>(index)].id, taken->second, list),
         "list each sample once");
  }

  const std::vector<Sample>& samples_;
  const SampleNames names_;
  std::unordered_map<std::int64_t, std::string> taken_;
};

}  // namespace

SplitResult split_by_lists(const std::vector<Sample>& samples, const fs::path& lists) {
  const IdLists ids = read_lists(lists);
  EntryReader entries(samples);
  SplitResult result;
  result.split.train = entries.take(ids.train);
  result.split.validation = entries.take(ids.validation);
  const auto used = result.split.train.size() + result.split.validation.size();
  if (used < samples.size()) {
    result.findings.push_back(
        {base::Severity::info,
         "samples-left-out",
         {},
         fmt::format("{} of {} samples are in neither list of '{}' and are not used",
                     samples.size() - used, samples.size(), base::display_path(lists))});
  }
  return result;
}

}  // namespace headroom::data
