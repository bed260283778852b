#pragma once
// Comma-separated files as RFC 4180 has them, with '\n' at the ends of lines. No field holds a line
// break. Pure, but for keep_rows.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::run {

/// Quoted where it must be; line breaks become spaces.
[[nodiscard]] std::string csv_field(std::string_view text);
/// The inverse, for one line.
[[nodiscard]] std::vector<std::string> csv_fields(std::string_view line);

/// The lines of a file, the header first, without a torn one at the end; empty where the file is
/// missing.
[[nodiscard]] std::vector<std::string> csv_lines(const std::filesystem::path& file);

/// Drops, atomically, every row whose field `column` is no whole number for which `keep` says true.
/// A missing file stays missing.
void keep_rows(const std::filesystem::path& file, std::size_t column,
               const std::function<bool(std::int64_t)>& keep);

}  // namespace headroom::run
