#include "ui/stage_inspector.hpp"

#include <algorithm>
#include <string>

#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/stage_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

using plan::Policy;

void draw_title(const Frame& frame, const StageFacts& stage) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle title{.size = FontSize::kButton, .weight = Weight::semibold};
  const TextStyle words{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const std::string hint = frame.is_small() ? "1\xE2\x80\x93"
                                              "4 choose"
                                            : "Click cycles, drag sets several, 1\xE2\x80\x93"
                                              "4 choose";
  const float hint_width = text_size(frame, hint, words).x;
  const std::string name = elided(frame, stage.name, title, width * 0.5F);
  draw_text(frame, list, at, name, title);
  const float left = text_size(frame, name, title).x + frame.px(12);
  const std::string size = size_text(stage);
  draw_text(frame, list, {at.x + left, at.y + frame.px(1)}, size, words);
  if (left + text_size(frame, size, words).x + frame.px(16) + hint_width <= width)
    draw_text(frame, list, {at.x + width, at.y + frame.px(1)}, hint, words, Align::right);
  ImGui::Dummy({1, frame.px(22)});
}

struct CardWords {
  std::string text{}, tooltip{};
  bool exceeds_budget = false;
};

/// What is predicted of the step, else what was measured of the stage in this run.
CardWords change_words(const Frame& frame, const NetworkFacts& network, std::size_t index,
                       Policy policy) {
  const StageFacts& stage = network.stages[index];
  const auto predicted = predicted_change(frame, network.plan(), index, policy);
  if (predicted.has_value()) {
    const std::string change = change_text(*predicted);
    return {.text = frame.is_small() ? short_bytes_change_text(predicted->peak_bytes) : change,
            .tooltip = "Predicted change of peak and step: " + change +
                       (predicted->exceeds_budget ? "; more than the budget" : ""),
            .exceeds_budget = predicted->exceeds_budget};
  }
  const std::string change = change_text(stage, policy, !frame.is_small());
  const bool is_short = frame.is_small() && change == kNotMeasured;
  return {.text = is_short ? "not measured" : change, .tooltip = measured_at_text(stage, policy)};
}

CardWords card_words(const Frame& frame, const NetworkFacts& network, std::size_t index,
                     Policy policy) {
  const StageFacts& stage = network.stages[index];
  if (!network.offers(policy)) return {.text = kNotOffered};
  if (policy != stage.policy && !stage.is_head) return change_words(frame, network, index, policy);
  if (policy != stage.policy) return {.text = change_text(stage, policy, !frame.is_small())};
  CardWords words{.tooltip = measured_at_text(stage, policy)};
  words.text = stage.is_next                  ? "from the next step"
               : stage.kept_bytes.has_value() ? short_bytes_text(*stage.kept_bytes) + " kept"
                                              : std::string("not measured");
  return words;
}

/// True when it was pressed.
bool draw_card(const Frame& frame, const NetworkFacts& network, std::size_t index, Policy policy,
               const ImVec2& min, const ImVec2& max) {
  const StageFacts& stage = network.stages[index];
  const bool is_chosen = policy == stage.policy;
  const std::string refusal = network.refusal_of(index, policy);
  const std::string name = std::string("plan/policy/") + plan::name_of(policy);
  const CardWords words = card_words(frame, network, index, policy);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Hit hit = hit_area(frame, name.c_str(), min, max, words.text, refusal);
  tooltip(frame, refusal.empty() ? words.tooltip : refusal);
  const float rounding = frame.px(6);
  list.AddRectFilled(min, max,
                     packed(hit.hovered && refusal.empty() ? frame.theme.bg3 : frame.theme.bg2),
                     rounding);
  if (is_chosen) {
    list.AddRectFilled(min, max, packed(with_alpha(frame.theme.accent, 0.12F)), rounding);
    list.AddRect(min, max, packed(frame.theme.accent), rounding, 0, frame.px(1.5F));
  } else {
    list.AddRect(min, max, packed(frame.theme.line), rounding);
  }
  const bool is_dim = !refusal.empty() && !is_chosen;
  const ImVec4 colour = is_dim ? frame.theme.text3 : frame.theme.text1;
  const float x = min.x + frame.px(10);
  draw_policy_swatch(frame, list, {x, min.y + frame.px(10)}, 11, policy);
  draw_text(frame, list, {x + frame.px(18), min.y + frame.px(8)}, plan::title_of(policy),
            {.size = FontSize::kTable, .weight = Weight::medium, .colour = colour});
  if (is_chosen && max.x - min.x > frame.px(92)) {
    draw_text(frame, list, {max.x - frame.px(10), min.y + frame.px(9)},
              stage.is_next ? "next" : "now",
              {.size = FontSize::kLabel, .colour = frame.theme.accent}, Align::right);
  }
  if (words.exceeds_budget) {
    frame.record(name + "/exceeds", min, max, true, words.tooltip);
    draw_icon(frame, list, {max.x - frame.px(16), min.y + frame.px(15)}, icon::kAlertCircle, 15,
              frame.theme.bad);
  }
  const ImVec4 quiet = words.exceeds_budget ? frame.theme.bad : frame.theme.text2;
  const TextStyle value{.size = FontSize::kLabel, .colour = is_dim ? frame.theme.text3 : quiet};
  draw_text(frame, list, {x, max.y - frame.px(8 + FontSize::kLabel)},
            elided(frame, words.text, value, max.x - x - frame.px(4)), value);
  return hit.pressed;
}

}  // namespace

std::optional<Policy> draw_stage_inspector(const Frame& frame, const NetworkFacts& network,
                                           std::size_t stage) {
  draw_title(frame, network.stages[stage]);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  const float gap = frame.px(8);
  const float card = std::max(frame.px(20), (width - 3 * gap) / 4);
  const float height = frame.px(50);
  std::optional<Policy> pressed;
  for (std::size_t i = 0; i < plan::kPolicies; ++i) {
    const auto policy = static_cast<Policy>(i);
    const float left = at.x + static_cast<float>(i) * (card + gap);
    if (draw_card(frame, network, stage, policy, {left, at.y}, {left + card, at.y + height}))
      pressed = policy;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  return pressed;
}

}  // namespace headroom::ui
