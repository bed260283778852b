#include "ui/dashboard.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/run/state_machine.hpp"
#include "ui/data_panel.hpp"
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
  follow_data(frame, data_);
  choose_workspace(frame);
  draw_screen(frame);
  hold_back(frame, held_request_, data_.mapping);
  ImGui::PopFont();
  // Whatever key or button reached a panel: the run is being saved, and nothing else is asked of
  // it.
  if (input.shell.is_closing) return {};
  return asked;
}

void Dashboard::choose_workspace(const Frame& frame) {
  const bool has_begun = run::is_at_rest(state_before_) && !run::is_at_rest(frame.run.state);
  state_before_ = frame.run.state;
  if (has_begun) shared_.workspace = Workspace::train;
  const auto folder = data_.of == nullptr ? std::filesystem::path() : data_.of->folder;
  if (opened_folder_ != folder) {
    opened_folder_ = folder;
    if (!folder.empty() && run::is_at_rest(frame.run.state)) shared_.workspace = Workspace::data;
  }
  if (const auto asked = std::exchange(workspace_to_show_, std::nullopt))
    shared_.workspace = *asked;
  if (sample_to_show_.empty() || data_.of == nullptr) return;
  const auto found = std::ranges::find(data_.of->samples, sample_to_show_, &FolderSample::id);
  sample_to_show_.clear();
  if (found != data_.of->samples.end())
    choose_sample(data_, static_cast<std::size_t>(found - data_.of->samples.begin()));
}

void Dashboard::draw_screen(const Frame& frame) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float bar = frame.px(top_bar_height(frame));
  begin_fixed("##top", {0, 0}, {screen.x, bar}, frame.theme.bg1);
  follow_request(frame.run, run_settings_);
  run_settings_.data_refusal = data_start_refusal(frame.run, data_);
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
  if (is_without_run(frame.run)) return;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_1, kAnywhere)) shared_.workspace = Workspace::data;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_2, kAnywhere)) shared_.workspace = Workspace::train;
}

void Dashboard::keep_layout(const Frame& frame, const DockPlace& place) {
  if (std::exchange(shared_.layout_reset_is_due, false)) {
    for (Layout& each : layouts_) each.reset_is_due = true;
  }
  Layout& layout = layouts_[static_cast<std::size_t>(place.workspace)];
  const bool is_small = frame.is_small();
  const bool crossed = std::exchange(layout.was_small, is_small).value_or(is_small) != is_small;
  const bool is_new =
      ImGui::DockBuilderGetNode(place.id) == nullptr || has_unplaced_panel(place.workspace);
  const bool is_due = std::exchange(layout.reset_is_due, false);
  if (is_new || is_due || (crossed && layout_text(place.id) == layout.by_default)) {
    build_default_layout(frame, place);
    layout.by_default = layout_text(place.id);
    // The window docked last would be the visible tab.
    layout.frames_to_focus = 3;
  }
}

void Dashboard::draw_dock_space(const Frame& frame, const ImVec2& size) {
  const float gutter = frame.px(kGutter);
  const ImVec2 inner{std::max(1.0F, size.x - 2 * gutter), std::max(1.0F, size.y - 2 * gutter)};
  constexpr std::array<const char*, kWorkspaces> kDockSpaces = {"data_panels", "panels"};
  const auto shown = static_cast<std::size_t>(shared_.workspace);
  const ImGuiID dock_space = ImGui::GetID(kDockSpaces[shown]);
  keep_layout(frame, {.workspace = shared_.workspace, .id = dock_space, .size = inner});
  // The panels of the others stay where they are docked.
  for (const char* const other : kDockSpaces) {
    if (other != kDockSpaces[shown] && ImGui::DockBuilderGetNode(ImGui::GetID(other)) != nullptr)
      ImGui::DockSpace(ImGui::GetID(other), {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, header_padding(frame));
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme.bg0);
  ImGui::PushFont(fonts_.semibold, FontSize::kButton);
  ImGui::SetCursorScreenPos({ImGui::GetWindowPos().x + gutter, ImGui::GetWindowPos().y + gutter});
  ImGui::DockSpace(dock_space, inner, ImGuiDockNodeFlags_NoWindowMenuButton);
  decorate_headers(frame, dock_space);
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

void Dashboard::draw_panels(const Frame& frame, const ImVec2& size) {
  model_plan_.edit.observe(frame.run, frame.seconds);
  draw_dock_space(frame, size);
  ImGui::End();
  if (shared_.workspace == Workspace::data) {
    draw_data_panels(frame);
  } else {
    draw_train_panels(frame);
  }
  Layout& layout = layouts_[static_cast<std::size_t>(shared_.workspace)];
  if (layout.frames_to_focus > 0 && --layout.frames_to_focus == 0) {
    ImGui::SetWindowFocus(
        panel(shared_.workspace == Workspace::data ? PanelId::data : PanelId::step_memory).id);
  }
  if (layout.frames_to_focus > 0) shared_.is_animating = true;
}

void Dashboard::draw_data_panels(const Frame& frame) {
  draw_panel(frame, PanelId::data, [&] { draw_data(frame, data_); });
  draw_panel(frame, PanelId::sample, [&] { draw_sample_preview(frame, sample_preview_, data_); });
  draw_panel(frame, PanelId::class_balance, [&] { draw_class_balance(frame, class_balance_); });
  ask_for_pictures(frame, data_);
}

void Dashboard::draw_train_panels(const Frame& frame) {
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
