#include "ui/mapping_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr const char* kPopup = "data/mapping/save/popup";
constexpr float kHeight = 26, kGap = 6, kPopupWidth = 420;
/// From here on masks rather number objects than hold classes.
constexpr std::size_t kManyValues = 32;

std::string found_words(const Frame& frame, const DataState& state) {
  const std::filesystem::path& saved = frame.shell.written_mapping;
  if (!saved.empty() && saved == std::filesystem::path(state.typed_file))
    return "Saved as " + base::name_of_folder(saved);
  const std::int64_t keys = std::ssize(state.of->summary.mask_keys);
  if (keys == 0) return "No mask was read.";
  return fmt::format("{} found. Each is given a class or ignored.", count_text(keys));
}

void apply(const Frame& frame, const DataState& state) {
  frame.request(
      ReadData{.request = request_of_data(frame),
               .mapping = std::make_shared<const base::ClassMapping>(state.mapping.result())});
}

void propose_again(const Frame& frame) {
  run::RunRequest request = request_of_data(frame);
  request.settings.data.mapping.clear();
  frame.request(ReadData{.request = std::move(request)});
}

void draw_save_popup(const Frame& frame, DataState& state) {
  if (!ImGui::IsPopupOpen(kPopup)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {frame.px(16), frame.px(12)});
  ImGui::PushStyleColor(ImGuiCol_PopupBg, frame.theme.bg2);
  if (ImGui::BeginPopup(kPopup)) {
    text(frame, "Save the mapping", {.size = FontSize::kButton, .weight = Weight::semibold});
    text(frame, "A JSON file, as --mapping of the command line reads it.",
         {.size = FontSize::kLabel, .colour = frame.theme.text2});
    if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
    static_cast<void>(text_field(frame, "data/mapping/file", state.typed_file, "Path of a file",
                                 kPopupWidth - 80));
    const bool entered = ImGui::IsItemFocused() && (ImGui::IsKeyPressed(ImGuiKey_Enter) ||
                                                    ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
    ImGui::SameLine();
    const std::string refusal = state.typed_file.empty() ? "Type the path of a file." : "";
    const bool pressed = button(frame, "data/mapping/file/save", "Save",
                                {.kind = ButtonKind::primary, .width = 72, .refusal = refusal});
    if ((pressed || entered) && refusal.empty()) {
      frame.request(
          SaveMapping{.mapping = std::make_shared<const base::ClassMapping>(state.mapping.result()),
                      .file = state.typed_file});
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

/// Buttons from the right end of the line to the left, as long as they fit.
class Tools {
 public:
  Tools(const Frame& frame, const ImVec2& at, float width)
      : frame_(frame), left_(at.x + frame.px(100)), right_(at.x + width), y_(at.y) {}

  /// True when it was pressed.
  [[nodiscard]] bool add(const char* name, std::string_view label, ButtonOptions options) {
    const TextStyle style{.size = FontSize::kButton - 1, .weight = Weight::medium};
    const float icon = options.icon == nullptr ? 0 : frame_.px(24);
    const float width =
        label.empty() ? frame_.px(30) : text_size(frame_, label, style).x + icon + frame_.px(22);
    if (right_ - width < left_) return false;
    right_ -= width;
    options.width = width / frame_.scale;
    options.height = kHeight;
    ImGui::SetCursorScreenPos({right_, y_});
    const bool pressed = button(frame_, name, label, options);
    right_ -= frame_.px(kGap);
    return pressed;
  }
  [[nodiscard]] float left() const { return right_; }

 private:
  const Frame& frame_;
  float left_, right_, y_;
};

std::string apply_refusal(const DataState& state, const std::string& refusal) {
  if (!refusal.empty()) return refusal;
  if (!state.mapping.is_changed()) return "Nothing was edited.";
  return state.mapping.problem();
}

void draw_tools(const Frame& frame, DataState& state, Tools& tools, const std::string& refusal) {
  if (tools.add("data/mapping/apply", "Apply",
                {.kind = state.mapping.is_changed() ? ButtonKind::primary : ButtonKind::plain,
                 .icon = icon::kCheck,
                 .refusal = apply_refusal(state, refusal),
                 .tooltip = "Read the data again with this mapping, which the run will have"})) {
    apply(frame, state);
  }
  if (tools.add("data/mapping/redo", "",
                {.kind = ButtonKind::flat,
                 .icon = icon::kRedo,
                 .refusal = state.mapping.can_redo() ? "" : "There is no edit to do again.",
                 .tooltip = "Do it again (Ctrl Y)"})) {
    state.mapping.redo();
  }
  if (tools.add("data/mapping/undo", "",
                {.kind = ButtonKind::flat,
                 .icon = icon::kUndo,
                 .refusal = state.mapping.steps() == 0 ? "There is no edit to undo." : "",
                 .tooltip = "Undo the last edit (Ctrl Z)"})) {
    state.mapping.undo();
  }
  const std::string problem = state.mapping.problem();
  if (tools.add("data/mapping/save", "Save",
                {.kind = ButtonKind::flat,
                 .icon = icon::kSave,
                 .refusal = problem,
                 .tooltip = "Save the mapping as a JSON file"})) {
    if (state.typed_file.empty() && !frame.shell.home_folder.empty()) {
      const std::string name = base::name_of_folder(state.of->folder) + "_classes.json";
      state.typed_file = base::display_path(frame.shell.home_folder / name);
    }
    ImGui::OpenPopup(kPopup);
  }
  if (tools.add("data/mapping/propose", "Propose again",
                {.kind = ButtonKind::flat,
                 .icon = icon::kAutoFix,
                 .refusal = refusal,
                 .tooltip = "Read the data again, and find the classes from the masks alone"})) {
    propose_again(frame);
  }
  if (state.of->summary.mask_keys.size() >= kManyValues &&
      tools.add("data/mapping/objects", "As objects",
                {.kind = ButtonKind::flat,
                 .icon = icon::kGrid,
                 .refusal = refusal,
                 .tooltip = "The values number objects: 0 becomes the background, every other one "
                            "class"})) {
    state.mapping.take_as_objects();
  }
}

void take_keys(DataState& state, const std::string& refusal) {
  if (!refusal.empty() || !ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows) ||
      ImGui::GetIO().WantTextInput)
    return;
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z)) state.mapping.undo();
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Y)) state.mapping.redo();
}

}  // namespace

void draw_mapping_head(const Frame& frame, DataState& state, float width,
                       const std::string& refusal) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  Tools tools(frame, at, width);
  draw_tools(frame, state, tools, refusal);
  draw_save_popup(frame, state);
  take_keys(state, refusal);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle title{.weight = Weight::semibold};
  const TextStyle note{.size = FontSize::kLabel, .colour = frame.theme.text3};
  draw_text(frame, list, {at.x, at.y + frame.px(5)}, "Mask values", title);
  const float note_x = at.x + text_size(frame, "Mask values", title).x + frame.px(14);
  const std::string words = found_words(frame, state);
  if (text_size(frame, words, note).x <= tools.left() - note_x)
    draw_text(frame, list, {note_x, at.y + frame.px(7)}, words, note);
  frame.record("data/mapping/found", {note_x, at.y}, {tools.left(), at.y + frame.px(24)}, true,
               words);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, frame.px(kMappingTitle)});
}

}  // namespace headroom::ui
