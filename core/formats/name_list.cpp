#include "core/formats/name_list.hpp"

#include <sstream>
#include <string_view>
#include <system_error>

#include "core/base/atomic_file.hpp"

namespace headroom::formats {

std::optional<std::vector<std::string>> read_name_list(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure)) return std::nullopt;
  std::string text = base::read_file(file);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  std::vector<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string::npos) continue;
    names.push_back(line.substr(first, line.find_last_not_of(kBlanks) - first + 1));
  }
  return names;
}

}  // namespace headroom::formats
