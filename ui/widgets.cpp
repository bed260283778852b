#include "ui/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

bool is_unset(const ImVec4& colour) { return colour.w == 0; }

ImVec4 colour_of(const Frame& frame, const TextStyle& style) {
  return is_unset(style.colour) ? frame.theme.text1 : style.colour;
}

const char* end_of(std::string_view text) { return text.data() + text.size(); }

/// Pixels of one line of `style`.
float line_height(const Frame& frame, const TextStyle& style) { return frame.px(style.size); }

/// Ground of a control by what the mouse does with it.
ImVec4 control_ground(const Frame& frame, ButtonKind kind, bool hovered, bool held) {
  const Theme& theme = frame.theme;
  if (kind == ButtonKind::primary) {
    return held ? mix(theme.fill, theme.bg0, 0.25F)
                : (hovered ? mix(theme.fill, ImVec4{1, 1, 1, 1}, 0.1F) : theme.fill);
  }
  if (held) return theme.bg4;
  if (hovered) return theme.bg3;
  return kind == ButtonKind::flat ? ImVec4{0, 0, 0, 0} : theme.bg2;
}

/// Longest prefix of `text`, cut between characters, whose width and "…" fit.
std::size_t fitting_prefix(const Frame& frame, std::string_view text, const TextStyle& style,
                           float width) {
  std::size_t low = 0;
  std::size_t high = text.size();
  while (low < high) {
    const std::size_t middle = (low + high + 1) / 2;
    if (text_size(frame, text.substr(0, middle), style).x <= width) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  while (low > 0 && low < text.size() && (static_cast<unsigned char>(text[low]) & 0xC0) == 0x80) {
    --low;
  }
  return low;
}

/// The contents of a button, centred.
void draw_button_label(const Frame& frame, ImDrawList& list, const ImRect& box,
                       std::string_view label, const ButtonOptions& options, const ImVec4& colour) {
  const TextStyle style{.size = FontSize::kButton - 1, .weight = Weight::medium, .colour = colour};
  const float icon_side = options.icon == nullptr ? 0 : frame.px(18);
  const float gap = options.icon == nullptr || label.empty() ? 0 : frame.px(6);
  const float width = icon_side + gap + text_size(frame, label, style).x;
  float x = box.GetCenter().x - width / 2;
  if (options.icon != nullptr) {
    draw_icon(frame, list, {x + icon_side / 2, box.GetCenter().y}, options.icon, 18, colour);
    x += icon_side + gap;
  }
  draw_text(frame, list, {x, box.GetCenter().y - line_height(frame, style) / 2}, label, style);
}

void focus_ring(const Frame& frame, ImDrawList& list, const ImRect& box, float rounding) {
  const float out = frame.px(2);
  list.AddRect({box.Min.x - out, box.Min.y - out}, {box.Max.x + out, box.Max.y + out},
               packed(frame.theme.accent), rounding + out, 0, frame.px(1.5F));
}

bool has_visible_focus() { return ImGui::IsItemFocused() && GImGui->NavCursorVisible; }

}  // namespace

// ---------------------------------------------------------------- text

ImFont* font_of(const Fonts& fonts, Weight weight) {
  switch (weight) {
    case Weight::medium:
      return fonts.medium;
    case Weight::semibold:
      return fonts.semibold;
    case Weight::regular:
      break;
  }
  return fonts.regular;
}

ImVec2 text_size(const Frame& frame, std::string_view text, const TextStyle& style) {
  return font_of(frame.fonts, style.weight)
      ->CalcTextSizeA(line_height(frame, style), FLT_MAX, 0, text.data(), end_of(text));
}

void text(const Frame& frame, std::string_view text, const TextStyle& style) {
  draw_text(frame, *ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), text, style);
  ImGui::Dummy(text_size(frame, text, style));
}

void draw_text(const Frame& frame, ImDrawList& list, const ImVec2& at, std::string_view text,
               const TextStyle& style, Align align) {
  if (text.empty()) return;
  ImVec2 from = at;
  if (align != Align::left) {
    const float width = text_size(frame, text, style).x;
    from.x -= align == Align::right ? width : width / 2;
  }
  // Glyphs stay sharp on whole pixels only.
  from = {std::floor(from.x), std::floor(from.y)};
  list.AddText(font_of(frame.fonts, style.weight), line_height(frame, style), from,
               packed(colour_of(frame, style)), text.data(), end_of(text));
}

std::string elided(const Frame& frame, std::string_view text, const TextStyle& style,
                   float width_pixels) {
  if (text_size(frame, text, style).x <= width_pixels) return std::string(text);
  constexpr const char* kDots = "\xE2\x80\xA6";
  const float room = width_pixels - text_size(frame, kDots, style).x;
  return std::string(text.substr(0, fitting_prefix(frame, text, style, room))) + kDots;
}

void draw_icon(const Frame& frame, ImDrawList& list, const ImVec2& centre, const char* icon,
               float size, const ImVec4& colour) {
  if (frame.fonts.icons == nullptr || icon == nullptr) return;
  const float pixels = frame.px(size);
  ImFontBaked* const baked = frame.fonts.icons->GetFontBaked(pixels);
  unsigned int code = 0;
  ImTextCharFromUtf8(&code, icon, nullptr);
  const ImFontGlyph* const glyph = baked->FindGlyph(static_cast<ImWchar>(code));
  if (glyph == nullptr) return;
  // The box of the glyph, not its line, goes to the middle.
  const ImVec2 at{centre.x - (glyph->X0 + glyph->X1) / 2, centre.y - (glyph->Y0 + glyph->Y1) / 2};
  list.AddText(frame.fonts.icons, pixels, {std::round(at.x), std::round(at.y)}, packed(colour),
               icon);
}

// ---------------------------------------------------------------- controls

bool button(const Frame& frame, const char* name, std::string_view label,
            const ButtonOptions& options) {
  const TextStyle style{.size = FontSize::kButton - 1, .weight = Weight::medium};
  const float label_width = text_size(frame, label, style).x;
  const float icon_width = options.icon == nullptr ? 0 : frame.px(label.empty() ? 18 : 24);
  const ImVec2 size{options.width > 0
                        ? frame.px(options.width)
                        : label_width + icon_width + frame.px(label.empty() ? 12 : 22),
                    frame.px(options.height)};
  const bool is_enabled = options.refusal.empty();
  const bool pressed = ImGui::InvisibleButton(name, size, ImGuiButtonFlags_EnableNav) && is_enabled;
  const ImRect box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  const bool hovered = ImGui::IsItemHovered() && is_enabled;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec4 ground =
      is_enabled ? control_ground(frame, options.kind, hovered, hovered && ImGui::IsItemActive())
                 : (options.kind == ButtonKind::flat ? ImVec4{0, 0, 0, 0} : frame.theme.bg2);
  list.AddRectFilled(box.Min, box.Max, packed(ground), frame.px(6));
  if (options.kind == ButtonKind::plain)
    list.AddRect(box.Min, box.Max, packed(frame.theme.line2), frame.px(6));
  ImVec4 colour = options.kind == ButtonKind::primary ? frame.theme.on_fill : frame.theme.text1;
  if (options.kind == ButtonKind::flat) colour = hovered ? frame.theme.text1 : frame.theme.text2;
  if (!is_enabled) colour = with_alpha(frame.theme.text3, 0.6F);
  draw_button_label(frame, list, box, label, options, colour);
  if (has_visible_focus()) focus_ring(frame, list, box, frame.px(6));
  frame.record(name, box.Min, box.Max, is_enabled, is_enabled ? label : options.refusal);
  tooltip(frame, is_enabled ? options.tooltip : options.refusal);
  return pressed;
}

bool segmented(const Frame& frame, const char* name, std::span<const std::string_view> labels,
               int& chosen) {
  const float height = frame.px(24);
  const float padding = frame.px(10);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float width = frame.px(4);
  for (const std::string_view label : labels) {
    width += text_size(frame, label, {.size = FontSize::kLabel, .weight = Weight::medium}).x +
             2 * padding;
  }
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  list.AddRectFilled(origin, {origin.x + width, origin.y + height}, packed(frame.theme.bg0),
                     frame.px(6));
  bool changed = false;
  float x = origin.x + frame.px(2);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool is_chosen = static_cast<int>(i) == chosen;
    const TextStyle style{.size = FontSize::kLabel,
                          .weight = Weight::medium,
                          .colour = is_chosen ? frame.theme.text1 : frame.theme.text2};
    const ImVec2 min{x, origin.y + frame.px(2)};
    const ImVec2 max{x + text_size(frame, labels[i], style).x + 2 * padding,
                     origin.y + height - frame.px(2)};
    const std::string id = std::string(name) + '/' + std::string(labels[i]);
    if (hit_area(frame, id.c_str(), min, max, labels[i]).pressed && !is_chosen) {
      chosen = static_cast<int>(i);
      changed = true;
    }
    if (is_chosen) {
      const bool light = frame.theme.kind == ThemeKind::light;
      list.AddRectFilled(min, max, packed(light ? frame.theme.bg1 : frame.theme.bg4), frame.px(4));
      if (light) list.AddRect(min, max, packed(frame.theme.line2), frame.px(4));
    }
    draw_text(frame, list, {(min.x + max.x) / 2, (min.y + max.y - frame.px(style.size)) / 2},
              labels[i], style, Align::centre);
    x = max.x;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, height});
  return changed;
}

bool slider(const Frame& frame, const char* name, float& value, float low, float high,
            float width) {
  const ImVec2 size{frame.px(width), frame.px(16)};
  ImGui::InvisibleButton(name, size, ImGuiButtonFlags_EnableNav);
  const ImRect box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  const float knob = frame.px(5);
  const float before = value;
  if (ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const float share = (ImGui::GetIO().MousePos.x - box.Min.x - knob) / (size.x - 2 * knob);
    value = low + std::clamp(share, 0.0F, 1.0F) * (high - low);
  }
  if (has_visible_focus()) {
    const float step = (high - low) / 20;
    if (ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) value = std::max(low, value - step);
    if (ImGui::IsKeyPressed(ImGuiKey_RightArrow)) value = std::min(high, value + step);
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float share = (value - low) / (high - low);
  const float middle = box.GetCenter().y;
  draw_bar(frame, list, {box.Min.x, middle - frame.px(1.5F)}, {box.Max.x, middle + frame.px(1.5F)},
           share, frame.theme.accent);
  const ImVec2 centre{box.Min.x + knob + share * (size.x - 2 * knob), middle};
  list.AddCircleFilled(
      centre, knob,
      packed(frame.theme.kind == ThemeKind::dark ? ImVec4{1, 1, 1, 1} : frame.theme.accent));
  if (has_visible_focus()) focus_ring(frame, list, box, frame.px(4));
  frame.record(name, box.Min, box.Max);
  return value != before;
}

namespace {

/// Whether a field at the cursor, of `width` design pixels, is without its box.
bool is_without_box(const Frame& frame, const std::string& id, float width, FieldLook look) {
  if (look == FieldLook::boxed) return false;
  const ImGuiID own = ImGui::GetID(id.c_str());
  if (ImGui::GetActiveID() == own || ImGui::GetFocusID() == own) return false;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  return !ImGui::IsWindowHovered() ||
         !ImGui::IsMouseHoveringRect(min,
                                     {min.x + frame.px(width), min.y + ImGui::GetFrameHeight()});
}

int resize_text(ImGuiInputTextCallbackData* input) {
  if (input->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    auto& value = *static_cast<std::string*>(input->UserData);
    value.resize(static_cast<std::size_t>(input->BufTextLen));
    input->Buf = value.data();
  }
  return 0;
}

}  // namespace

bool text_field(const Frame& frame, const char* name, std::string& value, const char* hint,
                float width, FieldLook look) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {frame.px(8), frame.px(5)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, frame.px(1));
  ImGui::PushFont(frame.fonts.regular, FontSize::kTable);
  const std::string id = std::string("##") + name;
  const ImVec4 clear{0, 0, 0, 0};
  const bool is_bare = is_without_box(frame, id, width, look);
  ImGui::PushStyleColor(ImGuiCol_Border, is_bare ? clear : frame.theme.line2);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, is_bare ? clear : frame.theme.bg2);
  ImGui::SetNextItemWidth(frame.px(width));
  const bool changed =
      ImGui::InputTextWithHint(id.c_str(), hint, value.data(), value.capacity() + 1,
                               ImGuiInputTextFlags_CallbackResize, resize_text, &value);
  frame.record(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), true, value);
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  ImGui::PopStyleVar(2);
  return changed;
}

Hit hit_area(const Frame& frame, const char* name, const ImVec2& min, const ImVec2& max,
             std::string_view text, std::string_view refusal) {
  ImGui::SetCursorScreenPos(min);
  const ImVec2 size{std::max(1.0F, max.x - min.x), std::max(1.0F, max.y - min.y)};
  Hit hit;
  const bool is_enabled = refusal.empty();
  hit.pressed = ImGui::InvisibleButton(name, size, ImGuiButtonFlags_EnableNav) && is_enabled;
  hit.hovered = ImGui::IsItemHovered();
  hit.held = ImGui::IsItemActive();
  hit.right_pressed = hit.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  hit.focused = has_visible_focus();
  if (hit.focused)
    focus_ring(frame, *ImGui::GetWindowDrawList(), {min, {min.x + size.x, min.y + size.y}},
               frame.px(3));
  frame.record(name, min, {min.x + size.x, min.y + size.y}, is_enabled,
               is_enabled ? text : refusal);
  return hit;
}

bool begin_rows(const Frame& frame, const char* name, const ImVec2& size) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const float beside = ImGui::GetStyle().ScrollbarSize + frame.px(2);
  return ImGui::BeginChild(name, {size.x + beside, std::max(1.0F, size.y)},
                           ImGuiChildFlags_NavFlattened);
}

void end_rows() {
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

void tooltip(const Frame& frame, std::string_view text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(12), frame.px(8)});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.bg2);
  if (ImGui::BeginTooltip()) {
    ImGui::PushFont(frame.fonts.regular, FontSize::kTable);
    ImGui::PushTextWrapPos(frame.px(360));
    ImGui::TextUnformatted(text.data(), end_of(text));
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

// ---------------------------------------------------------------- shapes

void hairline(const Frame& frame) {
  const ImGuiWindow& window = *ImGui::GetCurrentWindow();
  const float y = std::floor(ImGui::GetCursorScreenPos().y + frame.px(10));
  ImGui::GetWindowDrawList()->AddLine({window.Pos.x, y}, {window.Pos.x + window.Size.x, y},
                                      packed(frame.theme.line));
  ImGui::Dummy({1, frame.px(21)});
}

ImVec2 draw_figure(const Frame& frame, ImDrawList& list, const ImVec2& at, const Figure& figure) {
  const TextStyle label{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const TextStyle value{
      .size = figure.value_size, .weight = Weight::semibold, .colour = figure.value_colour};
  draw_text(frame, list, at, figure.label, label);
  float y = at.y + frame.px(label.size + 4);
  draw_text(frame, list, {at.x, y}, figure.value, value);
  y += frame.px(value.size + 4);
  float width =
      std::max(text_size(frame, figure.label, label).x, text_size(frame, figure.value, value).x);
  if (!figure.note.empty()) {
    draw_text(frame, list, {at.x, y}, figure.note, label);
    width = std::max(width, text_size(frame, figure.note, label).x);
    y += frame.px(label.size);
  }
  return {width, y - at.y};
}

void draw_bar(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
              float share, const ImVec4& colour) {
  const float rounding = (max.y - min.y) / 2;
  list.AddRectFilled(min, max, packed(frame.theme.bg3), rounding);
  const float width = std::clamp(share, 0.0F, 1.0F) * (max.x - min.x);
  if (width >= 1) list.AddRectFilled(min, {min.x + width, max.y}, packed(colour), rounding);
}

void draw_hatch(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
                const ImVec4& colour, float spacing, float weight) {
  if (max.x <= min.x || max.y <= min.y) return;
  const float height = max.y - min.y;
  const float step = frame.px(spacing) * std::sqrt(2.0F);
  list.PushClipRect(min, max, true);
  for (float x = min.x - height + step / 2; x < max.x; x += step) {
    list.AddLine({x, max.y}, {x + height, min.y}, packed(colour), frame.px(weight));
  }
  list.PopClipRect();
}

void draw_dots(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
               const ImVec4& colour, float spacing) {
  if (max.x <= min.x || max.y <= min.y) return;
  const float step = frame.px(spacing);
  const float half = frame.px(0.75F);
  for (float y = min.y + step / 2; y < max.y - half; y += step) {
    for (float x = min.x + step / 2; x < max.x - half; x += step) {
      list.AddRectFilled({x - half, y - half}, {x + half, y + half}, packed(colour));
    }
  }
}

void draw_policy_swatch(const Frame& frame, ImDrawList& list, const ImVec2& min, float side,
                        plan::Policy policy) {
  const float pixels = frame.px(side);
  const ImVec2 max{min.x + pixels, min.y + pixels};
  const ImVec4& colour = frame.theme.policy[static_cast<std::size_t>(policy)];
  const float rounding = frame.px(2);
  if (policy == plan::Policy::keep) {
    list.AddRectFilled(min, max, packed(colour), rounding);
    return;
  }
  const ImVec2 split{min.x + pixels / 2, min.y};
  list.AddRectFilled(min, max, packed(with_alpha(colour, 0.15F)), rounding);
  list.AddRectFilled(min, {split.x, max.y}, packed(colour), rounding, ImDrawFlags_RoundCornersLeft);
  if (policy == plan::Policy::full) draw_hatch(frame, list, split, max, colour, 2.5F);
  if (policy == plan::Policy::offload) draw_dots(frame, list, split, max, colour, 3);
  list.AddRect(min, max, packed(colour), rounding);
}

}  // namespace headroom::ui
