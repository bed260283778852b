#include "core/formats/check_report.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/json_text.hpp"

namespace headroom::formats {

namespace {

using Json = nlohmann::ordered_json;

Json ids_of(const Dataset& dataset, const std::vector<std::int64_t>& side) {
  Json ids = Json::array();
  for (const std::int64_t index : side)
    ids.push_back(dataset.samples.at(static_cast<std::size_t>(index)).id);
  return ids;
}

Json to_json(const Dataset& dataset, const data::Split& split) {
  return {{"train", split.train.size()},
          {"val", split.validation.size()},
          {"ids",
           {{"train", ids_of(dataset, split.train)}, {"val", ids_of(dataset, split.validation)}}}};
}

}  // namespace

std::string check_report_json(const Dataset& dataset, const data::Split& split) {
  const base::DatasetSummary& summary = dataset.summary;
  Json classes = Json::array();
  for (const base::ClassSummary& entry : summary.classes) {
    classes.push_back({{"id", entry.id},
                       {"name", entry.name},
                       {"source_values", entry.source_values},
                       {"pixels", entry.pixels},
                       {"images", entry.images}});
  }
  Json findings = Json::array();
  for (const base::Finding& finding : summary.findings) {
    findings.push_back({{"severity", base::name_of(finding.severity)},
                        {"code", finding.code},
                        {"file", finding.file},
                        {"message", finding.message}});
  }
  return base::dump_json({{"layout", summary.layout},
                          {"root", summary.root},
                          {"fingerprint", summary.fingerprint},
                          {"samples", summary.samples},
                          {"channels", summary.channels},
                          {"dtype", base::name_of(summary.type)},
                          {"height", {{"min", summary.min_height}, {"max", summary.max_height}}},
                          {"width", {{"min", summary.min_width}, {"max", summary.max_width}}},
                          {"classes", classes},
                          {"ignored_pixels", summary.ignored_pixels},
                          {"splits", to_json(dataset, split)},
                          {"findings", findings}},
                         2);
}

}  // namespace headroom::formats
