#include "ui/learning_rate_popup.hpp"

#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"
#include "core/base/text_number.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kPopup = "training/learning_rate/popup";
constexpr float kWidth = 264;

double rate_in_force(const run::RunSnapshot& run) {
  if (run.learning_rate.has_value()) return run.learning_rate->peak_rate;
  if (run.request.has_value()) return run.request->settings.train.learning_rate;
  return base::TrainSettings{}.learning_rate;
}

void draw_contents(const Frame& frame, LearningRateState& state) {
  text(frame, "Learning rate", {.size = FontSize::kButton, .weight = Weight::semibold});
  text(frame, "Peak of the schedule, from the next step on.",
       {.size = FontSize::kLabel, .colour = frame.theme.text2});
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  static_cast<void>(text_field(frame, "training/learning_rate/field", state.typed, "0.001", 168));
  const bool entered = ImGui::IsItemFocused() && (ImGui::IsKeyPressed(ImGuiKey_Enter) ||
                                                  ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
  // The field takes Escape for itself; here there is nothing else that it could end.
  const bool escaped = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape);
  ImGui::SameLine();
  const char* const refused = run::refusal(frame.run.state, run::Action::set_learning_rate);
  const std::string problem = refused == nullptr ? rate_problem(state.typed) : refused;
  const bool pressed = button(frame, "training/learning_rate/set", "Set",
                              {.kind = ButtonKind::primary, .width = 72, .refusal = problem});
  const TextStyle note{.size = FontSize::kLabel,
                       .colour = problem.empty() ? frame.theme.text3 : frame.theme.bad};
  ImGui::PushFont(frame.fonts.regular, note.size);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + frame.px(kWidth));
  ImGui::TextColored(note.colour, "%s", problem.empty() ? "Enter sets it." : problem.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  if (escaped) ImGui::CloseCurrentPopup();
  if ((!pressed && !entered) || !problem.empty()) return;
  if (const auto rate = base::parse_real(state.typed)) {
    frame.command(run::SetLearningRate{.peak_rate = *rate});
    ImGui::CloseCurrentPopup();
  }
}

}  // namespace

std::string rate_problem(const std::string& typed) {
  const base::SettingRow* const row = base::find_setting("lr");
  if (row == nullptr) return {};
  try {
    base::Settings tried;
    base::apply_text(tried, *row, typed);
  } catch (const base::Error&) {
    return "A number " + base::range_text(*row) + ", such as 0.001 or 5e-4.";
  }
  return {};
}

void open_learning_rate_popup(const Frame& frame, LearningRateState& state) {
  state.typed = base::format_real(rate_in_force(frame.run));
  ImGui::OpenPopup(kPopup);
}

void draw_learning_rate_popup(const Frame& frame, LearningRateState& state, const ImVec2& at) {
  if (!ImGui::IsPopupOpen(kPopup)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(16), frame.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(8)});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.bg2);
  ImGui::SetNextWindowPos(at, ImGuiCond_Appearing);
  if (ImGui::BeginPopup(kPopup)) {
    draw_contents(frame, state);
    ImGui::EndPopup();
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace headroom::ui
