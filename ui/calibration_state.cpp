#include "ui/calibration_state.hpp"

#include <algorithm>
#include <string>

#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/outlook.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

enum class Control { none, calibrate, cancel };

struct Stand {
  std::string sentence{};
  std::string remedy{};
  Control control = Control::none;
  bool is_problem = false;
};

using State = run::CalibrationStatus::State;

Stand stand_of(const Frame& frame) {
  const std::optional<run::CalibrationStatus>& status = frame.run.calibration;
  if (status.has_value() && status->is_running()) {
    const std::string steps =
        status->steps == 0 ? "" : ", " + count_text(status->steps) + " of them so far";
    return {.sentence = "Calibrating: small steps are run" + steps, .control = Control::cancel};
  }
  const Outlook& outlook = frame.shell.outlook;
  if (!outlook.problem.empty())
    return {.sentence = outlook.problem, .control = Control::calibrate, .is_problem = true};
  if (outlook.costs == CostsState::known) return {.sentence = "Computing"};
  if (status.has_value() && status->state == State::failed) {
    return {.sentence = "The calibration failed: " + status->problem.subject,
            .remedy = status->problem.remedy,
            .control = Control::calibrate,
            .is_problem = true};
  }
  if (outlook.costs == CostsState::looked_for)
    return {.sentence = "Looking for an earlier calibration"};
  return {.sentence =
              "Needs a calibration: small steps of this network are measured on this "
              "machine, once, for about half a minute",
          .control = Control::calibrate};
}

/// Wrapped and centred; returns its height in pixels.
float draw_sentence(const Frame& frame, const std::string& sentence, const ImVec2& top_middle,
                    float width, const ImVec4& colour) {
  if (sentence.empty()) return 0;
  ImFont* const font = frame.fonts.regular;
  const float size = frame.px(FontSize::kTable);
  const ImVec2 extent =
      font->CalcTextSizeA(size, FLT_MAX, width, sentence.data(), sentence.data() + sentence.size());
  ImGui::GetWindowDrawList()->AddText(font, size, {top_middle.x - extent.x / 2, top_middle.y},
                                      packed(colour), sentence.data(),
                                      sentence.data() + sentence.size(), width);
  return extent.y;
}

void draw_control(const Frame& frame, const std::string& name, Control control,
                  const ImVec2& top_middle) {
  constexpr float kWidth = 104;
  ImGui::SetCursorScreenPos({top_middle.x - frame.px(kWidth / 2), top_middle.y});
  if (control == Control::cancel) {
    if (button(frame, (name + "/cancel").c_str(), "Cancel", {.width = kWidth}))
      frame.command(run::CancelMeasurement{});
    return;
  }
  const char* const refused = run::refusal(frame.run.state, run::Action::calibrate);
  if (button(frame, (name + "/calibrate").c_str(), "Calibrate",
             {.width = kWidth, .refusal = refused == nullptr ? "" : refused})) {
    frame.command(run::Calibrate{.settings = settings_to_calibrate(frame)});
  }
}

}  // namespace

void draw_calibration_state(const Frame& frame, const char* name, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImVec2 room = ImGui::GetContentRegionAvail();
  if (height > 0) room.y = frame.px(height);
  if (room.x < frame.px(120) || room.y < frame.px(60)) {
    ImGui::Dummy({1, 1});
    return;
  }
  const Stand stand = stand_of(frame);
  const float width = std::min(room.x, frame.px(420));
  const float middle = at.x + room.x / 2;
  const bool has_icon = room.y >= frame.px(150);
  float y = at.y + std::max(frame.px(4), room.y / 2 - frame.px(has_icon ? 60 : 34));
  if (has_icon) {
    draw_icon(frame, *ImGui::GetWindowDrawList(), {middle, y + frame.px(14)},
              stand.is_problem ? icon::kAlertCircle : icon::kGrid, 28,
              stand.is_problem ? frame.theme.bad : frame.theme.text3);
    y += frame.px(38);
  }
  y += draw_sentence(frame, stand.sentence, {middle, y}, width,
                     stand.is_problem ? frame.theme.bad : frame.theme.text2) +
       frame.px(4);
  y += draw_sentence(frame, stand.remedy, {middle, y}, width, frame.theme.text2);
  const std::string state_name = std::string(name) + "/state";
  frame.record(state_name, at, {at.x + room.x, at.y + room.y}, true,
               stand.remedy.empty() ? stand.sentence : stand.sentence + ". " + stand.remedy);
  if (stand.control != Control::none)
    draw_control(frame, name, stand.control, {middle, y + frame.px(6)});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(room);
}

}  // namespace headroom::ui
