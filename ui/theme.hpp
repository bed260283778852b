#pragma once
// Colours of the dashboard by meaning, dark and light, and the styles of Dear ImGui and ImPlot that
// follow from them. Values; the UI thread.

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/plan/plan.hpp"

namespace headroom::ui {

enum class ThemeKind { dark, light };

struct Theme {
  ThemeKind kind = ThemeKind::dark;
  ImVec4 bg0, bg1, bg2, bg3, bg4;  ///< ground; panels; buttons; hover and tracks; pressed
  ImVec4 line, line2;              ///< hairlines; borders of controls and popups
  ImVec4 text1, text2, text3;      ///< values; names; labels, units and ticks
  ImVec4 accent, fill, on_fill;    ///< selection and measured lines; the primary button, its text
  ImVec4 ok, warn, bad;            ///< always beside an icon or a word
  ImVec4 grid;
  std::array<ImVec4, plan::kPolicies> policy;
  std::array<ImVec4, plan::kPhases> phase;
  std::array<ImVec4, 5> encoder_ramp;  ///< enc1 … enc5
  std::array<ImVec4, 4> decoder_ramp;  ///< dec4 … dec1
  ImVec4 head, other;                  ///< other: weights and optimizer state
  std::array<ImVec4, 3> chart_class;   ///< the first classes in charts
  std::array<ImVec4, 4> speed_ramp;    ///< of a map: fast to slow
};

[[nodiscard]] const Theme& theme_of(ThemeKind kind);

/// The owners of a step timeline: stages enc1 … encN, decN-1 … dec1, then head, then other.
/// Networks of other depths take colours between those of the two ramps.
[[nodiscard]] std::vector<ImVec4> owner_colours(const Theme& theme, std::size_t stages);

/// Of class `id` in charts; beyond the theme's own, hues that keep apart.
[[nodiscard]] ImVec4 chart_class_colour(const Theme& theme, std::size_t id);
/// Of class `id` over images, 0xRRGGBB: alike in both themes.
[[nodiscard]] std::uint32_t overlay_class_colour(std::size_t id);

[[nodiscard]] inline ImU32 packed(const ImVec4& colour) {
  return ImGui::ColorConvertFloat4ToU32(colour);
}
/// Of 0xRRGGBB.
[[nodiscard]] ImVec4 opaque(std::uint32_t rgb);
[[nodiscard]] ImVec4 with_alpha(ImVec4 colour, float alpha);
/// `share` 0: a, 1: b.
[[nodiscard]] ImVec4 mix(const ImVec4& a, const ImVec4& b, float share);
/// White or near black, whichever contrasts more (WCAG 2 relative luminance).
[[nodiscard]] ImVec4 text_on(const ImVec4& ground);

/// 0: fast, 1: slow.
[[nodiscard]] ImVec4 speed_colour(const Theme& theme, float share);

/// Sets the styles of the current ImGui and ImPlot contexts. `scale`: of the monitor.
void apply_style(const Theme& theme, float scale);

}  // namespace headroom::ui
