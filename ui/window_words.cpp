#include "ui/window_words.hpp"

#include <algorithm>

namespace headroom::ui {
namespace {

bool goes_on(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

/// The label of the setting whose flag is `flag`; the flag where there is none.
std::string label_of_flag(std::string_view flag) {
  const auto rows = base::settings_schema();
  const auto row = std::ranges::find(rows, flag, &base::SettingRow::flag);
  return row == rows.end() ? std::string(flag) : setting_label(*row);
}

}  // namespace

std::string setting_label(const base::SettingRow& row) {
  if (row.key == "lr") return "learning rate";
  std::string label(row.flag.substr(2));
  std::replace(label.begin(), label.end(), '-', ' ');
  return label;
}

std::string window_words(std::string_view words) {
  std::string text;
  for (std::size_t at = 0; at < words.size();) {
    const bool is_flag = words.substr(at).starts_with("--") && (at == 0 || words[at - 1] == ' ');
    if (!is_flag) {
      text += words[at++];
      continue;
    }
    const auto end =
        std::find_if_not(words.begin() + static_cast<std::ptrdiff_t>(at), words.end(), goes_on);
    const auto length = static_cast<std::size_t>(end - words.begin()) - at;
    text += label_of_flag(words.substr(at, length));
    at += length;
  }
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace headroom::ui
