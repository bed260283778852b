#include "ui/plan_keys.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <array>

namespace headroom::ui {
namespace {

constexpr std::array kMoves = {ImGuiKey_LeftArrow, ImGuiKey_UpArrow, ImGuiKey_RightArrow,
                               ImGuiKey_DownArrow};
constexpr std::array kCycles = {ImGuiKey_Space, ImGuiKey_Enter, ImGuiKey_KeypadEnter};
constexpr std::array kDigits = {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3, ImGuiKey_4};
constexpr std::array kKeypad = {ImGuiKey_Keypad1, ImGuiKey_Keypad2, ImGuiKey_Keypad3,
                                ImGuiKey_Keypad4};

/// Ownership holds for one frame beyond this one: the press is ours, whoever looks at it first.
bool is_pressed(ImGuiKey key, ImGuiID owner, ImGuiInputFlags flags = 0) {
  const bool pressed = ImGui::IsKeyPressed(key, flags, owner);
  ImGui::SetKeyOwner(key, owner);
  return pressed;
}

void read_focused_keys(PlanKeys& keys) {
  const ImGuiID owner = ImGui::GetID("plan_keys");
  for (const ImGuiKey key : kMoves) {
    if (!is_pressed(key, owner, ImGuiInputFlags_Repeat)) continue;
    keys.move = key == ImGuiKey_LeftArrow || key == ImGuiKey_UpArrow ? -1 : 1;
    // Space shall act on the stage from here on, not on what the cursor was at.
    ImGui::SetNavCursorVisible(false);
  }
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    const bool digit = is_pressed(kDigits[i], owner);
    if (is_pressed(kKeypad[i], owner) || digit) keys.chosen = static_cast<plan::Policy>(i);
  }
  for (const ImGuiKey key : {ImGuiKey_Minus, ImGuiKey_KeypadSubtract}) {
    if (is_pressed(key, owner, ImGuiInputFlags_Repeat)) keys.budget_steps = -1;
  }
  for (const ImGuiKey key : {ImGuiKey_Equal, ImGuiKey_KeypadAdd}) {
    if (is_pressed(key, owner, ImGuiInputFlags_Repeat)) keys.budget_steps = 1;
  }
  if (ImGui::GetCurrentContext()->NavCursorVisible) return;
  for (const ImGuiKey key : kCycles) {
    if (is_pressed(key, owner)) keys.cycles = true;
  }
}

}  // namespace

PlanKeys read_plan_keys() {
  PlanKeys keys;
  const ImGuiIO& io = ImGui::GetIO();
  const bool has_popup =
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  if (io.WantTextInput || has_popup) return keys;
  keys.undoes = ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z);
  const bool has_focus =
      ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows | ImGuiFocusedFlags_NoPopupHierarchy);
  if (has_focus && !io.KeyCtrl && !io.KeyAlt) read_focused_keys(keys);
  return keys;
}

}  // namespace headroom::ui
