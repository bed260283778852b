#include "ui/policy_menu.hpp"

#include <string>

#include "ui/stage_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kPopup = "policy_menu";

bool draw_row(const Frame& frame, const NetworkFacts& network, std::size_t index,
              plan::Policy policy) {
  const StageFacts& stage = network.stages[index];
  const std::string refusal = network.refusal_of(index, policy);
  const bool is_chosen = stage.policy == policy;
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + frame.px(270), min.y + frame.px(28)};
  const std::string name = std::string("plan/menu/") + plan::name_of(policy);
  const std::string words = is_chosen                ? "now"
                            : network.offers(policy) ? change_text(stage, policy)
                                                     : kNotOffered;
  const Hit hit = hit_area(frame, name.c_str(), min, max, words, refusal);
  tooltip(frame, refusal);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (hit.hovered && refusal.empty())
    list.AddRectFilled(min, max, packed(frame.theme.bg3), frame.px(6));
  const float y = (min.y + max.y - frame.px(FontSize::kTable)) / 2;
  draw_policy_swatch(frame, list, {min.x + frame.px(8), (min.y + max.y - frame.px(12)) / 2}, 12,
                     policy);
  draw_text(frame, list, {min.x + frame.px(30), y}, policy_title(policy),
            {.size = FontSize::kTable,
             .weight = Weight::medium,
             .colour = refusal.empty() ? frame.theme.text1 : frame.theme.text3});
  draw_text(
      frame, list, {max.x - frame.px(8), y}, words,
      {.size = FontSize::kLabel, .colour = is_chosen ? frame.theme.accent : frame.theme.text3},
      Align::right);
  return hit.pressed;
}

}  // namespace

std::optional<plan::Policy> draw_policy_menu(const Frame& frame, const NetworkFacts& network,
                                             PolicyMenuState& state) {
  if (state.should_open) ImGui::OpenPopup(kPopup);
  state.should_open = false;
  std::optional<plan::Policy> chosen;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(6), frame.px(6)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  if (ImGui::BeginPopup(kPopup)) {
    const auto stage = static_cast<std::size_t>(state.stage);
    if (state.stage < 0 || stage >= network.stages.size()) {
      ImGui::CloseCurrentPopup();
    } else {
      for (std::size_t i = 0; i < plan::kPolicies; ++i) {
        const auto policy = static_cast<plan::Policy>(i);
        if (draw_row(frame, network, stage, policy)) chosen = policy;
      }
      if (chosen.has_value()) ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
  return chosen;
}

}  // namespace headroom::ui
