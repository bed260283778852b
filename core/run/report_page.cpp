#include "core/run/report_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/run/markup.hpp"
#include "core/run/report_charts.hpp"
#include "core/run/report_style.hpp"
#include "core/run/report_tables.hpp"

namespace headroom::run {
namespace {

using Json = nlohmann::ordered_json;

std::string legend_entry(std::string_view css_class, std::string_view name) {
  return fmt::format("<span><i class=\"{}\"></i>{}</span>", css_class, escaped(name));
}

struct ChartCaption {
  std::string_view title{}, unit{};
  std::string legend{};
  std::string_view css_class{};
};

/// Nothing where there is no chart.
std::string figure_of(const ChartCaption& caption, const std::string& svg) {
  if (svg.empty()) return {};
  return fmt::format(
      "<figure class=\"{}\"><figcaption><h3>{}<span class=\"unit\">{}</span></h3>"
      "<div class=\"legend\">{}</div></figcaption>\n{}</figure>\n",
      caption.css_class, caption.title, caption.unit, caption.legend, svg);
}

std::string class_legend(const Json& run) {
  std::string legend = legend_entry("mean", "mean");
  std::size_t id = 0;
  for (const Json& name : run.at("data").at("classes"))
    legend += legend_entry(class_style(id++), name.get<std::string>());
  return legend;
}

std::string memory_unit(const Json& run) {
  const std::string text = shown(run.at("peak_total_bytes"), Notation::bytes);
  return text.substr(text.find(' ') + 1) + ", weights and optimizer state included";
}

std::string charts(const Json& run) {
  const std::string losses = legend_entry("training", "training (mean and range)") +
                             legend_entry("validation", "validation");
  const std::string phases =
      legend_entry("phase-forward", "forward") + legend_entry("phase-backward", "backward") +
      legend_entry("phase-recompute", "recompute") + legend_entry("phase-optimizer", "optimizer") +
      legend_entry("phase-data", "data, loss and other");
  const bool has_marks = !run.at("plan_changes").empty();
  const std::string marks =
      has_marks ? "<span>A, B, …: the plan changed, red where memory was short</span>" : "";
  const std::string figures =
      figure_of({"Loss", "", losses, ""}, loss_chart(run)) +
      figure_of({"Dice", "validation", class_legend(run), ""}, dice_chart(run)) +
      figure_of({"Peak memory", memory_unit(run), marks, "wide"}, peak_memory_chart(run)) +
      figure_of({"Step time", "ms", phases, "wide"}, step_time_chart(run));
  if (figures.empty()) return {};
  return fmt::format("<section><h2>Training</h2>\n<div class=\"charts\">\n{}</div></section>\n",
                     figures);
}

/// The pictures that were taken in; nothing where there are none.
std::string pictures(const RunReport& run) {
  if (run.pictures.empty()) return {};
  std::string figures;
  for (const ReportPicture& picture : run.pictures) {
    figures += fmt::format(
        "<figure><img alt=\"Image, truth and prediction\" width=\"{}\" height=\"{}\" src=\"{}\"/>"
        "<figcaption class=\"quiet\">{}</figcaption></figure>\n",
        picture.width, picture.height, jpeg_address(picture.jpeg), escaped(picture.file));
  }
  return fmt::format(
      "<section><h2>Sample predictions<span class=\"unit\">image, truth, prediction</span></h2>\n"
      "<div class=\"pictures\">\n{}</div></section>\n",
      figures);
}

std::string title_of(const Json& document) {
  const Json& runs = document.at("runs");
  if (runs.size() == 1) return escaped(runs[0].at("name").get<std::string>());
  return fmt::format("{} runs compared", runs.size());
}

std::string page_head(const std::string& title) {
  return fmt::format(
      "{}<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{} – Headroom report</title>\n<style>{}</style>\n</head>\n",
      kPageBegin, title, kReportStyle);
}

std::string run_sections(const Json& document, std::size_t index, const RunReport& run) {
  const ReportTables tables(document, index);
  const Json& values = document.at("runs").at(index);
  std::string sections = tables.overview();
  sections += charts(values);
  sections += tables.plans();
  sections += tables.memory_shortages();
  sections += tables.scores();
  sections += pictures(run);
  return sections + tables.settings() + tables.surroundings();
}

}  // namespace

std::string report_page(const Json& document, std::span<const RunReport> runs) {
  const std::string title = title_of(document);
  std::string page = page_head(title);
  page += fmt::format(
      "<body>\n<main>\n<header><p class=\"brand\">Headroom report</p><h1>{}</h1>"
      "<p class=\"quiet\">Written {}</p></header>\n",
      title, escaped(document.at("written").get<std::string>()));
  if (runs.size() > 1) page += comparison(document);
  for (std::size_t i = 0; i < runs.size(); ++i) page += run_sections(document, i, runs[i]);
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace headroom::run
