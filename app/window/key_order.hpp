#pragma once
// The order in which ImGui takes what was pressed, for frames that are slower than fingers. Works
// on the current ImGui context; the UI thread.

#include <imgui.h>
#include <imgui_internal.h>

#include <vector>

namespace headroom::app {

/// ImGui parts press and release of one key over two frames, but takes the release of a modifier
/// together with a key that was pressed before it: a Ctrl+Q tapped while a frame was drawn would be
/// a plain Q. Such a release, and what follows it, waits here for the next frame.
class KeyOrder {
 public:
  /// Before ImGui::NewFrame, after the backends'.
  void hold_back();
  /// After ImGui::NewFrame.
  void give_back();

 private:
  std::vector<ImGuiInputEvent> held_{};
};

/// True while something that was pressed or typed has not reached a frame.
[[nodiscard]] bool has_waiting_input();

}  // namespace headroom::app
