#include "ui/finding_lines.hpp"

#include <fmt/format.h>

namespace headroom::ui {
namespace {

/// Findings of a damaged snapshot may have any number there.
std::size_t index_of(base::Severity severity) {
  const auto index = static_cast<std::size_t>(severity);
  return index < kSeverities ? index : 0;
}

}  // namespace

SeverityCounts count_findings(std::span<const base::Finding> findings) {
  SeverityCounts counts{};
  for (const base::Finding& finding : findings) ++counts[index_of(finding.severity)];
  return counts;
}

std::vector<std::size_t> shown_findings(std::span<const base::Finding> findings,
                                        const SeverityFilter& filter) {
  std::vector<std::size_t> shown;
  for (std::size_t severity = kSeverities; severity-- > 0;) {
    if (!filter[severity]) continue;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (index_of(findings[i].severity) == severity) shown.push_back(i);
    }
  }
  return shown;
}

std::string count_of_severity(base::Severity severity, std::int64_t count) {
  constexpr std::array<const char*, kSeverities> kNames = {"note", "warning", "error"};
  return fmt::format("{} {}{}", count, kNames[index_of(severity)], count == 1 ? "" : "s");
}

std::string copied_findings(std::span<const base::Finding> findings,
                            std::span<const std::size_t> shown) {
  std::string text;
  for (const std::size_t index : shown) {
    const base::Finding& finding = findings[index];
    text += fmt::format("{}  {}  {}{}\n", base::name_of(finding.severity), finding.code,
                        finding.file.empty() ? "" : finding.file + ": ", finding.message);
  }
  return text;
}

}  // namespace headroom::ui
