#pragma once
// Where the controls of a frame are: filled while a frame is drawn, read by tests and by scripts
// that click. Installed by whoever wants it; null in normal use. The UI thread.

#include <imgui.h>

#include <string>
#include <string_view>

namespace headroom::ui {

/// One control as it was drawn.
struct ProbedItem {
  std::string name{};  ///< stable: "top/primary", "plan/stage/enc1", "plan/policy/full"
  ImVec2 min{}, max{};
  bool enabled = true;
  std::string text{};  ///< what it shows, or why it is disabled
};

class Probe {
 public:
  virtual ~Probe() = default;
  void record(ProbedItem item) { do_record(std::move(item)); }

 private:
  virtual void do_record(ProbedItem item) = 0;
};

}  // namespace headroom::ui
