#include "ui/notices.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/duration.hpp"
#include "core/base/io_error.hpp"
#include "core/run/log_text.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/run_actions.hpp"
#include "ui/widgets.hpp"
#include "ui/window_words.hpp"

namespace headroom::ui {
namespace {

using run::RunState;

constexpr float kFailureWidth = 660;
constexpr float kProblemWidth = 760;
constexpr float kBannerHeight = 48, kBannerGap = 8;
constexpr TextStyle kBannerText{.size = FontSize::kButton, .weight = Weight::medium};
constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                                    ImGuiWindowFlags_NoFocusOnAppearing;

void begin_notice(const Frame& frame, const char* name, ImGuiWindowFlags more = 0) {
  ImGui::PushStyleColor(ImGuiCol_WindowBg, frame.theme.bg2);
  ImGui::PushStyleColor(ImGuiCol_Border, frame.theme.line2);
  ImGui::Begin(name, nullptr, kFlags | more);
  // Panels come to the front when they are clicked; a notice stays over them, below menus alone.
  if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel))
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
}

void end_notice() {
  ImGui::End();
  ImGui::PopStyleColor(2);
}

/// Lines as wide as the window, or up to `wrap_x` in it.
void wrapped(const Frame& frame, std::string_view words, const TextStyle& style, float wrap_x = 0) {
  if (words.empty()) return;
  ImGui::PushFont(font_of(frame.fonts, style.weight), style.size);
  ImGui::PushStyleColor(ImGuiCol_Text, style.colour);
  ImGui::PushTextWrapPos(wrap_x);
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

// ---------------------------------------------------------------- a run that failed

std::string saved_text(const run::Failed& error) {
  if (error.saved_step > 0)
    return "The state after step " + count_text(error.saved_step) + " is saved.";
  if (error.step <= 0) return "It ended before its first step was done.";
  return "Nothing was saved: the run ended after step " + count_text(error.step) + ".";
}

void draw_failure_words(const Frame& frame, const run::Failed& error) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(frame, *ImGui::GetWindowDrawList(), {at.x + frame.px(11), at.y + frame.px(9)},
            icon::kAlertCircle, 22, frame.theme.bad);
  ImGui::SetCursorScreenPos({at.x + frame.px(30), at.y});
  text(frame, "The run has failed", {.size = FontSize::kBrand, .weight = Weight::semibold});
  const std::string attempted = window_words(error.error.attempted + ": " + error.error.subject);
  const std::string remedy = window_words(error.error.remedy);
  wrapped(frame, attempted, {.size = FontSize::kButton, .colour = frame.theme.text1});
  wrapped(frame, remedy, {.size = FontSize::kButton, .colour = frame.theme.text2});
  wrapped(frame, saved_text(error), {.size = FontSize::kTable, .colour = frame.theme.text3});
  frame.record("notice/failure", at, ImGui::GetCursorScreenPos(), true, attempted + '\n' + remedy);
}

/// Beside the button before, where the next one has room there.
void continue_row(const Frame& frame, std::string_view next_label) {
  const TextStyle style{.size = FontSize::kButton, .weight = Weight::medium};
  const float width = text_size(frame, next_label, style).x + frame.px(48);
  const float end = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - frame.px(24);
  if (ImGui::GetItemRectMax().x + frame.px(8) + width <= end) ImGui::SameLine();
}

void draw_failure_actions(const Frame& frame, const run::Failed& error, NoticesState& state) {
  if (can_continue(frame.run)) {
    const std::string label = "Continue from step " + count_text(error.saved_step);
    if (button(frame, "notice/continue", label,
               {.kind = ButtonKind::primary, .icon = icon::kPlay, .height = 32})) {
      frame.request(ContinueRun{.run_folder = frame.run.request->run_folder});
    }
    continue_row(frame, "Change settings");
  }
  if (frame.run.request.has_value()) {
    if (button(frame, "notice/change", "Change settings",
               {.kind = can_continue(frame.run) ? ButtonKind::plain : ButtonKind::primary,
                .icon = icon::kSettings,
                .height = 32,
                .tooltip = "Set up another run with the same data and settings"})) {
      frame.request(NewRun{.like = *frame.run.request});
    }
    continue_row(frame, "Open another folder");
  }
  if (button(frame, "notice/open", "Open another folder", {.icon = icon::kFolder, .height = 32}))
    frame.shared.folder_dialog_is_due = true;
  continue_row(frame, "Close");
  if (button(frame, "notice/close", "Close", {.height = 32})) state.end_is_dismissed = true;
}

void draw_failure(const Frame& frame, const run::Failed& error, NoticesState& state) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(frame.px(kFailureWidth), screen.x - frame.px(16));
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - frame.px(16)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(24), frame.px(20)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(10)});
  begin_notice(frame, "##failure", ImGuiWindowFlags_AlwaysAutoResize);
  draw_failure_words(frame, error);
  ImGui::Dummy({1, frame.px(2)});
  draw_failure_actions(frame, error, state);
  end_notice();
  ImGui::PopStyleVar(2);
}

// ---------------------------------------------------------------- banners

struct BannerButton {
  const char* name;
  std::string label;
};

struct Banner {
  const char* id;
  const char* icon;
  ImVec4 colour{};
  std::string words{};
  std::vector<BannerButton> buttons{};
  const char* close = nullptr;  ///< name of its closing button; null: it stays
  float share = -2;             ///< of a bar along its foot; below −1: none, below 0: not known
};

float label_width(const Frame& frame, const std::string& label) {
  return text_size(frame, label, {.size = FontSize::kTable, .weight = Weight::medium}).x +
         frame.px(22);
}

/// `buttons`: pixels that these take at the right end.
void draw_banner_bar(const Frame& frame, float share, float buttons) {
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const ImVec2 min{at.x + frame.px(16), at.y + size.y - frame.px(8)};
  const ImVec2 max{at.x + size.x - frame.px(16) - buttons, min.y + frame.px(3)};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (share >= 0) {
    draw_bar(frame, list, min, max, share, frame.theme.accent);
    return;
  }
  // How much is left is not known: a piece that wanders, or rests where motion is not wanted.
  const bool moves = !frame.preferences.reduce_motion;
  const auto place = moves ? static_cast<float>(std::fmod(frame.seconds / 1.6, 1.0)) : 0.35F;
  draw_bar(frame, list, min, max, 0, frame.theme.accent);
  const float width = max.x - min.x;
  const float begin = std::clamp(min.x + (place * 1.3F - 0.3F) * width, min.x, max.x);
  const float end = std::clamp(min.x + place * 1.3F * width, min.x, max.x);
  list.AddRectFilled({begin, min.y}, {end, max.y}, packed(frame.theme.accent), frame.px(1.5F));
  if (moves) frame.shared.is_animating = true;
}

/// Room that a banner's icon, buttons and margins take, in pixels.
struct BannerRoom {
  float buttons = 0, fixed = 0;
};
BannerRoom banner_room(const Frame& frame, const Banner& banner) {
  BannerRoom room;
  room.buttons = banner.close != nullptr ? frame.px(36) : 0;
  for (const BannerButton& each : banner.buttons)
    room.buttons += label_width(frame, each.label) + frame.px(8);
  room.fixed = frame.px(48 + 24) + room.buttons;
  return room;
}

void draw_banner_words(const Frame& frame, const Banner& banner, const ImVec2& at, float room) {
  const float height = frame.px(kBannerHeight);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_icon(frame, list, {at.x + frame.px(28), at.y + height / 2}, banner.icon, 20, banner.colour);
  draw_text(frame, list, {at.x + frame.px(48), at.y + (height - frame.px(kBannerText.size)) / 2},
            elided(frame, banner.words, kBannerText, room), kBannerText);
  if (text_size(frame, banner.words, kBannerText).x <= room) return;
  ImGui::SetCursorScreenPos({at.x + frame.px(48), at.y});
  ImGui::Dummy({std::max(1.0F, room), height});
  tooltip(frame, banner.words);
}

/// The name of the one that was pressed, or empty.
std::string draw_banner_buttons(const Frame& frame, const Banner& banner, float x, float y) {
  std::string pressed;
  for (const BannerButton& each : banner.buttons) {
    ImGui::SetCursorScreenPos({x, y});
    const float width = label_width(frame, each.label);
    if (button(frame, each.name, each.label, {.width = width / frame.scale, .height = 30}))
      pressed = each.name;
    x += width + frame.px(8);
  }
  if (banner.close == nullptr) return pressed;
  ImGui::SetCursorScreenPos({x, y});
  const bool closes = button(frame, banner.close, "",
                             {.kind = ButtonKind::flat,
                              .icon = icon::kClose,
                              .width = 30,
                              .height = 30,
                              .tooltip = "Close"});
  return closes ? banner.close : pressed;
}

/// The name of the button that was pressed, or empty. `bottom`: of the banner, in pixels; moved up
/// for the next one.
std::string draw_banner(const Frame& frame, const Banner& banner, float& bottom) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const BannerRoom room = banner_room(frame, banner);
  const float words = text_size(frame, banner.words, kBannerText).x + frame.px(4);
  const ImVec2 size{std::min(screen.x - frame.px(32), words + room.fixed), frame.px(kBannerHeight)};
  ImGui::SetNextWindowPos({(screen.x - size.x) / 2, bottom - size.y});
  ImGui::SetNextWindowSize(size);
  bottom -= size.y + frame.px(kBannerGap);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  begin_notice(frame, banner.id);
  const ImVec2 at = ImGui::GetWindowPos();
  draw_banner_words(frame, banner, at, size.x - room.fixed);
  const std::string pressed = draw_banner_buttons(
      frame, banner, at.x + size.x - frame.px(8) - room.buttons, at.y + size.y / 2 - frame.px(15));
  if (banner.share > -2) draw_banner_bar(frame, banner.share, room.buttons);
  frame.record(std::string("notice/") + (banner.id + 2), at, {at.x + size.x, at.y + size.y}, true,
               banner.words);
  end_notice();
  ImGui::PopStyleVar(2);
  return pressed;
}

std::string end_text(const run::RunSnapshot& run) {
  const bool is_stopped = run.outcome == run::Outcome::stopped;
  std::string words = is_stopped ? "Stopped after step " + count_text(run.steps_done) : "Finished";
  if (!run.validations.empty())
    words += ": mean Dice " + measured_text(run.validations.back().mean_dice);
  if (run.request.has_value() && !run.request->run_folder.empty())
    words += ", run in " + base::display_path(run.request->run_folder);
  return words;
}

bool shows_end(const Frame& frame, const NoticesState& state) {
  return frame.run.state == RunState::finished && !state.end_is_dismissed;
}

void draw_end(const Frame& frame, NoticesState& state, float& bottom) {
  Banner banner{.id = "##finished",
                .icon = icon::kCheckCircle,
                .colour = frame.theme.ok,
                .words = end_text(frame.run),
                .close = "notice/finished/close"};
  if (can_continue(frame.run)) banner.buttons.push_back({"notice/finished/continue", "Continue"});
  if (frame.run.request.has_value()) banner.buttons.push_back({"notice/finished/new", "New run"});
  const std::string pressed = draw_banner(frame, banner, bottom);
  if (pressed == "notice/finished/continue")
    frame.request(ContinueRun{.run_folder = frame.run.request->run_folder});
  if (pressed == "notice/finished/new") frame.request(NewRun{.like = *frame.run.request});
  if (pressed == "notice/finished/close") state.end_is_dismissed = true;
}

/// What is done, and for how long where it takes long.
std::string busy_text(const Frame& frame, const BusyWork& work) {
  constexpr double kLong = 2;
  const double seconds =
      frame.seconds - std::chrono::duration<double>(work.since.time_since_epoch()).count();
  const bool is_known = work.since != std::chrono::steady_clock::time_point{};
  if (!is_known || !(seconds >= kLong)) return work.text;
  constexpr double kMinute = 60;
  const double whole = std::floor(seconds);
  return work.text + ", " +
         (whole < kMinute ? fmt::format("{:.0f} s", whole) : base::format_duration(whole));
}

void draw_busy(const Frame& frame, const BusyWork& work, float& bottom) {
  Banner banner{.id = "##busy",
                .icon = icon::kRefresh,
                .colour = frame.theme.accent,
                .words = busy_text(frame, work),
                .share = static_cast<float>(std::clamp(work.share, -1.0, 1.0))};
  if (work.can_cancel) banner.buttons.push_back({"notice/busy/cancel", "Cancel"});
  if (!draw_banner(frame, banner, bottom).empty()) frame.request(CancelWork{});
}

/// The newest of the steps that did not fit.
void draw_relief(const Frame& frame, NoticesState& state, float& bottom) {
  const std::vector<run::MemoryRelief>& reliefs = frame.run.memory_reliefs;
  const auto newest = std::ranges::find(reliefs.rbegin(), reliefs.rend(), run::RepeatedWork::step,
                                        &run::MemoryRelief::work);
  if (newest == reliefs.rend() || state.dismissed_reliefs == reliefs.size()) return;
  const std::vector<std::string> no_names;
  const auto& stages = frame.run.facts == nullptr ? no_names : frame.run.facts->stages;
  const std::string pressed = draw_banner(frame,
                                          {.id = "##memory",
                                           .icon = icon::kAlert,
                                           .colour = frame.theme.bad,
                                           .words = run::describe(*newest, stages),
                                           .close = "notice/memory/close"},
                                          bottom);
  if (!pressed.empty()) state.dismissed_reliefs = reliefs.size();
}

/// What a request failed at, and what can be done about it, in as many lines as that needs.
void draw_problem(const Frame& frame, NoticesState& state, float bottom) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(frame.px(kProblemWidth), screen.x - frame.px(16));
  ImGui::SetNextWindowPos({screen.x / 2, bottom}, ImGuiCond_Always, {0.5F, 1});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, std::max(1.0F, bottom - frame.px(8))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(16), frame.px(12)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(6)});
  begin_notice(frame, "##problem", ImGuiWindowFlags_AlwaysAutoResize);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_icon(frame, *ImGui::GetWindowDrawList(), {at.x + frame.px(11), at.y + frame.px(9)},
            icon::kAlert, 20, frame.theme.bad);
  ImGui::SetCursorScreenPos({at.x + frame.px(32), at.y});
  ImGui::BeginGroup();
  const float wrap_x = width - frame.px(16 + 30);
  const std::string problem = window_words(frame.shell.problem);
  const std::string remedy = window_words(frame.shell.problem_remedy);
  wrapped(frame, problem,
          {.size = FontSize::kButton, .weight = Weight::medium, .colour = frame.theme.text1},
          wrap_x);
  wrapped(frame, remedy, {.size = FontSize::kButton, .colour = frame.theme.text2}, wrap_x);
  ImGui::EndGroup();
  const ImVec2 window_at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  ImGui::SetCursorScreenPos({window_at.x + width - frame.px(8 + 30), window_at.y + frame.px(7)});
  if (button(frame, "notice/problem/close", "",
             {.kind = ButtonKind::flat,
              .icon = icon::kClose,
              .width = 30,
              .height = 30,
              .tooltip = "Close"})) {
    state.dismissed_problem = frame.shell.problem_number;
  }
  frame.record("notice/problem", window_at, {window_at.x + size.x, window_at.y + size.y}, true,
               remedy.empty() ? problem : problem + '\n' + remedy);
  end_notice();
  ImGui::PopStyleVar(2);
}

void draw_banners(const Frame& frame, NoticesState& state) {
  float bottom = ImGui::GetIO().DisplaySize.y - frame.px(kBannerGap);
  if (shows_end(frame, state)) draw_end(frame, state, bottom);
  if (run::refusal(frame.run.state, run::Action::stop) == nullptr)
    draw_relief(frame, state, bottom);
  if (frame.shell.busy.has_value()) draw_busy(frame, *frame.shell.busy, bottom);
  if (!frame.shell.problem.empty() && frame.shell.problem_number != state.dismissed_problem)
    draw_problem(frame, state, bottom);
}

// ---------------------------------------------------------------- closing

/// Nothing can be pressed meanwhile.
void draw_closing(const Frame& frame) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, with_alpha(frame.theme.bg0, 0.8F));
  ImGui::SetNextWindowFocus();
  ImGui::Begin("##closing", nullptr, kFlags);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  constexpr std::string_view kWords = "Saving the run before closing";
  const TextStyle style{.size = FontSize::kFigure, .weight = Weight::semibold};
  draw_text(frame, *ImGui::GetWindowDrawList(),
            {screen.x / 2, screen.y / 2 - frame.px(style.size) / 2}, kWords, style, Align::centre);
  frame.record("notice/closing", {0, 0}, screen, true, kWords);
  ImGui::End();
}

}  // namespace

float room_for_notices(const Frame& frame, const NoticesState& state) {
  if (frame.shell.is_closing || !shows_end(frame, state)) return 0;
  return frame.px(kBannerHeight + kBannerGap);
}

void draw_notices(const Frame& frame, NoticesState& state) {
  const RunState run_state = frame.run.state;
  if (run_state != RunState::failed && run_state != RunState::finished)
    state.end_is_dismissed = false;
  state.dismissed_reliefs = std::min(state.dismissed_reliefs, frame.run.memory_reliefs.size());
  if (frame.shell.is_closing) {
    draw_closing(frame);
    return;
  }
  if (run_state == RunState::failed && frame.run.error.has_value() && !state.end_is_dismissed)
    draw_failure(frame, *frame.run.error, state);
  draw_banners(frame, state);
}

}  // namespace headroom::ui
