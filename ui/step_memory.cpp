#include "ui/step_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/io_error.hpp"
#include "core/run/timeline_file.hpp"

#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/timeline_chart.hpp"
#include "ui/timeline_strips.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kHeaderHeight = 30;
constexpr float kLegendHeight = 20;
constexpr float kButtonWidth = 92;

void follow(const run::RunSnapshot& run, StepMemoryState& state) {
  if (state.of_run != run.facts) {
    state.of_run = run.facts;
    state.is_frozen = false;
  }
  if (state.is_frozen || state.seen == run.timeline) return;
  state.seen = run.timeline;
  state.view = view_of(run.timeline);
}

/// Stages, head, other; where the owners are fewer than that, the last of these.
std::vector<ImVec4> colours_of(const Frame& frame, const TimelineView& view) {
  const std::size_t owners = view.timeline->owners.size();
  std::vector<ImVec4> colours = owner_colours(frame.theme, owners > 2 ? owners - 2 : 0);
  if (colours.size() > owners) {
    colours.erase(colours.begin(), colours.end() - static_cast<std::ptrdiff_t>(owners));
  }
  return colours;
}

/// Writes the step that is shown into the run's folder.
void draw_save(const Frame& frame, const StepMemoryState& state) {
  const plan::StepTimeline& timeline = *state.view->timeline;
  const std::filesystem::path folder =
      frame.run.request.has_value() ? frame.run.request->run_folder : std::filesystem::path();
  const std::filesystem::path file = run::timeline_file(folder, timeline.step);
  const bool is_there = frame.shell.written_timeline == file;
  const std::string hint = (is_there ? "In the run's folder: " : "Write into the run's folder: ") +
                           base::display_path("timelines" / file.stem()) + ".json and .csv";
  if (button(frame, "step_memory/save", is_there ? "Saved" : "Save",
             {.kind = ButtonKind::flat,
              .icon = is_there ? icon::kCheckCircle : icon::kSave,
              .width = kButtonWidth,
              .height = 26,
              .refusal = folder.empty() ? "There is no run to save into" : "",
              .tooltip = hint})) {
    frame.request(WriteTimeline{.timeline = state.view->timeline, .run_folder = folder});
  }
}

void draw_header(const Frame& frame, StepMemoryState& state, const ChartUnit& unit,
                 std::string_view more) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float button_width = frame.px(kButtonWidth);
  const TextStyle strong{.size = FontSize::kButton, .weight = Weight::semibold};
  const TextStyle plain{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const std::string title = "Step " + count_text(state.view->timeline->step);
  const float top = at.y + frame.px(5);
  draw_text(frame, list, {at.x, top}, title, strong);
  const float x = at.x + text_size(frame, title, strong).x + frame.px(12);
  const std::string unit_text = fmt::format("live bytes by stage, {} over ms{}", unit.name, more);
  const float room = at.x + width - 2 * button_width - x;
  if (room > frame.px(40)) {
    draw_text(frame, list, {x, top + frame.px(1)}, elided(frame, unit_text, plain, room), plain);
  }
  ImGui::SetCursorScreenPos({at.x + width - 2 * button_width, at.y});
  draw_save(frame, state);
  ImGui::SetCursorScreenPos({at.x + width - button_width, at.y});
  if (button(
          frame, "step_memory/freeze", state.is_frozen ? "Follow" : "Freeze",
          {.kind = ButtonKind::flat,
           .icon = state.is_frozen ? icon::kPlay : icon::kPause,
           .width = kButtonWidth,
           .height = 26,
           .tooltip = state.is_frozen ? "Show the latest step again" : "Keep showing this step"})) {
    state.is_frozen = !state.is_frozen;
  }
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(kHeaderHeight)});
}

/// Below the chart, centred; those that do not fit are counted.
void draw_legend(const Frame& frame, const TimelineView& view, std::span<const ImVec4> colours,
                 const ImVec2& at, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const auto& owners = view.timeline->owners;
  constexpr float kLongestName = 120;
  std::vector<std::string> names;
  float total = 0;
  for (std::size_t owner = 0; owner < owners.size(); ++owner) {
    std::string name =
        elided(frame, owner_title(*view.timeline, owner), style, frame.px(kLongestName));
    const float own = text_size(frame, name, style).x + frame.px(28);
    if (total + own + frame.px(30) > width) break;
    total += own;
    names.push_back(std::move(name));
  }
  float x = at.x + std::max(0.0F, (width - total) / 2);
  for (std::size_t owner = 0; owner < names.size(); ++owner) {
    const float end = x + text_size(frame, names[owner], style).x + frame.px(16);
    const PixelBox box{{x, at.y}, {end, at.y + frame.px(FontSize::kLabel)}};
    list.AddRectFilled({x, at.y + frame.px(2)}, {x + frame.px(9), at.y + frame.px(11)},
                       packed(colours[std::min(owner, colours.size() - 1)]), frame.px(2));
    draw_text(frame, list, {x + frame.px(16), at.y}, names[owner], style);
    frame.record("step_memory/legend/" + owners[owner], box.min, box.max, true, names[owner]);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(box.min, box.max) &&
        owner + 1 < owners.size()) {
      frame.shared.next_hovered_stage = static_cast<int>(owner);
    }
    x = end + frame.px(12);
  }
  if (names.size() < owners.size()) {
    draw_text(frame, list, {x, at.y}, fmt::format("+{}", owners.size() - names.size()), style);
  }
}

void draw_timeline(const Frame& frame, StepMemoryState& state) {
  const TimelineView& view = *state.view;
  const std::vector<ImVec4> colours = colours_of(frame, view);
  const double peak = view.total[view.peak_point];
  const std::int64_t budget = frame.run.facts == nullptr ? 0 : frame.run.facts->budget_bytes;
  std::string more;
  if (budget > 0 && !shows_budget(peak, budget)) more = ", budget " + bytes_text(budget);
  if (state.is_frozen) more += ", frozen";
  const ChartUnit unit = byte_unit(peak);
  draw_header(frame, state, unit, more);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float legend_top = at.y + std::max(frame.px(90), room.y - frame.px(kLegendHeight));
  draw_timeline_chart(frame, {"step_memory/chart", at, {at.x + room.x, legend_top - frame.px(2)}},
                      {.view = view, .colours = colours, .unit = unit, .budget_bytes = budget});
  draw_legend(frame, view, colours, {at.x, legend_top + frame.px(2)}, room.x);
  ImGui::SetCursorScreenPos({at.x, legend_top});
  ImGui::Dummy({std::max(1.0F, room.x), frame.px(kLegendHeight)});
}

}  // namespace

void draw_step_memory(const Frame& frame, StepMemoryState& state) {
  follow(frame.run, state);
  if (state.view.has_value()) {
    draw_timeline(frame, state);
    return;
  }
  draw_empty_state(frame, "step_memory/empty", icon::kChartArea,
                   "The live bytes of a step appear here, stage by stage, once one was recorded");
}

}  // namespace headroom::ui
