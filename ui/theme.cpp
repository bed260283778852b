#include "ui/theme.hpp"

#include <implot.h>

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr ImVec4 rgb(std::uint32_t value) {
  return {static_cast<float>(value >> 16 & 0xFF) / 255.0F,
          static_cast<float>(value >> 8 & 0xFF) / 255.0F, static_cast<float>(value & 0xFF) / 255.0F,
          1.0F};
}

constexpr Theme make_dark() {
  return {
      .kind = ThemeKind::dark,
      .bg0 = rgb(0x090B0E),
      .bg1 = rgb(0x111419),
      .bg2 = rgb(0x191D24),
      .bg3 = rgb(0x222831),
      .bg4 = rgb(0x2C343F),
      .line = rgb(0x232932),
      .line2 = rgb(0x38414D),
      .text1 = rgb(0xE9EDF3),
      .text2 = rgb(0xA8B1BE),
      .text3 = rgb(0x8A94A2),
      .accent = rgb(0x6AA6FF),
      .fill = rgb(0x2F6BE4),
      .on_fill = rgb(0xFFFFFF),
      .ok = rgb(0x45C486),
      .warn = rgb(0xF7C948),
      .bad = rgb(0xFF7373),
      .grid = rgb(0x1E242C),
      .policy = {rgb(0x6C7D9C), rgb(0x35CDB8), rgb(0xF2994A), rgb(0xAE90FC)},
      .phase = {rgb(0x8593A6), rgb(0x79B8FF), rgb(0xE58AA0), rgb(0x5B5BD0), rgb(0xF2994A),
                rgb(0x3FBF8F), rgb(0x8A94A2), rgb(0x4A5462)},
      .encoder_ramp = {rgb(0x2B63C9), rgb(0x3C82E6), rgb(0x4FA0F0), rgb(0x6CBEF2), rgb(0x8FDDE3)},
      .decoder_ramp = {rgb(0xF3E3BE), rgb(0xE2C486), rgb(0xC8A158), rgb(0x9F7A3A)},
      .head = rgb(0xE58AA0),
      .other = rgb(0x4A5462),
      .chart_class = {rgb(0x4CC9F0), rgb(0xFFD166), rgb(0xF472B6)},
      .speed_ramp = {rgb(0x9FE8DC), rgb(0x3FA9B8), rgb(0x2A6C9E), rgb(0x2A3B7A)}};
}

constexpr Theme make_light() {
  return {
      .kind = ThemeKind::light,
      .bg0 = rgb(0xE6E9EE),
      .bg1 = rgb(0xFFFFFF),
      .bg2 = rgb(0xF3F5F8),
      .bg3 = rgb(0xE9EDF2),
      .bg4 = rgb(0xDCE2EA),
      .line = rgb(0xE2E6EC),
      .line2 = rgb(0xC3CAD4),
      .text1 = rgb(0x15191F),
      .text2 = rgb(0x475160),
      .text3 = rgb(0x5F6A79),
      .accent = rgb(0x1F63DB),
      .fill = rgb(0x1F63DB),
      .on_fill = rgb(0xFFFFFF),
      .ok = rgb(0x12804F),
      .warn = rgb(0x986000),
      .bad = rgb(0xC9303B),
      .grid = rgb(0xECEFF3),
      .policy = {rgb(0x7C8CA8), rgb(0x0A8478), rgb(0xDF7A1F), rgb(0x7C57E0)},
      .phase = {rgb(0x97A3B4), rgb(0x6FB0F5), rgb(0xD4677F), rgb(0x4B48B4), rgb(0xDF7A1F),
                rgb(0x2A9D74), rgb(0x5F6A79), rgb(0xAAB4C2)},
      .encoder_ramp = {rgb(0x1E4FA8), rgb(0x2F6FD0), rgb(0x4A8FE6), rgb(0x74B2F0), rgb(0x7CCBD2)},
      .decoder_ramp = {rgb(0xE8D3A6), rgb(0xD0AE6E), rgb(0xAE8742), rgb(0x7E6026)},
      .head = rgb(0xD4677F),
      .other = rgb(0xAAB4C2),
      .chart_class = {rgb(0x0E8FC0), rgb(0xC58A00), rgb(0xD0367F)},
      .speed_ramp = {rgb(0xD6F3EE), rgb(0x6CC5CB), rgb(0x2E86B5), rgb(0x1E4E86)}};
}

constexpr Theme kDark = make_dark();
constexpr Theme kLight = make_light();

constexpr std::array<std::uint32_t, 3> kOverlay = {0x3FD0FF, 0xFFE066, 0xFF5FB0};

/// The golden angle keeps any number of hues apart.
ImVec4 spread_hue(std::size_t index, float saturation, float value) {
  ImVec4 colour{0, 0, 0, 1};
  const float hue = std::fmod(0.38F + 0.618034F * static_cast<float>(index), 1.0F);
  ImGui::ColorConvertHSVtoRGB(hue, saturation, value, colour.x, colour.y, colour.z);
  return colour;
}

/// `position` 0 … 1 along the ramp.
template <std::size_t N>
ImVec4 on_ramp(const std::array<ImVec4, N>& ramp, float position) {
  const float place = std::clamp(position, 0.0F, 1.0F) * static_cast<float>(N - 1);
  const auto below = std::min(static_cast<std::size_t>(place), N - 2);
  return mix(ramp[below], ramp[below + 1], place - static_cast<float>(below));
}

float linear(float channel) {
  return channel <= 0.04045F ? channel / 12.92F : std::pow((channel + 0.055F) / 1.055F, 2.4F);
}

float luminance(const ImVec4& colour) {
  return 0.2126F * linear(colour.x) + 0.7152F * linear(colour.y) + 0.0722F * linear(colour.z);
}

void set_sizes(ImGuiStyle& style) {
  style.WindowPadding = {16, 12};
  style.FramePadding = {10, 6};
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {8, 4};
  style.WindowRounding = style.ChildRounding = style.PopupRounding = 8;
  style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = style.TabRounding = 6;
  style.WindowBorderSize = style.PopupBorderSize = 1;
  style.FrameBorderSize = style.ChildBorderSize = style.TabBorderSize = 0;
  style.TabBarBorderSize = style.TabBarOverlineSize = 0;
  style.ScrollbarSize = 10;
  style.ScrollbarPadding = 2;
  style.DockingSeparatorSize = 8;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.DockingNodeHasCloseButton = false;
  style.TabCloseButtonMinWidthSelected = style.TabCloseButtonMinWidthUnselected = FLT_MAX;
  style.CircleTessellationMaxError = 0.2F;
}

void set_colours(ImGuiStyle& style, const Theme& theme) {
  auto* const colour = style.Colors;
  const ImVec4 clear{0, 0, 0, 0};
  colour[ImGuiCol_Text] = theme.text1;
  colour[ImGuiCol_TextDisabled] = theme.text3;
  colour[ImGuiCol_WindowBg] = colour[ImGuiCol_PopupBg] = theme.bg1;
  colour[ImGuiCol_ChildBg] = clear;
  colour[ImGuiCol_Border] = theme.line2;
  colour[ImGuiCol_BorderShadow] = clear;
  colour[ImGuiCol_FrameBg] = theme.bg2;
  colour[ImGuiCol_FrameBgHovered] = theme.bg3;
  colour[ImGuiCol_FrameBgActive] = theme.bg4;
  for (const int tab :
       {ImGuiCol_Tab, ImGuiCol_TabSelected, ImGuiCol_TabDimmed, ImGuiCol_TabDimmedSelected,
        ImGuiCol_TitleBg, ImGuiCol_TitleBgActive, ImGuiCol_TitleBgCollapsed, ImGuiCol_MenuBarBg}) {
    colour[tab] = theme.bg1;
  }
  colour[ImGuiCol_TabHovered] = theme.bg3;
  colour[ImGuiCol_TabSelectedOverline] = colour[ImGuiCol_TabDimmedSelectedOverline] = clear;
  colour[ImGuiCol_ScrollbarBg] = clear;
  colour[ImGuiCol_ScrollbarGrab] = theme.bg3;
  colour[ImGuiCol_ScrollbarGrabHovered] = colour[ImGuiCol_ScrollbarGrabActive] = theme.bg4;
  colour[ImGuiCol_CheckMark] = colour[ImGuiCol_SliderGrab] = theme.accent;
  colour[ImGuiCol_SliderGrabActive] = theme.accent;
  colour[ImGuiCol_Button] = theme.bg2;
  colour[ImGuiCol_ButtonHovered] = theme.bg3;
  colour[ImGuiCol_ButtonActive] = theme.bg4;
  colour[ImGuiCol_Header] = with_alpha(theme.accent, 0.12F);
  colour[ImGuiCol_HeaderHovered] = theme.bg2;
  colour[ImGuiCol_HeaderActive] = theme.bg3;
  colour[ImGuiCol_Separator] = theme.line;
  colour[ImGuiCol_SeparatorHovered] = colour[ImGuiCol_SeparatorActive] = theme.accent;
  colour[ImGuiCol_ResizeGrip] = clear;
  colour[ImGuiCol_ResizeGripHovered] = colour[ImGuiCol_ResizeGripActive] = theme.bg4;
  colour[ImGuiCol_DockingPreview] = with_alpha(theme.accent, 0.35F);
  colour[ImGuiCol_DockingEmptyBg] = theme.bg0;
  colour[ImGuiCol_TableHeaderBg] = clear;
  colour[ImGuiCol_TableBorderStrong] = colour[ImGuiCol_TableBorderLight] = theme.line;
  colour[ImGuiCol_TableRowBg] = colour[ImGuiCol_TableRowBgAlt] = clear;
  colour[ImGuiCol_TextSelectedBg] = with_alpha(theme.accent, 0.35F);
  colour[ImGuiCol_NavCursor] = theme.accent;
  colour[ImGuiCol_ModalWindowDimBg] = with_alpha(theme.bg0, 0.6F);
}

void set_plot_style(const Theme& theme) {
  ImPlotStyle& style = ImPlot::GetStyle();
  style = ImPlotStyle();
  style.PlotBorderSize = 0;
  style.PlotPadding = {4, 6};
  style.LabelPadding = {6, 4};
  style.MajorTickLen = style.MinorTickLen = {0, 0};
  style.MinorAlpha = 1;
  style.MinorGridSize = {1, 1};
  style.PlotMinSize = {60, 40};
  const ImVec4 clear{0, 0, 0, 0};
  auto* const colour = style.Colors;
  for (const int ground : {ImPlotCol_FrameBg, ImPlotCol_PlotBg, ImPlotCol_AxisBg,
                           ImPlotCol_AxisBgHovered, ImPlotCol_AxisBgActive, ImPlotCol_PlotBorder}) {
    colour[ground] = clear;
  }
  colour[ImPlotCol_AxisText] = theme.text3;
  colour[ImPlotCol_AxisGrid] = theme.grid;
  colour[ImPlotCol_AxisTick] = theme.grid;
}

}  // namespace

const Theme& theme_of(ThemeKind kind) { return kind == ThemeKind::dark ? kDark : kLight; }

ImVec4 opaque(std::uint32_t value) { return rgb(value); }

ImVec4 with_alpha(ImVec4 colour, float alpha) {
  colour.w *= alpha;
  return colour;
}

ImVec4 mix(const ImVec4& a, const ImVec4& b, float share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share, a.z + (b.z - a.z) * share,
          a.w + (b.w - a.w) * share};
}

ImVec4 text_on(const ImVec4& ground) {
  constexpr ImVec4 kInk = rgb(0x0B0E12);
  const float light = luminance(ground);
  const float with_white = 1.05F / (light + 0.05F);
  const float with_ink = (light + 0.05F) / (luminance(kInk) + 0.05F);
  return with_white >= with_ink ? ImVec4{1, 1, 1, 1} : kInk;
}

std::vector<ImVec4> owner_colours(const Theme& theme, std::size_t stages) {
  const std::size_t levels = (stages + 1) / 2;
  const auto position = [](std::size_t index, std::size_t count) {
    return count < 2 ? 0.0F : static_cast<float>(index) / static_cast<float>(count - 1);
  };
  std::vector<ImVec4> colours;
  for (std::size_t i = 0; i < levels; ++i) {
    colours.push_back(on_ramp(theme.encoder_ramp, position(i, levels)));
  }
  const std::size_t decoders = stages - levels;
  for (std::size_t i = 0; i < decoders; ++i) {
    // A single decoder stage is dec1, the ramp's dark end.
    colours.push_back(on_ramp(theme.decoder_ramp, decoders == 1 ? 1.0F : position(i, decoders)));
  }
  colours.push_back(theme.head);
  colours.push_back(theme.other);
  return colours;
}

ImVec4 chart_class_colour(const Theme& theme, std::size_t id) {
  if (id < theme.chart_class.size()) return theme.chart_class[id];
  const bool dark = theme.kind == ThemeKind::dark;
  return spread_hue(id - theme.chart_class.size(), dark ? 0.5F : 0.8F, dark ? 0.95F : 0.6F);
}

std::uint32_t overlay_class_colour(std::size_t id) {
  if (id < kOverlay.size()) return kOverlay[id];
  const ImVec4 colour = spread_hue(id - kOverlay.size(), 0.65F, 1.0F);
  const auto byte = [](float channel) {
    return static_cast<std::uint32_t>(std::lround(channel * 255.0F));
  };
  return byte(colour.x) << 16 | byte(colour.y) << 8 | byte(colour.z);
}

ImVec4 speed_colour(const Theme& theme, float share) { return on_ramp(theme.speed_ramp, share); }

void apply_style(const Theme& theme, float scale) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_sizes(style);
  set_colours(style, theme);
  style.ScaleAllSizes(scale);
  style.FontScaleDpi = scale;
  set_plot_style(theme);
}

}  // namespace headroom::ui
