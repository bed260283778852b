#include "ui/chip.hpp"

#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kHeight = 24, kPadding = 8, kMark = 16, kGap = 4;
constexpr TextStyle kWord{.size = FontSize::kLabel, .weight = Weight::medium};

}  // namespace

float chip_width(const Frame& frame, const ChipLook& look) {
  return text_size(frame, look.label, kWord).x + frame.px(2 * kPadding + kMark + kGap);
}

bool chip(const Frame& frame, const char* name, const ChipLook& look, bool& is_on) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + chip_width(frame, look), min.y + frame.px(kHeight)};
  const Hit hit = hit_area(frame, name, min, max, look.label);
  tooltip(frame, look.tooltip);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_on || hit.hovered) {
    list.AddRectFilled(min, max, packed(hit.hovered ? frame.theme.bg3 : frame.theme.bg2),
                       frame.px(6));
  }
  const ImVec4 colour = is_on ? look.colour : with_alpha(look.colour, 0.35F);
  const ImVec2 mark{min.x + frame.px(kPadding + kMark / 2), (min.y + max.y) / 2};
  if (look.icon != nullptr) {
    draw_icon(frame, list, mark, look.icon, 16, colour);
  } else {
    const float half = frame.px(5);
    list.AddRectFilled({mark.x - half, mark.y - half}, {mark.x + half, mark.y + half},
                       packed(colour), frame.px(2));
  }
  TextStyle style = kWord;
  style.colour = is_on ? frame.theme.text1 : frame.theme.text3;
  draw_text(frame, list,
            {min.x + frame.px(kPadding + kMark + kGap), mark.y - frame.px(style.size) / 2},
            look.label, style);
  ImGui::SetCursorScreenPos({max.x + frame.px(4), min.y});
  if (hit.pressed) is_on = !is_on;
  return hit.pressed;
}

}  // namespace headroom::ui
