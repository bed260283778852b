#include "ui/dashboard.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>

#include "ui/dock_frame.hpp"
#include "ui/top_bar.hpp"

namespace headroom::ui {
namespace {

constexpr ImGuiWindowFlags kFixedWindow =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoBringToFrontOnFocus;
constexpr float kGutter = 8;

/// A borderless window over a part of the screen, of one colour.
void begin_fixed(const char* name, const ImVec2& at, const ImVec2& size, const ImVec4& ground,
                 ImGuiWindowFlags more = 0) {
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ground);
  ImGui::Begin(name, nullptr, kFixedWindow | more);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

bool is_without_run(const run::RunSnapshot& run) { return run.state == run::RunState::empty; }

}  // namespace

Dashboard::Dashboard(Fonts fonts, Preferences preferences)
    : fonts_(fonts), preferences_(preferences) {}

void Dashboard::apply_theme(float scale) {
  if (styled_scale_ == scale && styled_theme_ == preferences_.theme) return;
  apply_style(theme_of(preferences_.theme), scale);
  // The glyphs of the scale before would stay for ever.
  if (styled_scale_ > 0 && styled_scale_ != scale) ImGui::GetIO().Fonts->CompactCache();
  styled_scale_ = scale;
  styled_theme_ = preferences_.theme;
}

Asked Dashboard::draw(const FrameInput& input) {
  const float scale = input.scale * preferences_.size;
  apply_theme(scale);
  shared_.cursor_step = std::exchange(shared_.next_cursor_step, std::nullopt);
  shared_.hovered_stage = std::exchange(shared_.next_hovered_stage, -1);
  shared_.is_animating = false;
  shared_.request_edit.observe(*input.run);
  Asked asked;
  const Frame frame{.run = *input.run,
                    .shell = input.shell,
                    .theme = theme_of(preferences_.theme),
                    .fonts = fonts_,
                    .preferences = preferences_,
                    .shared = shared_,
                    .textures = input.textures,
                    .asked = asked,
                    .probe = input.probe,
                    .scale = scale,
                    .seconds = input.seconds};
  ImGui::PushFont(fonts_.regular, FontSize::kBody);
  draw_screen(frame);
  ImGui::PopFont();
  // Whatever key or button reached a panel: the run is being saved, and nothing else is asked of
  // it.
  if (input.shell.is_closing) return {};
  return asked;
}

void Dashboard::draw_screen(const Frame& frame) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float bar = frame.px(top_bar_height(frame));
  begin_fixed("##top", {0, 0}, {screen.x, bar}, frame.theme.bg1);
  follow_request(frame.run, run_settings_);
  draw_top_bar(frame, start_refusal(run_settings_));
  ImGui::End();
  const ImVec2 size{screen.x, std::max(1.0F, screen.y - bar)};
  if (is_without_run(frame.run)) {
    begin_fixed("##first_start", {0, bar}, size, frame.theme.bg0);
    draw_first_start(frame);
    ImGui::End();
  } else {
    begin_fixed("##panels", {0, bar}, size, frame.theme.bg0);
    draw_panels(frame, {size.x, std::max(1.0F, size.y - room_for_notices(frame, notices_))});
  }
  take_shortcuts(frame);
  draw_notices(frame, notices_);
  if (std::exchange(shared_.folder_dialog_is_due, false)) folder_dialog_.should_open = true;
  draw_folder_dialog(frame, folder_dialog_);
}

void Dashboard::take_shortcuts(const Frame& frame) {
  constexpr ImGuiInputFlags kAnywhere = ImGuiInputFlags_RouteGlobal;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Q, kAnywhere)) frame.request(Quit{});
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_O, kAnywhere)) folder_dialog_.should_open = true;
}

void Dashboard::keep_layout(const Frame& frame, ImGuiID dock_space, const ImVec2& size) {
  const bool is_small = frame.is_small();
  const bool crossed = std::exchange(layout_was_small_, is_small).value_or(is_small) != is_small;
  const bool is_new = ImGui::DockBuilderGetNode(dock_space) == nullptr || has_unplaced_panel();
  const bool is_due = std::exchange(shared_.layout_reset_is_due, false);
  if (is_new || is_due || (crossed && layout_text(dock_space) == default_layout_)) {
    build_default_layout(frame, dock_space, size);
    default_layout_ = layout_text(dock_space);
    // The window docked last would be the visible tab.
    frames_to_focus_ = 3;
  }
}

void Dashboard::draw_panels(const Frame& frame, const ImVec2& size) {
  model_plan_.edit.observe(frame.run, frame.seconds);
  const float gutter = frame.px(kGutter);
  const ImVec2 inner{std::max(1.0F, size.x - 2 * gutter), std::max(1.0F, size.y - 2 * gutter)};
  const ImGuiID dock_space = ImGui::GetID("panels");
  keep_layout(frame, dock_space, inner);

  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, header_padding(frame));
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme.bg0);
  ImGui::PushFont(fonts_.semibold, FontSize::kButton);
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + gutter, ImGui::GetWindowPos().y + gutter});
  ImGui::DockSpace(dock_space, inner, ImGuiDockNodeFlags_NoWindowMenuButton);
  decorate_headers(frame, dock_space);
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::End();

  draw_panel(frame, PanelId::model_plan, [&] { draw_model_plan(frame, model_plan_); });
  draw_panel(frame, PanelId::training, [&] {
    if (frame.run.state == run::RunState::ready) {
      draw_run_settings(frame, run_settings_);
    } else {
      draw_training(frame, training_);
    }
  });
  draw_panel(frame, PanelId::step_memory, [&] { draw_step_memory(frame, step_memory_); });
  draw_panel(frame, PanelId::what_fits,
             [&] { draw_what_fits(frame, what_fits_, model_plan_.edit); });
  draw_panel(frame, PanelId::preview, [&] { draw_preview(frame, preview_); });
  draw_panel(frame, PanelId::log, [&] { draw_log(frame, log_); });
  outlook_question_.follow(frame, model_plan_.edit.plan());
  if (frames_to_focus_ > 0 && --frames_to_focus_ == 0) {
    ImGui::SetWindowFocus(panel(PanelId::step_memory).id);
  }
  if (frames_to_focus_ > 0) shared_.is_animating = true;
}

template <typename Draw>
void Dashboard::draw_panel(const Frame& frame, PanelId id, Draw draw) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, header_padding(frame));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding,
                      {frame.px(16), frame.px(frame.is_small() ? 8 : 10)});
  ImGui::PushFont(fonts_.semibold, FontSize::kButton);
  const std::string title = panel_title(frame, panel(id).title, panel(id).id);
  const bool is_visible = ImGui::Begin(
      title.c_str(), nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopFont();
  ImGui::PopStyleVar(2);
  if (is_visible) {
    draw();
    mask_lower_corners(frame);
  }
  ImGui::End();
}

}  // namespace headroom::ui
