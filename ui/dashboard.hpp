#pragma once
// The dashboard as a whole: one frame from a snapshot to what the person asked for. Owned by the
// program's window or a test; the UI thread, with an ImGui and an ImPlot context current.

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>

#include "core/run/snapshot.hpp"
#include "ui/dock_layout.hpp"
#include "ui/first_start.hpp"
#include "ui/folder_dialog.hpp"
#include "ui/frame.hpp"
#include "ui/log.hpp"
#include "ui/model_plan.hpp"
#include "ui/notices.hpp"
#include "ui/outlook.hpp"
#include "ui/preview.hpp"
#include "ui/run_settings.hpp"
#include "ui/step_memory.hpp"
#include "ui/training.hpp"
#include "ui/what_fits.hpp"

namespace headroom::ui {

/// What one frame is drawn from.
struct FrameInput {
  std::shared_ptr<const run::RunSnapshot> run{};  ///< never null
  const Shell& shell;
  TextureSource& textures;
  Probe* probe = nullptr;  ///< may be null
  float scale = 1;         ///< of the monitor
  double seconds = 0;      ///< steady time
};

class Dashboard {
 public:
  /// Fonts are those of the current context.
  Dashboard(Fonts fonts, Preferences preferences);

  /// Between ImGui::NewFrame and ImGui::Render.
  [[nodiscard]] Asked draw(const FrameInput& input);

  /// True while something moves, so that the next frame is due at once.
  [[nodiscard]] bool is_animating() const { return shared_.is_animating; }
  [[nodiscard]] const Preferences& preferences() const { return preferences_; }

 private:
  void apply_theme(float scale);
  void draw_screen(const Frame& frame);
  void take_shortcuts(const Frame& frame);
  /// Docks the panels where nobody has yet, where that is asked for, and where the window has
  /// become small or large while nobody had moved a panel.
  void keep_layout(const Frame& frame, ImGuiID dock_space, const ImVec2& size);
  void draw_panels(const Frame& frame, const ImVec2& size);
  template <typename Draw>
  void draw_panel(const Frame& frame, PanelId id, Draw draw);

  Fonts fonts_;
  Preferences preferences_;
  SharedView shared_{};
  ModelPlanState model_plan_{};
  WhatFitsState what_fits_{};
  OutlookQuestion outlook_question_{};
  TrainingState training_{};
  StepMemoryState step_memory_{};
  PreviewState preview_{};
  RunSettingsState run_settings_{};
  LogState log_{};
  FolderDialogState folder_dialog_{};
  NoticesState notices_{};
  float styled_scale_ = 0;  ///< 0: the style is still to be set
  ThemeKind styled_theme_ = ThemeKind::dark;
  std::optional<bool> layout_was_small_{};  ///< in the frame before; nothing before the first
  std::string default_layout_{};            ///< as it was built last; empty: it was not
  int frames_to_focus_ = 0;  ///< until the layout has settled and its first tab is chosen
};

}  // namespace headroom::ui
