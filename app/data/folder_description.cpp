#include "app/data/folder_description.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/io_error.hpp"

namespace headroom::app {
namespace {

std::string source_of_mapping(const formats::Dataset& dataset, const FolderReading& reading) {
  if (reading.mapping_is_edited) return "as edited";
  if (!reading.settings.data.mapping.empty()) return "given";
  const auto& findings = dataset.summary.findings;
  const auto given = std::ranges::find(findings, "mapping-from-folder", &base::Finding::code);
  return given == findings.end() ? "proposed" : given->file;
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', begin)) {
    parts.push_back(path.substr(begin, slash - begin));
    begin = slash + 1;
  }
  parts.push_back(path.substr(begin));
  return parts;
}

/// Without the folders that all of them have in common, place by place, and without an extension
/// that all have.
void set_labels(std::vector<ui::FolderSample>& samples) {
  if (samples.empty()) return;
  std::vector<std::vector<std::string>> paths;
  for (const ui::FolderSample& sample : samples) paths.push_back(parts_of(sample.id));
  const std::vector<std::string>& first = paths.front();
  const auto all = [&](const auto& is_so) { return std::ranges::all_of(paths, is_so); };
  const bool is_of_one_depth = all([&](const auto& path) { return path.size() == first.size(); });
  const std::string extension = std::filesystem::path(first.back()).extension();
  const bool has_one_extension =
      !extension.empty() && all([&](const auto& path) { return path.back().ends_with(extension); });
  std::vector<bool> is_common(first.size());
  for (std::size_t place = 0; is_of_one_depth && place + 1 < first.size(); ++place)
    is_common[place] = all([&](const auto& path) { return path[place] == first[place]; });
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::string& label = samples[i].label;
    for (std::size_t place = 0; place < paths[i].size(); ++place) {
      if (is_of_one_depth && is_common[place]) continue;
      label += (label.empty() ? "" : "/") + paths[i][place];
    }
    if (has_one_extension) label.resize(label.size() - extension.size());
  }
}

void set_side(ui::DataFolder& data, const std::vector<std::int64_t>& side, ui::SplitSide name) {
  for (const std::int64_t index : side)
    data.samples.at(static_cast<std::size_t>(index)).side = name;
}

/// Samples by the names that a finding may give them: the image's path, the mask's, and the
/// sample's own. Of several samples in one file the first.
std::unordered_map<std::string, std::size_t> samples_by_file(
    const std::vector<ui::FolderSample>& samples) {
  std::unordered_map<std::string, std::size_t> by_file;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    by_file.try_emplace(samples[i].id, i);
    by_file.try_emplace(samples[i].id.substr(0, samples[i].id.rfind('#')), i);
    by_file.try_emplace(samples[i].mask, i);
  }
  return by_file;
}

void assign_findings(ui::DataFolder& data) {
  const auto by_file = samples_by_file(data.samples);
  for (const base::Finding& finding : data.summary.findings) {
    const auto found = finding.file.empty() ? by_file.end() : by_file.find(finding.file);
    if (found == by_file.end()) {
      data.sample_of_finding.emplace_back();
      continue;
    }
    data.sample_of_finding.emplace_back(found->second);
    std::optional<base::Severity>& worst = data.samples[found->second].worst;
    worst = std::max(worst.value_or(finding.severity), finding.severity);
  }
}

}  // namespace

ui::DataFolder describe_folder(const formats::Dataset& dataset, FolderReading reading) {
  ui::DataFolder data{.folder = reading.folder,
                      .summary = dataset.summary,
                      .mapping = dataset.mapping,
                      .mapping_source = source_of_mapping(dataset, reading),
                      .split_problem = std::move(reading.split_problem)};
  data.settings = std::move(reading.settings);
  for (std::size_t i = 0; i < dataset.samples.size(); ++i) {
    const data::Sample& sample = dataset.samples[i];
    ui::FolderSample entry{.id = sample.id,
                           .mask = base::display_path(sample.mask.lexically_relative(
                               std::filesystem::absolute(reading.folder))),
                           .height = sample.height,
                           .width = sample.width};
    if (i < dataset.class_pixels.size()) entry.class_pixels = dataset.class_pixels[i];
    data.samples.push_back(std::move(entry));
  }
  set_labels(data.samples);
  set_side(data, reading.split.train, ui::SplitSide::training);
  set_side(data, reading.split.validation, ui::SplitSide::validation);
  assign_findings(data);
  return data;
}

}  // namespace headroom::app
