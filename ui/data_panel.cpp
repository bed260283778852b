#include "ui/data_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "ui/data_text.hpp"
#include "ui/empty_state.hpp"
#include "ui/findings_view.hpp"
#include "ui/height_shares.hpp"
#include "ui/icons.hpp"
#include "ui/mapping_head.hpp"
#include "ui/mapping_table.hpp"
#include "ui/number_text.hpp"
#include "ui/sample_grid.hpp"
#include "ui/split_view.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kHeadHeight = 42, kFactsHeight = 36, kFactWidth = 118;
constexpr float kSplitWidth = 250, kLeastFindings = 300;
constexpr float kHairline = 21;

struct Fact {
  const char* name;  ///< of the control
  const char* label;
  std::string value;
};

std::vector<Fact> facts_of(const base::DatasetSummary& data) {
  return {{"data/fact/samples", "Samples", count_text(data.samples)},
          {"data/fact/size", "Size, px", sizes_text(data)},
          {"data/fact/channels", "Channels", channels_text(data)},
          {"data/fact/classes", "Classes", count_text(std::ssize(data.classes))},
          {"data/fact/ignored", "Ignored pixels", share_text(ignored_share(data))}};
}

/// Side by side; each is as wide as it needs, and what is left lies between them.
void draw_facts(const Frame& frame, const base::DatasetSummary& data) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const TextStyle style{.size = FontSize::kBody, .weight = Weight::semibold};
  std::vector<Fact> facts = facts_of(data);
  const auto width_of = [&](const Fact& fact) {
    return std::max(frame.px(kFactWidth), text_size(frame, fact.value, style).x + frame.px(24));
  };
  const auto needed = [&] {
    float sum = 0;
    for (const Fact& fact : facts) sum += width_of(fact);
    return sum;
  };
  while (facts.size() > 1 && needed() > width) facts.pop_back();
  const float gap = std::max(0.0F, width - needed()) / static_cast<float>(facts.size());
  float x = at.x;
  for (const Fact& fact : facts) {
    const ImVec2 size =
        draw_figure(frame, *ImGui::GetWindowDrawList(), {x, at.y},
                    {.label = fact.label, .value = fact.value, .value_size = FontSize::kBody});
    frame.record(fact.name, {x, at.y}, {x + size.x, at.y + size.y}, true, fact.value);
    x += width_of(fact) + gap;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, frame.px(kFactsHeight)});
}

/// Words below the folder's name: how it was understood, or what has changed since.
void draw_understood(const Frame& frame, const DataFolder& data, const ImVec2& at, float width) {
  const std::string changed =
      frame.run.request
          ? changed_settings(data.settings, frame.shared.request_edit.latest(frame.run).settings)
          : "";
  TextStyle style{.size = FontSize::kTable, .colour = frame.theme.text2};
  std::string words = layout_sentence(data.summary);
  float x = at.x;
  if (!changed.empty()) {
    style.colour = frame.theme.warn;
    words = "Read with other settings (" + changed + "): scan again";
    draw_icon(frame, *ImGui::GetWindowDrawList(), {x + frame.px(8), at.y + frame.px(7)},
              icon::kAlert, 15, frame.theme.warn);
    x += frame.px(21);
  }
  draw_text(frame, *ImGui::GetWindowDrawList(), {x, at.y},
            elided(frame, words, style, std::max(0.0F, at.x + width - x)), style);
  frame.record("data/understood", at, {at.x + width, at.y + frame.px(style.size)}, true, words);
}

/// True when the button that reads the folder was pressed.
bool draw_head(const Frame& frame, const std::filesystem::path& folder, const DataFolder* data) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  constexpr float kOpenWidth = 126, kScanWidth = 122, kButtonHeight = 28;
  const std::string refusal = reading_refusal(frame);
  float right = at.x + width;
  bool is_asked = false;
  const bool has_room = width >= frame.px(kOpenWidth + kScanWidth + 8 + 120);
  if (has_room) {
    right -= frame.px(kScanWidth);
    ImGui::SetCursorScreenPos({right, at.y + frame.px(4)});
    is_asked = button(frame, "data/scan", data == nullptr ? "Read folder" : "Scan again",
                      {.icon = icon::kRefresh,
                       .width = kScanWidth,
                       .height = kButtonHeight,
                       .refusal = refusal,
                       .tooltip = "Read all files of the folder, with the settings of the run"});
    right -= frame.px(kOpenWidth + 8);
    ImGui::SetCursorScreenPos({right, at.y + frame.px(4)});
    if (button(frame, "data/open", "Open folder",
               {.icon = icon::kFolder,
                .width = kOpenWidth,
                .height = kButtonHeight,
                .refusal = refusal,
                .tooltip = "Open another data folder (Ctrl O)"})) {
      frame.shared.folder_dialog_is_due = true;
    }
    right -= frame.px(12);
  }
  const TextStyle name{.size = FontSize::kFigure, .weight = Weight::semibold};
  draw_text(frame, *ImGui::GetWindowDrawList(), at,
            elided(frame, base::name_of_folder(folder), name, std::max(0.0F, right - at.x)), name);
  if (data != nullptr) draw_understood(frame, *data, {at.x, at.y + frame.px(26)}, right - at.x);
  frame.record("data/folder", at, {right, at.y + frame.px(22)}, true, base::display_path(folder));
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, frame.px(kHeadHeight)});
  return is_asked;
}

/// Findings and split side by side, or one below the other where there is no room.
void draw_findings_and_split(const Frame& frame, DataState& state, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float split = frame.px(kSplitWidth);
  const float gap = frame.px(33);
  if (width < split + gap + frame.px(kLeastFindings)) {
    const float part = std::max(1.0F, height / 2);
    draw_findings(frame, state, {width, part});
    ImGui::SetCursorScreenPos({at.x, at.y + part});
    draw_split(frame, *state.of, {width, part});
    return;
  }
  draw_findings(frame, state, {width - split - gap, height});
  const float x = std::floor(at.x + width - split - gap / 2);
  ImGui::GetWindowDrawList()->AddLine({x, at.y - frame.px(10)}, {x, at.y + height + frame.px(10)},
                                      packed(frame.theme.line));
  ImGui::SetCursorScreenPos({at.x + width - split, at.y});
  draw_split(frame, *state.of, {split, height});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

/// What three parts of the panel get of `room` pixels: mask values, findings, samples.
std::vector<float> part_heights(const Frame& frame, const DataState& state, float room) {
  const auto table = [&](std::size_t rows) {
    return frame.px(kMappingHead + 2) + mapping_row(frame) * static_cast<float>(rows);
  };
  const auto list = [&](std::size_t rows) {
    constexpr float kTitle = 32, kLeast = 112;
    return std::max(frame.px(kLeast),
                    frame.px(kTitle) + finding_row(frame) * static_cast<float>(rows));
  };
  const std::size_t keys = std::max<std::size_t>(1, state.of->summary.mask_keys.size());
  const std::size_t findings = state.of->summary.findings.size();
  constexpr std::size_t kLeastKeys = 4, kMostKeys = 12, kLeastFindingRows = 2, kMostFindings = 6;
  const std::array<PartHeight, 3> parts = {
      {{table(std::min(keys, kLeastKeys)), table(std::min(keys, kMostKeys))},
       {list(std::min(findings, kLeastFindingRows)), list(std::min(findings, kMostFindings))},
       {frame.px(kSamplesHead + kSamplesRow), 0}}};
  return share_height(room, parts);
}

void draw_folder(const Frame& frame, DataState& state) {
  const std::string refusal = reading_refusal(frame);
  draw_facts(frame, state.of->summary);
  hairline(frame);
  const float fixed = frame.px(kMappingTitle + 2 * kHairline);
  const std::vector<float> heights =
      part_heights(frame, state, ImGui::GetContentRegionAvail().y - fixed);
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  draw_mapping_head(frame, state, width, refusal);
  draw_mapping_table(frame, state, {width, heights[0]}, refusal);
  hairline(frame);
  draw_findings_and_split(frame, state, heights[1]);
  hairline(frame);
  draw_samples(frame, state, {width, heights[2]});
}

/// A run whose data this window has not read: what the run itself knows of it.
void draw_unread(const Frame& frame) {
  if (!frame.run.request) {
    draw_empty_state(frame, "data/empty", icon::kFolder,
                     "Open a data folder: what is in it is shown here");
    return;
  }
  if (draw_head(frame, frame.run.request->data_folder, nullptr))
    frame.request(ReadData{.request = request_of_data(frame)});
  hairline(frame);
  if (frame.run.facts != nullptr) {
    draw_facts(frame, frame.run.facts->dataset);
    hairline(frame);
  }
  draw_empty_state(frame, "data/unread", icon::kDatabase,
                   frame.shell.busy
                       ? "The folder is being read"
                       : "The samples and masks of this run were not read in this window. Read the "
                         "folder to see them; that takes as long as opening it did.");
}

}  // namespace

void draw_data(const Frame& frame, DataState& state) {
  const bool is_of_run = state.of != nullptr &&
                         (!frame.run.request || frame.run.request->data_folder == state.of->folder);
  if (!is_of_run) {
    draw_unread(frame);
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {frame.px(8), 0});
  if (draw_head(frame, state.of->folder, state.of.get()))
    frame.request(ReadData{.request = request_of_data(frame)});
  hairline(frame);
  draw_folder(frame, state);
  ImGui::PopStyleVar();
}

}  // namespace headroom::ui
