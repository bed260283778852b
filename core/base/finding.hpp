#pragma once
// What a check of data or settings found. Questions return all of them; operations throw
// base::Error.

#include <string>
#include <vector>

namespace headroom::base {

enum class Severity { info, warning, error };

[[nodiscard]] const char* name_of(Severity severity);

struct Finding {
  Severity severity = Severity::info;
  std::string code{};     ///< stable and short, for tests and filters: "mask-size-differs"
  std::string file{};     ///< path relative to the data folder; empty when it concerns the whole
  std::string message{};  ///< what was found, with the value, and what to do

  friend bool operator==(const Finding&, const Finding&) = default;
};

}  // namespace headroom::base
