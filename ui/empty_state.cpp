#include "ui/empty_state.hpp"

#include <algorithm>

#include "ui/widgets.hpp"

namespace headroom::ui {

void draw_empty_state(const Frame& frame, const char* name, const char* icon,
                      std::string_view sentence) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < frame.px(40) || room.y < frame.px(40)) {
    ImGui::Dummy({1, 1});
    return;
  }
  constexpr float kWidest = 480;
  const float width = std::min(room.x, frame.px(kWidest));
  ImFont* const font = frame.fonts.regular;
  const float size = frame.px(FontSize::kTable);
  const char* const begin = sentence.data();
  const char* const end = begin + sentence.size();
  const ImVec2 text = font->CalcTextSizeA(size, FLT_MAX, width, begin, end);
  const float middle = at.y + room.y / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_icon(frame, list, {at.x + room.x / 2, middle - frame.px(20)}, icon, 28, frame.theme.text3);
  list.AddText(font, size, {at.x + (room.x - text.x) / 2, middle + frame.px(4)},
               packed(frame.theme.text2), begin, end, width);
  frame.record(name, at, {at.x + room.x, at.y + room.y}, true, sentence);
  ImGui::Dummy(room);
}

}  // namespace headroom::ui
