#include "ui/split_view.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "ui/data_text.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

struct Side {
  SplitSide side;
  const char* name;  ///< of the control
  const char* title;
  std::int64_t samples;
};

void draw_sides_bar(const Frame& frame, std::span<const Side> sides, const ImVec2& min,
                    const ImVec2& max) {
  std::int64_t all = 0;
  for (const Side& side : sides) all += side.samples;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (all <= 0) {
    list.AddRectFilled(min, max, packed(frame.theme.bg3), frame.px(3));
    return;
  }
  float x = min.x;
  for (const Side& side : sides) {
    if (side.samples <= 0) continue;
    const float width =
        (max.x - min.x) * static_cast<float>(side.samples) / static_cast<float>(all);
    const float end = std::max(x + 1, x + width - frame.px(1));
    list.AddRectFilled({x, min.y}, {end, max.y}, packed(side_colour(frame.theme, side.side)),
                       frame.px(3));
    x += width;
  }
}

void draw_side(const Frame& frame, const Side& side, std::int64_t all, const ImVec2& at,
               float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle word{.size = FontSize::kTable, .colour = frame.theme.text2};
  const TextStyle count{.size = FontSize::kTable, .weight = Weight::semibold};
  const TextStyle share{.size = FontSize::kTable, .colour = frame.theme.text3};
  const float swatch = frame.px(10);
  list.AddRectFilled({at.x, at.y + frame.px(2)}, {at.x + swatch, at.y + frame.px(2) + swatch},
                     packed(side_colour(frame.theme, side.side)), frame.px(2));
  draw_text(frame, list, {at.x + frame.px(18), at.y}, side.title, word);
  const std::string number = count_text(side.samples);
  draw_text(frame, list, {at.x + width, at.y}, number, count, Align::right);
  if (all > 0) {
    const double part = static_cast<double>(side.samples) / static_cast<double>(all);
    draw_text(frame, list, {at.x + width - frame.px(56), at.y}, percent_text(part), share,
              Align::right);
  }
  frame.record(side.name, at, {at.x + width, at.y + frame.px(word.size)}, true,
               std::string(side.title) + ' ' + number);
}

void draw_problem(const Frame& frame, const std::string& problem, float width) {
  ImGui::PushFont(frame.fonts.regular, FontSize::kTable);
  ImGui::PushStyleColor(ImGuiCol_Text, frame.theme.bad);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  ImGui::TextUnformatted(problem.data(), problem.data() + problem.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  frame.record("data/split/problem", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), true,
               problem);
}

}  // namespace

ImVec4 side_colour(const Theme& theme, SplitSide side) {
  switch (side) {
    case SplitSide::training:
      return theme.accent;
    case SplitSide::validation:
      return theme.policy[static_cast<std::size_t>(plan::Policy::full)];
    case SplitSide::none:
      break;
  }
  return theme.bg4;
}

void draw_split(const Frame& frame, const DataFolder& data, const ImVec2& size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  const TextStyle title{.weight = Weight::semibold};
  const TextStyle note{.size = FontSize::kLabel, .colour = frame.theme.text3};
  draw_text(frame, list, {at.x, at.y + frame.px(4)}, "Split", title);
  const float note_x = at.x + text_size(frame, "Split", title).x + frame.px(14);
  const std::string rule = split_sentence(data);
  draw_text(frame, list, {note_x, at.y + frame.px(6)},
            elided(frame, rule, note, std::max(0.0F, at.x + size.x - note_x)), note);
  frame.record("data/split/rule", {note_x, at.y}, {at.x + size.x, at.y + frame.px(24)}, true, rule);
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(34)});
  if (!data.split_problem.empty()) {
    draw_problem(frame, data.split_problem, size.x);
  } else {
    const SideCounts counts = count_sides(data);
    const std::array<Side, 3> sides = {
        {{SplitSide::training, "data/split/training", "Training", counts.training},
         {SplitSide::validation, "data/split/validation", "Validation", counts.validation},
         {SplitSide::none, "data/split/none", "In neither", counts.none}}};
    draw_sides_bar(frame, sides, {at.x, at.y + frame.px(34)}, {at.x + size.x, at.y + frame.px(46)});
    float y = at.y + frame.px(58);
    for (const Side& side : sides) {
      if (side.side == SplitSide::none && side.samples == 0) continue;
      draw_side(frame, side, std::ssize(data.samples), {at.x, y}, size.x);
      y += frame.px(23);
    }
  }
  list.PopClipRect();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(size);
}

}  // namespace headroom::ui
