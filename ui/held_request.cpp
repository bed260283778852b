#include "ui/held_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kPopup = "Drop the edits?";
constexpr float kWidth = 420;

void draw_contents(const Frame& frame, HeldRequest& held, const MappingEdit& edit) {
  text(frame, kPopup, {.size = FontSize::kBody, .weight = Weight::semibold});
  const std::string words = fmt::format(
      "{} of the mapping of mask values {} not applied and would be lost.",
      edit.steps() == 1 ? std::string("One edit") : fmt::format("{} edits", edit.steps()),
      edit.steps() == 1 ? "was" : "were");
  ImGui::PushFont(frame.fonts.regular, FontSize::kTable);
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.text2);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x);
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  const bool keeps = button(frame, "held/keep", "Keep editing",
                            {.kind = ButtonKind::primary, .width = 128, .height = 32});
  ImGui::SameLine();
  if (button(frame, "held/drop", "Drop the edits", {.width = 132, .height = 32})) {
    frame.asked.requests.push_back(*std::exchange(held.request, std::nullopt));
    ImGui::CloseCurrentPopup();
    return;
  }
  if (!keeps && !ImGui::IsKeyPressed(ImGuiKey_Escape)) return;
  held.request.reset();
  ImGui::CloseCurrentPopup();
}

}  // namespace

bool drops_edits(const Request& request) {
  if (const auto* const read = std::get_if<ReadData>(&request)) return read->mapping == nullptr;
  return std::holds_alternative<OpenFolder>(request) ||
         std::holds_alternative<TrySample>(request) ||
         std::holds_alternative<ContinueRun>(request) || std::holds_alternative<Quit>(request);
}

void hold_back(const Frame& frame, HeldRequest& held, const MappingEdit& edit) {
  std::vector<Request>& asked = frame.asked.requests;
  if (edit.is_changed() && !held.request) {
    const auto found = std::ranges::find_if(asked, drops_edits);
    if (found != asked.end()) {
      held.request = std::move(*found);
      asked.erase(found);
      ImGui::OpenPopup(kPopup);
    }
  }
  if (!held.request) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(frame.px(kWidth), screen.x - frame.px(16)), 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(20), frame.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(12)});
  if (ImGui::BeginPopupModal(kPopup, nullptr,
                             ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings)) {
    draw_contents(frame, held, edit);
    ImGui::EndPopup();
  } else {
    held.request.reset();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace headroom::ui
