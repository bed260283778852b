#include "ui/folder_dialog.hpp"

#include <algorithm>
#include <utility>

#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPopup = "Choose a folder";
constexpr float kWidth = 640, kHeight = 520;
constexpr float kRowHeight = 30;
constexpr float kMostRecentWidth = 120, kRecentPadding = 44;

void go_to(const Frame& frame, FolderDialogState& state, fs::path folder) {
  state.folder = std::move(folder);
  state.typed = state.folder.string();
  state.selected.clear();
  frame.request(ListFolder{.folder = state.folder});
}

/// The folder of the latest data, else the person's own.
fs::path first_folder(const Frame& frame) {
  if (!frame.shell.recent_folders.empty()) return frame.shell.recent_folders.front().parent_path();
  return frame.shell.home_folder.empty() ? fs::path("/") : frame.shell.home_folder;
}

/// Null while it is still being read.
const FolderListing* listing_of(const Frame& frame, const FolderDialogState& state) {
  const auto& listing = frame.shell.listing;
  return listing.has_value() && listing->folder == state.folder ? &*listing : nullptr;
}

void draw_path_row(const Frame& frame, FolderDialogState& state) {
  const fs::path parent = state.folder.parent_path();
  if (button(
          frame, "folder/up", "",
          {.icon = icon::kArrowUp,
           .width = 32,
           .refusal = parent.empty() || parent == state.folder ? "There is nothing above it." : "",
           .tooltip = "The folder above"})) {
    go_to(frame, state, parent);
  }
  ImGui::SameLine();
  if (button(frame, "folder/home", "",
             {.icon = icon::kHome,
              .width = 32,
              .refusal = frame.shell.home_folder.empty() ? "Your own folder is not known." : "",
              .tooltip = "Your own folder"})) {
    go_to(frame, state, frame.shell.home_folder);
  }
  ImGui::SameLine();
  // The field is a little lower than the buttons beside it.
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + frame.px(2));
  const float width = ImGui::GetContentRegionAvail().x / frame.scale;
  static_cast<void>(text_field(frame, "folder/path", state.typed, "Path of a folder", width));
  const bool is_entered = ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGuiKey_Enter) ||
                                                         ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
  if (is_entered && !state.typed.empty()) go_to(frame, state, fs::path(state.typed));
}

/// Data folders of the latest runs, as many as fit in a row.
void draw_recent(const Frame& frame, FolderDialogState& state) {
  if (frame.shell.recent_folders.empty()) return;
  const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const TextStyle style{.size = FontSize::kTable, .weight = Weight::medium};
  std::size_t number = 0;
  for (const fs::path& folder : frame.shell.recent_folders) {
    const std::string label =
        elided(frame, base::name_of_folder(folder), style, frame.px(kMostRecentWidth));
    const float width = text_size(frame, label, style).x + frame.px(kRecentPadding);
    if (number > 0) {
      if (ImGui::GetItemRectMax().x + frame.px(8) + width > end) break;
      ImGui::SameLine();
    }
    const std::string name = "folder/recent/" + std::to_string(number++);
    if (button(frame, name.c_str(), label,
               {.icon = icon::kHistory,
                .width = width / frame.scale,
                .tooltip = base::display_path(folder)})) {
      go_to(frame, state, folder);
    }
  }
}

/// True when the folder is to be entered.
bool draw_entry(const Frame& frame, const FolderEntry& entry, FolderDialogState& state) {
  const ImVec2 min = ImGui::GetCursorScreenPos();
  const ImVec2 max{min.x + ImGui::GetContentRegionAvail().x, min.y + frame.px(kRowHeight)};
  const std::string name = "folder/entry/" + entry.name;
  const Hit hit = hit_area(frame, name.c_str(), min, max, entry.is_run ? "run" : "folder");
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float rounding = frame.px(4);
  if (state.selected == entry.name) {
    list.AddRectFilled(min, max, packed(with_alpha(frame.theme.accent, 0.16F)), rounding);
  } else if (hit.hovered) {
    list.AddRectFilled(min, max, packed(frame.theme.bg2), rounding);
  }
  const float middle = (min.y + max.y) / 2;
  draw_icon(frame, list, {min.x + frame.px(18), middle},
            entry.is_run ? icon::kHistory : icon::kFolder, 18,
            entry.is_run ? frame.theme.accent : frame.theme.text2);
  const TextStyle style{.size = FontSize::kTable};
  const float y = middle - frame.px(style.size) / 2;
  draw_text(frame, list, {min.x + frame.px(36), y},
            elided(frame, entry.name, style, max.x - min.x - frame.px(90)), style);
  if (entry.is_run) {
    draw_text(frame, list, {max.x - frame.px(10), y}, "run",
              {.size = FontSize::kLabel, .colour = frame.theme.text3}, Align::right);
  }
  if (hit.pressed) state.selected = entry.name;
  const bool is_double = hit.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  return is_double || (hit.pressed && hit.focused);
}

void draw_listing(const Frame& frame, FolderDialogState& state) {
  const TextStyle quiet{.size = FontSize::kTable, .colour = frame.theme.text3};
  const FolderListing* const listing = listing_of(frame, state);
  if (listing == nullptr) {
    text(frame, "Reading the folder \xE2\x80\xA6", quiet);
    return;
  }
  if (!listing->problem.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(frame.theme.bad, "%s", listing->problem.c_str());
    ImGui::PopTextWrapPos();
    frame.record("folder/problem", {}, {}, true, listing->problem);
    return;
  }
  if (listing->folders.empty()) text(frame, "No folders in here.", quiet);
  const FolderEntry* entered = nullptr;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(listing->folders.size()), frame.px(kRowHeight));
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const FolderEntry& entry = listing->folders[static_cast<std::size_t>(row)];
      ImGui::PushID(row);
      if (draw_entry(frame, entry, state)) entered = &entry;
      ImGui::PopID();
    }
  }
  ImGui::PopStyleVar();
  if (entered != nullptr) go_to(frame, state, state.folder / entered->name);
}

std::string contents_text(const FolderListing* listing) {
  if (listing == nullptr || !listing->problem.empty()) return {};
  const auto folders = static_cast<std::int64_t>(listing->folders.size());
  return count_text(folders) + (folders == 1 ? " folder, " : " folders, ") +
         count_text(listing->files) + (listing->files == 1 ? " file" : " files");
}

/// Why no folder can be opened, empty where one can: whatever is opened takes the run's place.
std::string open_refusal(const Frame& frame, const FolderListing* listing) {
  if (const char* const why = run::refusal(frame.run.state, run::Action::configure)) return why;
  return listing != nullptr && listing->problem.empty() ? "" : "This folder cannot be read (yet).";
}

void draw_foot(const Frame& frame, FolderDialogState& state) {
  const FolderListing* const listing = listing_of(frame, state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  draw_text(frame, *ImGui::GetWindowDrawList(), {at.x, at.y + frame.px(9)}, contents_text(listing),
            {.size = FontSize::kLabel, .colour = frame.theme.text3});
  const bool is_readable = listing != nullptr && listing->problem.empty();
  const bool has_selected = is_readable && !state.selected.empty();
  const std::string label = has_selected ? elided(frame, "Open " + state.selected,
                                                  {.size = FontSize::kTable}, frame.px(220))
                                         : "Open this folder";
  const float open_width = std::max(
      150.0F, text_size(frame, label, {.size = FontSize::kTable, .weight = Weight::medium}).x /
                      frame.scale +
                  24);
  const float gap = frame.px(8);
  const float left = at.x + std::max(0.0F, width - frame.px(open_width + 84) - gap);
  ImGui::SetCursorScreenPos({left, at.y});
  if (button(frame, "folder/cancel", "Cancel", {.width = 84, .height = 32}))
    ImGui::CloseCurrentPopup();
  ImGui::SetCursorScreenPos({left + frame.px(84) + gap, at.y});
  if (button(frame, "folder/open", label,
             {.kind = ButtonKind::primary,
              .width = open_width,
              .height = 32,
              .refusal = open_refusal(frame, listing)})) {
    frame.request(
        OpenFolder{.folder = has_selected ? state.folder / state.selected : state.folder});
    ImGui::CloseCurrentPopup();
  }
}

void draw_contents(const Frame& frame, FolderDialogState& state) {
  text(frame, kPopup, {.size = FontSize::kBody, .weight = Weight::semibold});
  const TextStyle hint{.size = FontSize::kLabel, .colour = frame.theme.text3};
  text(frame,
       elided(frame, "One with images and their masks, or the folder of a saved run.", hint,
              ImGui::GetContentRegionAvail().x),
       hint);
  draw_path_row(frame, state);
  draw_recent(frame, state);
  const float foot = frame.px(32 + 10);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, frame.theme.bg0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(8), frame.px(8)});
  const float height = std::max(frame.px(40), ImGui::GetContentRegionAvail().y - foot);
  ImGui::BeginChild("##folders", {0, height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  draw_listing(frame, state);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  draw_foot(frame, state);
  if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !ImGui::GetIO().WantTextInput)
    ImGui::CloseCurrentPopup();
}

}  // namespace

void draw_folder_dialog(const Frame& frame, FolderDialogState& state) {
  if (std::exchange(state.should_open, false)) {
    ImGui::OpenPopup(kPopup);
    go_to(frame, state, state.folder.empty() ? first_folder(frame) : state.folder);
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(frame.px(kWidth), screen.x - frame.px(16)),
                            std::min(frame.px(kHeight), screen.y - frame.px(16))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(20), frame.px(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), frame.px(10)});
  if (ImGui::BeginPopupModal(kPopup, nullptr,
                             ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                 ImGuiWindowFlags_NoSavedSettings)) {
    draw_contents(frame, state);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace headroom::ui
