#pragma once
// What a draw function gets: everything that one frame reads, and where it puts what the person
// asked for. Made anew for each frame; the UI thread.

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/run/snapshot.hpp"
#include "ui/fonts.hpp"
#include "ui/probe.hpp"
#include "ui/request.hpp"
#include "ui/request_edit.hpp"
#include "ui/shell.hpp"
#include "ui/texture_source.hpp"
#include "ui/theme.hpp"
#include "ui/workspace.hpp"

namespace headroom::ui {

/// Kept between starts of the program.
struct Preferences {
  ThemeKind theme = ThemeKind::dark;
  float smoothing = 0.9F;   ///< weight of the past in smoothed curves, 0 … 0.99
  bool loss_is_log = true;  ///< the loss axis
  float overlay_opacity = 0.8F;
  bool reduce_motion = false;
  float size = 1;  ///< of everything, beside what the monitor asks for; kLeastSize … kMostSize

  static constexpr float kLeastSize = 0.5F, kMostSize = 3;
};

/// What several panels share; the dashboard's own, kept from frame to frame.
struct SharedView {
  std::optional<std::int64_t> cursor_step{};  ///< under the mouse in a step chart, for all of them
  std::optional<std::int64_t> next_cursor_step{};  ///< found in this frame
  Workspace workspace = Workspace::train;
  int hovered_stage = -1;       ///< lights block, row and band; stage index, the head is one more
  int next_hovered_stage = -1;  ///< found in this frame
  int selected_stage = 0;
  RequestEdit request_edit{};         ///< of a run that has not started
  bool layout_reset_is_due = false;   ///< the panels are docked as at first with the next frame
  bool folder_dialog_is_due = false;  ///< a folder is to be chosen
  bool is_animating = false;          ///< something moves: the next frame is due at once
};

struct Frame {
  const run::RunSnapshot& run;
  const Shell& shell;
  const Theme& theme;
  const Fonts& fonts;
  Preferences& preferences;
  SharedView& shared;
  TextureSource& textures;
  Asked& asked;
  Probe* probe = nullptr;  ///< may be null
  float scale = 1;         ///< of the monitor: pixels per design pixel
  double seconds = 0;      ///< steady time, for motion

  /// Design pixels to pixels.
  [[nodiscard]] float px(float design_pixels) const { return design_pixels * scale; }
  /// True in windows below 1600 design pixels, which use the small measures.
  [[nodiscard]] bool is_small() const { return ImGui::GetIO().DisplaySize.x < px(1600); }

  /// One of the commands, made in place.
  template <typename Command>
  void command(Command command) const {
    asked.commands.emplace_back(std::move(command));
  }
  void request(Request request) const { asked.requests.push_back(std::move(request)); }
  /// Tells the probe of a control that was just drawn.
  void record(std::string_view name, const ImVec2& min, const ImVec2& max, bool enabled = true,
              std::string_view text = {}) const {
    if (probe != nullptr) probe->record({std::string(name), min, max, enabled, std::string(text)});
  }
};

}  // namespace headroom::ui
