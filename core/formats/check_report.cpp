#include "core/formats/check_report.hpp"

#include <nlohmann/json.hpp>

#include "core/base/json_text.hpp"

namespace headroom::formats {

std::string check_report_json(const base::DatasetSummary& summary, const data::Split& split) {
  using Json = nlohmann::ordered_json;
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
  return base::dump_json(
      {{"layout", summary.layout},
       {"root", summary.root},
       {"fingerprint", summary.fingerprint},
       {"samples", summary.samples},
       {"channels", summary.channels},
       {"dtype", base::name_of(summary.type)},
       {"height", {{"min", summary.min_height}, {"max", summary.max_height}}},
       {"width", {{"min", summary.min_width}, {"max", summary.max_width}}},
       {"classes", classes},
       {"ignored_pixels", summary.ignored_pixels},
       {"splits", {{"train", split.train.size()}, {"val", split.validation.size()}}},
       {"findings", findings}},
      2);
}

}  // namespace headroom::formats
