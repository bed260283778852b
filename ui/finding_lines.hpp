#pragma once
// Which findings a person wants to see, and as text. Pure; any thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/finding.hpp"

namespace headroom::ui {

inline constexpr std::size_t kSeverities = 3;
/// By severity: how many, or whether they are shown.
using SeverityCounts = std::array<std::int64_t, kSeverities>;
using SeverityFilter = std::array<bool, kSeverities>;

[[nodiscard]] SeverityCounts count_findings(std::span<const base::Finding> findings);

/// Indices of those that pass: errors first, then warnings, then notes; in their order each.
[[nodiscard]] std::vector<std::size_t> shown_findings(std::span<const base::Finding> findings,
                                                      const SeverityFilter& filter);

/// "1 error", "3 warnings", "2 notes".
[[nodiscard]] std::string count_of_severity(base::Severity severity, std::int64_t count);

/// One line each: severity, code, file where there is one, and message.
[[nodiscard]] std::string copied_findings(std::span<const base::Finding> findings,
                                          std::span<const std::size_t> shown);

}  // namespace headroom::ui
