#include "app/window/key_order.hpp"

#include <algorithm>

namespace headroom::app {
namespace {

bool is_modifier(ImGuiKey key) { return ImGui::IsLRModKey(key) || (key & ImGuiMod_Mask_) != 0; }

bool is_press(const ImGuiInputEvent& event) {
  if (event.Type == ImGuiInputEventType_MouseButton) return event.MouseButton.Down;
  return event.Type == ImGuiInputEventType_Key && event.Key.Down && !is_modifier(event.Key.Key);
}

bool is_modifier_release(const ImGuiInputEvent& event) {
  return event.Type == ImGuiInputEventType_Key && !event.Key.Down && is_modifier(event.Key.Key);
}

}  // namespace

void KeyOrder::hold_back() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const auto press = std::find_if(queue.begin(), queue.end(), is_press);
  const auto release = std::find_if(press, queue.end(), is_modifier_release);
  held_.assign(release, queue.end());
  queue.resize(static_cast<int>(release - queue.begin()));
}

void KeyOrder::give_back() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  for (const ImGuiInputEvent& event : held_) queue.push_back(event);
  held_.clear();
}

bool has_waiting_input() { return !ImGui::GetCurrentContext()->InputEventsQueue.empty(); }

}  // namespace headroom::app
