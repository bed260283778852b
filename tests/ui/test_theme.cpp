// Colours against contrast computed with WCAG 2's formulas.
#include "ui/theme.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace headroom::ui {
namespace {

double channel(double value) {
  return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double contrast(const ImVec4& a, const ImVec4& b) {
  const auto luminance = [](const ImVec4& c) {
    return 0.2126 * channel(c.x) + 0.7152 * channel(c.y) + 0.0722 * channel(c.z);
  };
  const double x = luminance(a);
  const double y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Theme, TextOnPanelsAndControls_HasAContrastOfAtLeast4Point5) {
  for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
    const Theme& theme = theme_of(kind);
    for (const ImVec4& text : {theme.text1, theme.text2, theme.text3}) {
      for (const ImVec4& ground : {theme.bg1, theme.bg2, theme.bg3}) {
        EXPECT_GE(contrast(text, ground), 4.5);
      }
    }
    EXPECT_GE(contrast(theme.on_fill, theme.fill), 4.5);
  }
}

TEST(Theme, TextOnAnyGround_IsTheOneThatContrastsMore) {
  EXPECT_EQ(text_on(ImVec4{1, 1, 0.6F, 1}).x, text_on(ImVec4{1, 1, 1, 1}).x);
  EXPECT_EQ(text_on(ImVec4{0.1F, 0.1F, 0.5F, 1}).x, 1.0F);
  EXPECT_LT(text_on(ImVec4{1, 1, 1, 1}).x, 0.1F);
}

TEST(OwnerColours, FiveLevels_AreTheRampsThemselves) {
  const Theme& theme = theme_of(ThemeKind::dark);
  const auto colours = owner_colours(theme, 9);
  ASSERT_EQ(colours.size(), 11U);
  EXPECT_EQ(packed(colours[0]), packed(theme.encoder_ramp[0]));
  EXPECT_EQ(packed(colours[4]), packed(theme.encoder_ramp[4]));
  EXPECT_EQ(packed(colours[5]), packed(theme.decoder_ramp[0]));
  EXPECT_EQ(packed(colours[8]), packed(theme.decoder_ramp[3]));
  EXPECT_EQ(packed(colours[10]), packed(theme.other));
}

TEST(OwnerColours, OtherDepths_BeginAndEndAsTheRampsDo) {
  const Theme& theme = theme_of(ThemeKind::light);
  for (const std::size_t stages : {std::size_t{3}, std::size_t{5}, std::size_t{13}}) {
    const auto colours = owner_colours(theme, stages);
    ASSERT_EQ(colours.size(), stages + 2);
    EXPECT_EQ(packed(colours[0]), packed(theme.encoder_ramp.front()));
    EXPECT_EQ(packed(colours[stages - 1]), packed(theme.decoder_ramp.back()));
  }
}

}  // namespace
}  // namespace headroom::ui
