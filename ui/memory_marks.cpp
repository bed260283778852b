#include "ui/memory_marks.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/run/log_text.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/value_tooltip.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kReach = 4;  ///< design pixels left and right of a mark that hover it
constexpr float kIconSize = 14;
constexpr float kClosest = 3;  ///< marks nearer to the one before are not drawn

std::string change_text(const Frame& frame, const run::MemoryRelief& relief) {
  return run::describe_form_change(
      relief.before, relief.after,
      frame.run.facts == nullptr ? std::vector<std::string>{} : frame.run.facts->stages);
}

void draw_mark(const Frame& frame, const Chart& chart, float x, bool is_hovered) {
  const PixelBox& area = chart.area();
  const float line = std::floor(x) + 0.5F;
  ImDrawList& list = chart.list();
  list.AddLine({line, area.min.y}, {line, area.max.y}, packed(frame.theme.bad),
               frame.px(is_hovered ? 2 : 1));
  draw_icon(frame, list, {x, area.max.y - frame.px(kIconSize / 2 + 2)}, icon::kAlert, kIconSize,
            frame.theme.bad);
}

}  // namespace

const run::MemoryRelief* draw_memory_marks(const Frame& frame, const Chart& chart,
                                           MarkRecord record) {
  const PixelBox& area = chart.area();
  const float mouse = ImGui::GetIO().MousePos.x;
  const run::MemoryRelief* hovered = nullptr;
  float last = -std::numeric_limits<float>::max();
  for (const run::MemoryRelief& relief : frame.run.memory_reliefs) {
    if (relief.work != run::RepeatedWork::step) continue;
    const float x = chart.pixel_of(static_cast<double>(relief.step), chart.y().low).x;
    if (!(x >= area.min.x && x <= area.max.x)) continue;
    const bool is_near = chart.is_hovered() && std::abs(mouse - x) <= frame.px(kReach);
    if (is_near) hovered = &relief;
    if (x - last < frame.px(kClosest)) continue;
    draw_mark(frame, chart, x, is_near);
    last = x;
    if (record == MarkRecord::named) {
      frame.record("mark/out_of_memory/" + std::to_string(relief.step),
                   {x - frame.px(1), area.min.y}, {x + frame.px(1), area.max.y}, true,
                   change_text(frame, relief));
    }
  }
  return hovered;
}

void memory_mark_tooltip(const Frame& frame, const run::MemoryRelief& relief) {
  std::vector<ValueRow> rows;
  if (relief.refused_bytes > 0)
    rows.push_back({"needed at least", bytes_text(relief.refused_bytes)});
  if (relief.budget_bytes > 0) rows.push_back({"budget", bytes_text(relief.budget_bytes)});
  const std::string consequence = run::consequence_of(relief);
  value_tooltip(frame, "Out of memory at step " + count_text(relief.step), rows,
                change_text(frame, relief) + " from here on; the step was repeated." +
                    (consequence.empty() ? "" : ' ' + consequence + '.'));
}

}  // namespace headroom::ui
