#include "core/run/csv.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/base/atomic_file.hpp"
#include "core/base/text_number.hpp"

namespace headroom::run {

std::string csv_field(std::string_view text) {
  std::string field(text);
  std::replace_if(
      field.begin(), field.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"') {
      // Two quotes inside a quoted field are one that belongs to it.
      const bool is_pair = quoted && i + 1 < line.size() && line[i + 1] == '"';
      if (is_pair) {
        fields.back() += '"';
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::vector<std::string> csv_lines(const std::filesystem::path& file) {
  std::error_code problem;
  if (!std::filesystem::exists(file, problem) && !problem) return {};
  const std::string text = base::read_file(file);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  return lines;
}

void keep_rows(const std::filesystem::path& file, std::size_t column,
               const std::function<bool(std::int64_t)>& keep) {
  const std::vector<std::string> lines = csv_lines(file);
  if (lines.empty()) return;
  std::string kept = lines.front() + '\n';
  bool dropped = false;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> fields = csv_fields(lines[i]);
    const std::optional<std::int64_t> value =
        column < fields.size() ? base::parse_integer(fields[column]) : std::nullopt;
    if (value && keep(*value)) {
      kept += lines[i] + '\n';
    } else {
      dropped = true;
    }
  }
  if (dropped) base::write_file_atomically(file, kept);
}

}  // namespace headroom::run
