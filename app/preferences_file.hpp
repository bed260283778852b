#pragma once
// The dashboard's preferences on disk: one small JSON file in the program's home. Any one thread.

#include <filesystem>

#include "ui/frame.hpp"

namespace headroom::app {

/// What the file says; defaults for what it does not say, or where there is no file that can be
/// read: a preference is never worth an error.
[[nodiscard]] ui::Preferences load_preferences(const std::filesystem::path& file);

/// Throws base::Error (io).
void save_preferences(const std::filesystem::path& file, const ui::Preferences& preferences);

}  // namespace headroom::app
