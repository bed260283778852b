#pragma once
// Scores and tables as a person reads them. The same in every locale. Pure; any thread.

#include <string>
#include <vector>

namespace headroom::app {

/// Three digits behind the point; "-" for NaN.
[[nodiscard]] std::string format_score(double score);

/// With digits enough to compare plans: "48.3 ms", "152.1 ms", "1.380 s".
[[nodiscard]] std::string format_step_time(double seconds);

/// Lines of cells with columns aligned: the first to the left, the others to the right. Columns
/// count code points of UTF-8.
[[nodiscard]] std::string format_table(const std::vector<std::vector<std::string>>& rows);

/// "keep,full" -> {"keep", "full"}; empty parts stay.
[[nodiscard]] std::vector<std::string> split_list(const std::string& text);

}  // namespace headroom::app
