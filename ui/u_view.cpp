#include "ui/u_view.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/plan_edit.hpp"
#include "ui/stage_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

using plan::Policy;

/// Design pixels of a block's label.
struct LabelMeasures {
  float above_bar = 8, bar = 3, above_text = 4, line = 15, below = 4;
  int lines = 2;

  [[nodiscard]] float height() const {
    return above_bar + bar + above_text + line * static_cast<float>(lines) + below;
  }
};
LabelMeasures label_measures(const Frame& frame) {
  if (frame.is_small()) return {};
  return {.above_bar = 6, .above_text = 5, .line = 17, .lines = 3};
}

ImVec2 moved(const ImVec2& point, const ImVec2& by) { return {point.x + by.x, point.y + by.y}; }

void draw_arrow(ImDrawList& list, const ULine& line, const ImVec2& origin, ImU32 colour,
                float head) {
  const ImVec2 from = moved(line.from, origin);
  const ImVec2 to = moved(line.to, origin);
  if (to.x - from.x < head) return;
  list.AddLine(from, {to.x - head * 0.6F, to.y}, colour, line.weight);
  const float half = head * 0.6F + line.weight * 0.15F;
  list.AddTriangleFilled({to.x - head, to.y - half}, to, {to.x - head, to.y + half}, colour);
}

void draw_skips(const Frame& frame, const NetworkFacts& network, const ULayout& layout,
                const ImVec2& origin, ImDrawList& list) {
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const ImU32 colour = packed(frame.theme.line2);
  for (std::size_t i = 0; i < layout.skips.size(); ++i) {
    const ULine& line = layout.skips[i];
    draw_arrow(list, line, origin, colour, frame.px(5) + line.weight);
    if (i >= network.skip_bytes.size() || network.skip_bytes[i] <= 0) continue;
    const std::string bytes =
        short_bytes_text(static_cast<std::int64_t>(std::min(network.skip_bytes[i], 9e18)));
    if (text_size(frame, bytes, style).x + frame.px(16) > line.to.x - line.from.x) continue;
    draw_text(frame, list,
              {origin.x + (line.from.x + line.to.x) / 2,
               origin.y + line.from.y - line.weight / 2 - frame.px(style.size + 1)},
              bytes, style, Align::centre);
  }
  for (const ULine& arrow : layout.arrows) draw_arrow(list, arrow, origin, colour, frame.px(5));
}

/// What happens to the bytes that a policy does not hold.
void draw_rest(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
               Policy policy, const ImVec4& colour) {
  if (max.x - min.x < 2) return;
  if (policy == Policy::full) draw_hatch(frame, list, min, max, with_alpha(colour, 0.75F), 4.5F);
  if (policy == Policy::offload) draw_dots(frame, list, min, max, with_alpha(colour, 0.8F), 4);
}

float solid_target(const NetworkFacts& network, const StageFacts& stage) {
  constexpr float kUnmeasured = 0.25F;
  if (!network.has_step || stage.outline_bytes() <= 0)
    return stage.policy == Policy::keep ? 1.0F : kUnmeasured;
  // What it will hold is not known: all of it is pattern.
  if (stage.is_next && !stage.under(stage.policy).has_value())
    return stage.policy == Policy::keep ? 1.0F : 0.0F;
  return solid_share(static_cast<double>(stage.solid_bytes()),
                     static_cast<double>(stage.outline_bytes()));
}

void draw_block(const Frame& frame, const StageFacts& stage, const ImVec2& min, const ImVec2& max,
                float share, bool is_lit) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec4 colour = frame.theme.policy[static_cast<std::size_t>(stage.policy)];
  if (is_lit) colour = mix(colour, frame.theme.text1, 0.12F);
  const float rounding = frame.px(3);
  const float split =
      min.x + std::max(share * (max.x - min.x), std::min(frame.px(3), max.x - min.x));
  list.AddRectFilled(min, max, packed(with_alpha(colour, 0.1F)), rounding);
  draw_rest(frame, list, {split, min.y}, max, stage.policy, colour);
  const bool is_whole = max.x - split < 1;
  list.AddRectFilled(min, {split, max.y}, packed(colour), rounding,
                     is_whole ? ImDrawFlags_RoundCornersAll : ImDrawFlags_RoundCornersLeft);
  if (!is_whole) list.AddRect(min, max, packed(with_alpha(colour, 0.7F)), rounding);
}

/// The block's ring where it is selected, and its ground under the mouse.
void draw_ground(const Frame& frame, const ImVec2& min, const ImVec2& max, bool is_selected,
                 bool is_hovered) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = frame.px(6);
  if (is_hovered) list.AddRectFilled(min, max, packed(frame.theme.bg2), rounding);
  if (!is_selected) return;
  list.AddRectFilled(min, max, packed(with_alpha(frame.theme.accent, 0.1F)), rounding);
  list.AddRect(min, max, packed(frame.theme.accent), rounding, 0, frame.px(1.5F));
}

void draw_label(const Frame& frame, const NetworkFacts& network, const StageFacts& stage,
                const UBlock& block, const ImVec2& origin) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const LabelMeasures measures = label_measures(frame);
  const float centre = origin.x + (block.min.x + block.max.x) / 2;
  const float slot = block.area_max.x - block.area_min.x;
  float y = origin.y + block.max.y + frame.px(measures.above_bar);
  if (network.has_step) {
    const float half = std::min(std::max(block.max.x - block.min.x, frame.px(28)), slot) / 2;
    draw_bar(frame, list, {centre - half, y}, {centre + half, y + frame.px(measures.bar)},
             static_cast<float>(stage.share_of_peak.value_or(0)),
             stage.is_peak ? frame.theme.accent : frame.theme.text2);
  }
  y += frame.px(measures.bar + measures.above_text);
  // Neighbours end at other heights: a name may reach a little out of its slot. Where slots are
  // narrow, values of one block would meet the name of the next.
  constexpr float kLeastForValues = 36;
  const auto line = [&](std::string_view text, const TextStyle& style, float beyond) {
    if (text_size(frame, text, style).x <= slot + frame.px(beyond))
      draw_text(frame, list, {centre, y}, text, style, Align::centre);
    y += frame.px(measures.line);
  };
  line(stage.name, {.size = FontSize::kTable, .weight = Weight::medium}, 14);
  if (slot < frame.px(kLeastForValues)) return;
  const TextStyle value{.size = FontSize::kLabel, .colour = frame.theme.text2};
  if (stage.is_next) {
    line("next step",
         {.size = FontSize::kLabel, .weight = Weight::medium, .colour = frame.theme.accent}, 18);
  } else if (network.has_step && stage.kept_bytes.has_value()) {
    line(short_bytes_text(*stage.kept_bytes, frame.is_small() ? 2 : 3), value, 6);
  }
  if (measures.lines > 2 && network.has_step && stage.seconds.has_value())
    line(time_text(*stage.seconds), {.size = FontSize::kLabel, .colour = frame.theme.text3}, 6);
}

void draw_marks(const Frame& frame, const StageFacts& stage, const ImVec2& min, const ImVec2& max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (stage.is_peak) {
    draw_text(frame, list, {min.x, min.y - frame.px(FontSize::kLabel + 4)}, "peak",
              {.size = FontSize::kLabel, .weight = Weight::medium, .colour = frame.theme.accent});
  }
  if (!stage.is_next) return;
  // Asked for, and not applied: dashes around the block.
  const float out = frame.px(3);
  const float dash = frame.px(4);
  const ImU32 colour = packed(frame.theme.accent);
  const float weight = frame.px(1.5F);
  for (float x = min.x - out; x < max.x + out; x += 2 * dash) {
    const float end = std::min(x + dash, max.x + out);
    list.AddLine({x, min.y - out}, {end, min.y - out}, colour, weight);
    list.AddLine({x, max.y + out}, {end, max.y + out}, colour, weight);
  }
  for (float y = min.y - out; y < max.y + out; y += 2 * dash) {
    const float end = std::min(y + dash, max.y + out);
    list.AddLine({min.x - out, y}, {min.x - out, end}, colour, weight);
    list.AddLine({max.x + out, y}, {max.x + out, end}, colour, weight);
  }
}

struct TooltipLine {
  Policy policy;
  std::string text;
  std::string note;
};

void draw_tooltip_line(const Frame& frame, const TooltipLine& line, Weight weight) {
  const TextStyle style{.size = FontSize::kTable, .weight = weight};
  const TextStyle note{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const float swatch = 12;
  const float gap = frame.px(8);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = frame.px(22);
  draw_policy_swatch(frame, list, {at.x, at.y + (height - frame.px(swatch)) / 2}, swatch,
                     line.policy);
  const float left = at.x + frame.px(swatch) + gap;
  draw_text(frame, list, {left, at.y + (height - frame.px(style.size)) / 2}, line.text, style);
  float right = left + text_size(frame, line.text, style).x;
  if (!line.note.empty()) {
    draw_text(frame, list, {right + 2 * gap, at.y + (height - frame.px(note.size)) / 2}, line.note,
              note);
    right += 2 * gap + text_size(frame, line.note, note).x;
  }
  ImGui::Dummy({right - at.x, height});
}

/// What the block is, as measured; what the next click does.
void tell_about(const Frame& frame, const NetworkFacts& network, std::size_t index) {
  const StageFacts& stage = network.stages[index];
  const Policy next = stage.is_head ? stage.policy : next_policy(stage.policy, network.policies);
  const std::string refusal = network.refusal_of(index, next);
  const TooltipLine now{stage.policy, stage_line(stage),
                        network.has_step && !stage.is_next ? "measured" : ""};
  const auto predicted = predicted_change(frame, network.plan(), index, next);
  const std::string change =
      predicted.has_value() ? change_text(*predicted) : change_text(stage, next);
  const TooltipLine click{next, std::string(plan::title_of(next)) + ": " + change,
                          predicted.has_value() ? "predicted" : measured_at_text(stage, next)};
  const bool has_click = refusal.empty() && next != stage.policy;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(12), frame.px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.bg2);
  if (ImGui::BeginTooltip()) {
    draw_tooltip_line(frame, now, Weight::regular);
    if (has_click) draw_tooltip_line(frame, click, Weight::medium);
    if (!refusal.empty()) {
      text(frame, refusal, {.size = FontSize::kTable, .colour = frame.theme.text2});
      ImGui::Dummy({1, frame.px(4)});
    }
    ImGui::EndTooltip();
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  frame.record("plan/tooltip", {}, {}, true,
               now.text + '\n' + (has_click ? click.text + '\n' + click.note : refusal));
}

void touch_block(const Frame& frame, const NetworkFacts& network, std::size_t index,
                 const ImVec2& min, const ImVec2& max, UTouch& touch) {
  const StageFacts& stage = network.stages[index];
  const std::string refusal =
      stage.is_head ? network.refusal_of(index, Policy::keep) : network.refusal;
  const auto number = static_cast<int>(index);
  ImGui::PushID(number);
  const std::string name = "plan/stage/" + stage.name;
  const Hit hit = hit_area(frame, name.c_str(), min, max, plan::title_of(stage.policy), refusal);
  ImGui::PopID();
  if (hit.hovered || (hit.focused && touch.hovered < 0)) touch.hovered = number;
  if (hit.held && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) touch.pressed = number;
  if (hit.right_pressed) touch.right_pressed = number;
  if (hit.pressed && hit.focused) touch.activated = number;
}

}  // namespace

ULayout u_layout_of(const Frame& frame, const NetworkFacts& network, float width,
                    float height_scale) {
  UInput input{.skip_bytes = network.skip_bytes,
               .width = width,
               .unit = frame.scale,
               .height_scale = height_scale,
               .wide_slot_extra = network.has_step ? (frame.is_small() ? 8.0F : 22.0F) : 0.0F,
               .label_height = frame.px(label_measures(frame).height())};
  for (const StageFacts& stage : network.stages) {
    input.keep_bytes.push_back(network.has_step ? static_cast<double>(stage.outline_bytes())
                                                : (stage.is_head ? 0.1 : 1.0));
  }
  return lay_out_u(input);
}

UTouch draw_u(const Frame& frame, const NetworkFacts& network, const ULayout& layout,
              const ImVec2& origin, Slides& slides, bool is_stroking) {
  UTouch touch;
  if (frame.preferences.reduce_motion) slides.settle();
  for (std::size_t i = 0; i < layout.blocks.size(); ++i) {
    const UBlock& block = layout.blocks[i];
    const ImVec2 min = moved(block.area_min, origin);
    const ImVec2 max = moved(block.area_max, origin);
    const auto number = static_cast<int>(i);
    draw_ground(frame, min, max, frame.shared.selected_stage == number,
                frame.shared.hovered_stage == number);
    touch_block(frame, network, i, min, max, touch);
  }
  if (touch.hovered >= 0) {
    frame.shared.next_hovered_stage = touch.hovered;
    if (!is_stroking) tell_about(frame, network, static_cast<std::size_t>(touch.hovered));
  }
  draw_skips(frame, network, layout, origin, *ImGui::GetWindowDrawList());
  for (std::size_t i = 0; i < layout.blocks.size(); ++i) {
    const UBlock& block = layout.blocks[i];
    const StageFacts& stage = network.stages[i];
    const ImVec2 min = moved(block.min, origin);
    const ImVec2 max = moved(block.max, origin);
    const float share = slides.at(i, solid_target(network, stage), frame.seconds);
    draw_block(frame, stage, min, max, share, frame.shared.hovered_stage == static_cast<int>(i));
    draw_label(frame, network, stage, block, origin);
    draw_marks(frame, stage, min, max);
  }
  if (slides.is_moving(frame.seconds)) frame.shared.is_animating = true;
  return touch;
}

}  // namespace headroom::ui
