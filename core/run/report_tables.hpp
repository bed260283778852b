#pragma once
// The sections of a report's page that are figures and tables, as HTML. Pure; any thread.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/run/markup.hpp"

namespace headroom::run {

/// <data value="…" data-key="POINTER">…</data> of the number that the JSON pointer leads to; an en
/// dash where there is none.
[[nodiscard]] std::string figure(const nlohmann::ordered_json& document, const std::string& pointer,
                                 Notation notation);

/// Figures of all runs side by side, and the settings that differ.
[[nodiscard]] std::string comparison(const nlohmann::ordered_json& document);

/// Of one run. A table that would be empty is an empty text.
class ReportTables {
 public:
  ReportTables(const nlohmann::ordered_json& document, std::size_t index);

  /// Title, outcome, the main figures, and what is missing.
  [[nodiscard]] std::string overview() const;
  [[nodiscard]] std::string plans() const;
  [[nodiscard]] std::string memory_shortages() const;
  [[nodiscard]] std::string scores() const;
  [[nodiscard]] std::string settings() const;
  /// Device, data, environment.
  [[nodiscard]] std::string surroundings() const;

 private:
  /// The figure at a pointer that begins at the run.
  [[nodiscard]] std::string at(const std::string& pointer, Notation notation) const;
  [[nodiscard]] std::string notes() const;

  const nlohmann::ordered_json& document_;
  const nlohmann::ordered_json& run_;
  std::string root_;  ///< pointer to the run
};

}  // namespace headroom::run
