#pragma once
// Words for a window where the same words serve a terminal. No drawing; any thread.

#include <string>
#include <string_view>

#include "core/base/settings_schema.hpp"

namespace headroom::ui {

/// "base channels" of the setting with the flag "--base-channels".
[[nodiscard]] std::string setting_label(const base::SettingRow& row);

/// An error's words as sentences of a window: they begin with a capital, and settings have the
/// names of their fields: "try a smaller --tile" is "Try a smaller tile".
[[nodiscard]] std::string window_words(std::string_view words);

}  // namespace headroom::ui
