#include "ui/image_canvas.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "ui/icons.hpp"
#include "ui/preview_picture.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kSlider = 72;

Extent extent_of(const PixelBox& area) {
  return {static_cast<double>(area.max.x - area.min.x),
          static_cast<double>(area.max.y - area.min.y)};
}

/// Zooming and fitting by keys, while the image has the focus.
void move_by_keys(CanvasState& state, const Extent& panel) {
  constexpr double kStep = 1.25;
  const Point middle{panel.width / 2, panel.height / 2};
  if (ImGui::IsKeyPressed(ImGuiKey_Equal) || ImGui::IsKeyPressed(ImGuiKey_KeypadAdd))
    zoom_at(state.view, kStep, middle, state.shown, panel);
  if (ImGui::IsKeyPressed(ImGuiKey_Minus) || ImGui::IsKeyPressed(ImGuiKey_KeypadSubtract))
    zoom_at(state.view, 1 / kStep, middle, state.shown, panel);
  if (ImGui::IsKeyPressed(ImGuiKey_0) || ImGui::IsKeyPressed(ImGuiKey_Keypad0))
    state.view.fits = true;
}

void move_view(CanvasState& state, const PixelBox& area, const Hit& hit) {
  const Extent panel = extent_of(area);
  const ImGuiIO& io = ImGui::GetIO();
  if (hit.held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    pan(state.view, {io.MouseDelta.x, io.MouseDelta.y}, state.shown);
  }
  if (hit.focused) move_by_keys(state, panel);
  if (!ImGui::IsItemHovered()) return;
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  if (io.MouseWheel != 0) {
    zoom_at(state.view, std::pow(1.25, std::clamp(io.MouseWheel, -10.0F, 10.0F)),
            {io.MousePos.x - area.min.x, io.MousePos.y - area.min.y}, state.shown, panel);
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) state.view.fits = true;
}

void move_divider(const Frame& frame, CanvasState& state, const std::string& name,
                  const PixelBox& area) {
  const float width = area.max.x - area.min.x;
  const float x = area.min.x + state.divider * width;
  const float reach = frame.px(7);
  const Hit hit = hit_area(frame, (name + "/divider").c_str(), {x - reach, area.min.y},
                           {x + reach, area.max.y});
  if (hit.hovered || hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (hit.held && width > 0 && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    state.divider = std::clamp((ImGui::GetIO().MousePos.x - area.min.x) / width, 0.0F, 1.0F);
  }
  constexpr float kStep = 0.05F;
  if (hit.focused && ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) {
    state.divider = std::max(0.0F, state.divider - kStep);
  }
  if (hit.focused && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) {
    state.divider = std::min(1.0F, state.divider + kStep);
  }
}

void draw_divider(const Frame& frame, ImDrawList& list, const PixelBox& area, float x) {
  const ImU32 white = IM_COL32(255, 255, 255, 255);
  list.AddRectFilled({x - frame.px(1), area.min.y}, {x + frame.px(1), area.max.y}, white);
  const ImVec2 middle{x, (area.min.y + area.max.y) / 2};
  list.AddCircleFilled(middle, frame.px(11), white);
  draw_icon(frame, list, middle, icon::kSwap, 15, {0.06F, 0.07F, 0.09F, 1});
}

/// White text on a dark ground, as it lies over images of any colour. `at`: its upper
/// left or right corner.
void draw_pill(const Frame& frame, ImDrawList& list, const ImVec2& at, std::string_view words,
               Align align) {
  const TextStyle style{.size = FontSize::kLabel, .weight = Weight::medium, .colour = {1, 1, 1, 1}};
  const float width = text_size(frame, words, style).x + frame.px(16);
  const float left = align == Align::right ? at.x - width : at.x;
  const ImVec2 max{left + width, at.y + frame.px(22)};
  list.AddRectFilled({left, at.y}, max, IM_COL32(0, 0, 0, 168), frame.px(5));
  draw_text(frame, list, {left + frame.px(8), at.y + frame.px(4)}, words, style);
}

void draw_reading(const Frame& frame, ImDrawList& list, const CanvasState& state,
                  const CanvasContent& content, const PixelBox& area) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Point at =
      image_from_panel(state.view, {mouse.x - area.min.x, mouse.y - area.min.y}, extent_of(area));
  if (at.x < 0 || at.y < 0 || at.x >= state.shown.width || at.y >= state.shown.height) return;
  const TextStyle style{.size = FontSize::kLabel, .weight = Weight::medium};
  const std::string words = content.reading(at);
  draw_pill(frame, list, {area.min.x + frame.px(8), area.max.y - frame.px(30)},
            elided(frame, words, style, area.max.x - area.min.x - frame.px(34)), Align::left);
}

void draw_pictures(const Frame& frame, ImDrawList& list, const CanvasState& state,
                   const CanvasContent& content, const PixelBox& area, float divider_x) {
  const Extent panel = extent_of(area);
  const Point origin = panel_from_image(state.view, {0, 0}, panel);
  const Point end = panel_from_image(state.view, {state.shown.width, state.shown.height}, panel);
  const ImVec2 min{area.min.x + static_cast<float>(origin.x),
                   area.min.y + static_cast<float>(origin.y)};
  const ImVec2 max{area.min.x + static_cast<float>(end.x), area.min.y + static_cast<float>(end.y)};
  if (content.picture != nullptr) {
    list.AddImage(frame.textures.texture_of(content.picture, Enlarge::smooth), min, max);
  }
  if (content.overlay == nullptr) return;
  const auto alpha = static_cast<int>(
      std::lround(std::clamp(frame.preferences.overlay_opacity, 0.0F, 1.0F) * 255));
  list.PushClipRect({divider_x, area.min.y}, area.max, true);
  list.AddImage(frame.textures.texture_of(content.overlay, Enlarge::blocks), min, max, {0, 0},
                {1, 1}, IM_COL32(255, 255, 255, alpha));
  list.PopClipRect();
}

}  // namespace

float opacity_width(const Frame& frame) { return frame.px(24 + kSlider + 44); }

void draw_opacity(const Frame& frame, const char* name, const ImVec2& end) {
  const float x = end.x - opacity_width(frame);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_icon(frame, list, {x + frame.px(9), end.y}, icon::kOpacity, 17, frame.theme.text2);
  ImGui::SetCursorScreenPos({x + frame.px(24), end.y - frame.px(8)});
  static_cast<void>(slider(frame, name, frame.preferences.overlay_opacity, 0, 1, kSlider));
  draw_text(frame, list, {end.x, end.y - frame.px(FontSize::kLabel / 2)},
            fmt::format("{:.0f} %", frame.preferences.overlay_opacity * 100),
            {.size = FontSize::kLabel, .weight = Weight::medium}, Align::right);
}

std::int64_t reduction_in(const CanvasState& state, const Extent& image, const PixelBox& area) {
  // An image of another size is shown as large as it fits.
  const bool keeps_view = image.width == state.shown.width && image.height == state.shown.height;
  return reduction_for(keeps_view && !state.view.fits ? state.view.zoom
                                                      : fitting_zoom(image, extent_of(area)));
}

void draw_canvas(const Frame& frame, CanvasState& state, const CanvasContent& content,
                 const PixelBox& area) {
  if (content.image.width != state.shown.width || content.image.height != state.shown.height) {
    state.shown = content.image;
    state.view = {};
  }
  const Extent panel = extent_of(area);
  fit(state.view, state.shown, panel);
  move_divider(frame, state, content.name, area);
  const Hit hit =
      hit_area(frame, (content.name + "/image").c_str(), area.min, area.max, content.subject);
  const bool is_hovered = ImGui::IsItemHovered();
  move_view(state, area, hit);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(area.min, area.max, true);
  list.AddRectFilled(area.min, area.max, IM_COL32(0, 0, 0, 255));
  const float x = std::floor(area.min.x + state.divider * (area.max.x - area.min.x));
  draw_pictures(frame, list, state, content, area, x);
  draw_divider(frame, list, area, x);
  if (panel.width >= frame.px(240)) {
    draw_pill(frame, list, {area.min.x + frame.px(8), area.min.y + frame.px(8)}, content.left_label,
              Align::left);
    draw_pill(frame, list, {area.max.x - frame.px(8), area.min.y + frame.px(8)},
              content.right_label, Align::right);
  }
  if (is_hovered && content.reading) draw_reading(frame, list, state, content, area);
  list.PopClipRect();
}

}  // namespace headroom::ui
