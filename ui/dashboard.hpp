#pragma once
// The dashboard as a whole: one frame from a snapshot to what the person asked for. Owned by the
// program's window or a test; the UI thread, with an ImGui and an ImPlot context current.

#include <imgui.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/run/snapshot.hpp"
#include "ui/class_balance.hpp"
#include "ui/data_state.hpp"
#include "ui/dock_layout.hpp"
#include "ui/first_start.hpp"
#include "ui/folder_dialog.hpp"
#include "ui/frame.hpp"
#include "ui/held_request.hpp"
#include "ui/log.hpp"
#include "ui/model_plan.hpp"
#include "ui/notices.hpp"
#include "ui/outlook.hpp"
#include "ui/preview.hpp"
#include "ui/run_settings.hpp"
#include "ui/sample_preview.hpp"
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

  /// With the next frame.
  void show(Workspace workspace) { workspace_to_show_ = workspace; }
  /// A sample of Shell::data by its id, in the preview of the workspace Data; with the next frame.
  void show_sample(std::string id) { sample_to_show_ = std::move(id); }

 private:
  void apply_theme(float scale);
  void draw_screen(const Frame& frame);
  void take_shortcuts(const Frame& frame);
  /// To Data where a folder was opened, to Train where a run has begun, or where it was asked for.
  void choose_workspace(const Frame& frame);
  /// Docks the panels where nobody has yet, where that is asked for, and where the window has
  /// become small or large while nobody had moved a panel.
  void keep_layout(const Frame& frame, const DockPlace& place);
  void draw_dock_space(const Frame& frame, const ImVec2& size);
  void draw_panels(const Frame& frame, const ImVec2& size);
  void draw_train_panels(const Frame& frame);
  void draw_data_panels(const Frame& frame);
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
  DataState data_{};
  SamplePreviewState sample_preview_{};
  ClassBalanceState class_balance_{};
  HeldRequest held_request_{};
  std::optional<Workspace> workspace_to_show_{};
  std::string sample_to_show_{};                       ///< its id; empty: none
  std::filesystem::path opened_folder_{};              ///< that Data was shown for
  run::RunState state_before_ = run::RunState::empty;  ///< in the frame before
  /// How the panels of one workspace are docked.
  struct Layout {
    std::optional<bool> was_small{};  ///< in the frame before; nothing before the first
    std::string by_default{};         ///< as it was built last; empty: it was not
    bool reset_is_due = false;
    int frames_to_focus = 0;  ///< until the layout has settled and its first tab is chosen
  };
  std::array<Layout, kWorkspaces> layouts_{};
};

}  // namespace headroom::ui
