#include "core/run/report_tables.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/text_number.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;

/// Text as it is, other values as JSON has them, an en dash for null.
std::string text_of(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return escaped(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  return escaped(value.dump());
}

/// "2026-01-31 12:34:56 UTC" of "2026-01-31T12:34:56.789Z".
std::string time_text(const Json& value) {
  if (!value.is_string()) return text_of(value);
  const auto time = value.get<std::string>();
  if (time.size() < 19) return escaped(time);
  return escaped(time.substr(0, 10) + ' ' + time.substr(11, 8) + " UTC");
}

/// "tile" of [256, 256] is "256 × 256".
std::string setting_text(const Json& value) {
  if (!value.is_array() || value.size() != 2) return text_of(value);
  return fmt::format("{} × {}", text_of(value[0]), text_of(value[1]));
}

std::string row_of(const std::vector<std::string>& cells, const char* tag = "td") {
  std::string row = "<tr>";
  for (const std::string& cell : cells) row += fmt::format("<{0}>{1}</{0}>", tag, cell);
  return row + "</tr>\n";
}

std::string table_of(const std::vector<std::string>& header, const std::string& rows,
                     const char* css_class = "") {
  return fmt::format(
      "<div class=\"scroll\"><table class=\"{}\"><thead>{}</thead><tbody>\n{}</tbody></table>"
      "</div>\n",
      css_class, row_of(header, "th"), rows);
}

std::string section_of(std::string_view title, const std::string& contents) {
  return fmt::format("<section><h2>{}</h2>\n{}</section>\n", title, contents);
}

std::string main_figure(std::string_view name, const std::string& value, const std::string& more) {
  return fmt::format("<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>\n", name, value, more);
}

std::string pair_of(std::string_view name, const std::string& value) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>", escaped(name), value);
}

std::string outcome_text(const Json& run) {
  const auto outcome = run.at("outcome").get<std::string>();
  const char* const css_class = outcome == "completed" ? "ok"
                                : outcome == "failed"  ? "bad"
                                                       : "warn";
  return fmt::format("<span class=\"{}\">{}</span>", css_class, escaped(outcome));
}

struct ComparedFigure {
  std::string_view name;
  const char* pointer;
  Notation notation;
};
constexpr auto kCompared = std::to_array<ComparedFigure>({
    {"Best mean Dice", "/best/mean_dice", Notation::score},
    {"Best mean IoU", "/best/mean_iou", Notation::score},
    {"at step", "/best/step", Notation::count},
    {"Last training loss", "/loss", Notation::real},
    {"Peak memory", "/peak_total_bytes", Notation::bytes},
    {"above weights and state", "/peak_bytes", Notation::bytes},
    {"Budget", "/budget_bytes", Notation::bytes},
    {"Step, median", "/seconds_per_step", Notation::milliseconds},
    {"All steps", "/seconds/steps", Notation::seconds},
    {"Steps done", "/steps_done", Notation::count},
    {"Parameters", "/parameters", Notation::count},
});

}  // namespace

std::string figure(const Json& document, const std::string& pointer, Notation notation) {
  const Json::json_pointer place(pointer);
  const bool is_there = document.contains(place) && document.at(place).is_number();
  if (!is_there) return shown(Json(), notation);
  const Json& value = document.at(place);
  return fmt::format("<data value=\"{}\" data-key=\"{}\">{}</data>", value.dump(), pointer,
                     shown(value, notation));
}

std::string comparison(const Json& document) {
  const Json& runs = document.at("runs");
  std::vector<std::string> names = {""}, outcomes = {"Outcome"}, devices = {"Device"};
  for (const Json& run : runs) {
    names.push_back(text_of(run.at("name")));
    outcomes.push_back(outcome_text(run));
    devices.push_back(text_of(run.at("device")));
  }
  std::string rows = row_of(outcomes);
  for (const ComparedFigure& compared : kCompared) {
    std::vector<std::string> cells = {std::string(compared.name)};
    for (std::size_t i = 0; i < runs.size(); ++i)
      cells.push_back(
          figure(document, fmt::format("/runs/{}{}", i, compared.pointer), compared.notation));
    rows += row_of(cells);
  }
  rows += row_of(devices);
  for (const Json& key : document.at("settings_that_differ")) {
    std::vector<std::string> cells = {"Setting " + text_of(key)};
    for (const Json& run : runs)
      cells.push_back(setting_text(run.at("settings").at(key.get<std::string>())));
    rows += row_of(cells);
  }
  return section_of("Comparison", table_of(names, rows));
}

ReportTables::ReportTables(const Json& document, std::size_t index)
    : document_(document),
      run_(document.at("runs").at(index)),
      root_(fmt::format("/runs/{}", index)) {}

std::string ReportTables::at(const std::string& pointer, Notation notation) const {
  return figure(document_, root_ + pointer, notation);
}

std::string ReportTables::notes() const {
  std::string notes;
  if (const Json& error = run_.at("error"); !error.is_null()) {
    notes += fmt::format("<p class=\"note bad\">Failed while {}: {}. {}</p>\n",
                         text_of(error.at("attempted")), text_of(error.at("subject")),
                         text_of(error.at("remedy")));
  }
  if (run_.at("steps_done") == 0) notes += "<p class=\"note\">No step is recorded yet.</p>\n";
  for (const Json& gap : run_.at("missing"))
    notes += fmt::format("<p class=\"note\">{} {}.</p>\n", text_of(gap.at("file")),
                         text_of(gap.at("problem")));
  return notes;
}

std::string ReportTables::overview() const {
  std::string resumed;
  const std::size_t resumes = run_.at("resumed_after").size();
  for (std::size_t i = 0; i < resumes; ++i)
    resumed += (i == 0 ? ", resumed after step " : ", ") +
               at(fmt::format("/resumed_after/{}", i), Notation::count);
  const std::string figures =
      main_figure("Best mean Dice", at("/best/mean_dice", Notation::score),
                  "step " + at("/best/step", Notation::count) + ", mean IoU " +
                      at("/best/mean_iou", Notation::score)) +
      main_figure("Peak memory", at("/peak_total_bytes", Notation::bytes),
                  "budget " + at("/budget_bytes", Notation::bytes)) +
      main_figure("Step, median", at("/seconds_per_step", Notation::milliseconds),
                  at("/seconds/steps", Notation::seconds) + " in all steps") +
      main_figure("Last training loss", at("/loss", Notation::real), "") +
      main_figure("Steps", at("/steps_done", Notation::count),
                  "of " + at("/steps", Notation::count) + resumed) +
      main_figure("Outcome", outcome_text(run_), time_text(run_.at("ended")));
  return fmt::format(
      "<section><h2>{}</h2>\n<p class=\"quiet\">{}</p>\n<dl class=\"figures\">\n{}</dl>\n{}"
      "</section>\n",
      text_of(run_.at("name")), text_of(run_.at("folder")), figures, notes());
}

std::string ReportTables::plans() const {
  const Json& plans = run_.at("plans");
  if (plans.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto value = [&](const char* key, Notation notation) {
      return at(fmt::format("/plans/{}/{}", i, key), notation);
    };
    const Json& letters = plans[i].at("letters");
    rows += row_of(
        {text_of(plans[i].at("plan")), letters == "" ? std::string("start") : text_of(letters),
         value("first_step", Notation::count), value("steps", Notation::count),
         value("tiles_at_once", Notation::count), value("peak_total_bytes", Notation::bytes),
         value("peak_bytes", Notation::bytes), value("seconds_per_step", Notation::milliseconds),
         value("recompute_seconds_per_step", Notation::milliseconds),
         value("of_keep", Notation::ratio)});
  }
  const std::string note =
      "<p class=\"quiet\">Measured: highest peak, median seconds without waiting for data and "
      "without the first step after a change. × Keep compares with the steps of this run that kept "
      "everything.</p>\n";
  return section_of("Plans",
                    table_of({"Plan", "Mark", "From step", "Steps", "Tiles at once", "Peak",
                              "above weights", "Step", "of that recompute", "× Keep"},
                             rows) +
                        note);
}

std::string ReportTables::memory_shortages() const {
  const Json& reliefs = run_.at("out_of_memory");
  if (reliefs.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < reliefs.size(); ++i) {
    const auto value = [&](const char* key, Notation notation) {
      return at(fmt::format("/out_of_memory/{}/{}", i, key), notation);
    };
    const Json& after = reliefs[i].at("after");
    const bool is_same = reliefs[i].at("before") == after;
    const bool is_known = reliefs[i].at("refused_bytes") != 0;
    rows += row_of({text_of(reliefs[i].at("work")), value("step", Notation::count),
                    is_known ? value("refused_bytes", Notation::bytes) : "–",
                    value("budget_bytes", Notation::bytes),
                    is_same ? "free blocks given back" : "another plan",
                    value("after/tiles_at_once", Notation::count)});
  }
  return section_of("Memory was short", table_of({"Repeated", "Step", "Needed at least", "Budget",
                                                  "What was changed", "Tiles at once then"},
                                                 rows));
}

std::string ReportTables::scores() const {
  const Json& best = run_.at("best");
  const char* const which = best.is_null() ? "/last" : "/best";
  const Json& scores = best.is_null() ? run_.at("last") : best;
  if (scores.is_null()) return {};
  std::string rows;
  const std::size_t classes = scores.at("classes").size();
  for (std::size_t i = 0; i < classes; ++i) {
    const std::string root = fmt::format("{}/classes/{}", which, i);
    rows += row_of({text_of(scores.at("classes")[i].at("name")), at(root + "/iou", Notation::score),
                    at(root + "/dice", Notation::score)});
  }
  rows += row_of({"mean", at(fmt::format("{}/mean_iou", which), Notation::score),
                  at(fmt::format("{}/mean_dice", which), Notation::score)});
  const std::string title = fmt::format(
      "Scores by class<span class=\"unit\">{} validation, step {}, {} images</span>",
      best.is_null() ? "last" : "best", at(fmt::format("{}/step", which), Notation::count),
      at(fmt::format("{}/images", which), Notation::count));
  return section_of(title, table_of({"Class", "IoU", "Dice"}, rows));
}

std::string ReportTables::settings() const {
  const Json& settings = run_.at("settings");
  constexpr std::size_t kColumns = 3;
  const std::size_t in_column = (settings.size() + kColumns - 1) / kColumns;
  std::string lists, list;
  std::size_t count = 0;
  for (const auto& [key, value] : settings.items()) {
    list += pair_of(key, setting_text(value));
    if (++count % in_column != 0 && count != settings.size()) continue;
    lists += fmt::format("<dl>{}</dl>\n", std::exchange(list, {}));
  }
  return section_of("Settings", fmt::format("<div class=\"columns\">{}</div>\n", lists));
}

std::string ReportTables::surroundings() const {
  std::string run_facts = pair_of("Device", text_of(run_.at("device"))) +
                          pair_of("Precision", text_of(run_.at("precision"))) +
                          pair_of("Parameters", at("/parameters", Notation::count)) +
                          pair_of("Build", text_of(run_.at("build_commit"))) +
                          pair_of("Began", time_text(run_.at("began"))) +
                          pair_of("Ended", time_text(run_.at("ended")));
  const Json& data = run_.at("data");
  const std::string data_facts = pair_of("Data", text_of(data.at("folder"))) +
                                 pair_of("Layout", text_of(data.at("layout"))) +
                                 pair_of("Samples", at("/data/samples", Notation::count)) +
                                 pair_of("Channels", at("/data/channels", Notation::count)) +
                                 pair_of("Fingerprint", text_of(data.at("fingerprint")));
  std::string environment;
  for (const auto& [key, value] : run_.at("environment").items())
    environment += pair_of(key, text_of(value));
  return section_of(
      "Environment",
      fmt::format("<div class=\"columns\"><dl>{}</dl>\n<dl>{}</dl>\n<dl>{}</dl></div>\n", run_facts,
                  data_facts, environment));
}

}  // namespace headroom::run
