#pragma once
// The dashboard's fonts: Inter in three weights with digits of equal width, and Material Design
// Icons. Owned by the ImGui context's atlas; the UI thread.

#include <imgui.h>

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::ui {

/// Sizes are ImGui's, which are line heights, in pixels at scale 1.
struct FontSize {
  static constexpr float kLabel = 13;   ///< labels, ticks, legends
  static constexpr float kTable = 14;   ///< tables, log
  static constexpr float kButton = 15;  ///< buttons, chart titles, tabs
  static constexpr float kBody = 16;    ///< body, section titles
  static constexpr float kBrand = 17;
  static constexpr float kFigure = 19;  ///< the figures of Training
  static constexpr float kPlanFigure = 26;
  static constexpr float kHeadline = 34;  ///< first start
};

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* medium = nullptr;
  ImFont* semibold = nullptr;
  ImFont* icons = nullptr;  ///< null: no icon font was found, icons are left out
};

struct FontFiles {
  std::filesystem::path regular{}, medium{}, semibold{}, icons{};
};

/// Where Debian's packages put them.
[[nodiscard]] FontFiles system_font_files();

/// Adds them to the current context's atlas. A text font that is missing is replaced by ImGui's
/// own, and named in `missing`; so is a missing icon font.
[[nodiscard]] Fonts load_fonts(const FontFiles& files, std::vector<std::string>& missing);

}  // namespace headroom::ui
