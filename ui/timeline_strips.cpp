#include "ui/timeline_strips.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/number_text.hpp"
#include "ui/value_tooltip.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kPhaseHeight = 15;
constexpr float kStageHeight = 14;
constexpr float kGap = 3;
constexpr float kSoft = 0.42F;

PixelBox box_of(const Frame& frame, const Chart& chart, const TimelineBlock& block, float top,
                float height) {
  const float left = chart.pixel_of(block.begin_ms, chart.y().low).x;
  const float right = chart.pixel_of(block.end_ms, chart.y().low).x;
  return {{std::max(left, chart.area().min.x), top},
          {std::min(right, chart.area().max.x), top + frame.px(height)}};
}

bool is_under_mouse(const PixelBox& box) {
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(box.min, box.max);
}

const std::string* owner_name(const TimelineView& view, int owner) {
  return owner < 0 ? nullptr : &view.timeline->owners[static_cast<std::size_t>(owner)];
}

std::string block_title(const TimelineView& view, const TimelineBlock& block) {
  const std::string* const owner = owner_name(view, block.owner);
  if (block.phase == plan::Phase::recompute && owner != nullptr) return "recompute of " + *owner;
  return plan::name_of(block.phase);
}

void block_tooltip(const Frame& frame, std::string_view title, const TimelineBlock& block) {
  const ValueRow rows[] = {
      {"from", time_text(block.begin_ms / 1e3)},
      {"takes", time_text((block.end_ms - block.begin_ms) / 1e3)},
  };
  value_tooltip(frame, title, rows);
}

/// Names stand in the first block of a phase that has room for them; that of a repeat without room
/// stands in the block after it.
class PhaseLabels {
 public:
  PhaseLabels(const Frame& frame, const TimelineView& view) : frame_(frame), view_(view) {}

  void draw(ImDrawList& list, const PixelBox& box, std::size_t index) {
    const TimelineBlock& block = view_.phases[index];
    const bool repeats = block.phase == plan::Phase::recompute;
    const std::string title = block_title(view_, block);
    if (!waiting_.empty() && !repeats) {
      put(list, box, std::exchange(waiting_, {}));
      return;
    }
    if (!repeats && last_ == block.phase) return;
    if (!put(list, box, title)) {
      if (repeats) waiting_ = title;
    } else if (!repeats) {
      last_ = block.phase;
    }
  }

 private:
  bool put(ImDrawList& list, const PixelBox& box, const std::string& name) {
    const TextStyle style{.size = FontSize::kLabel - 1, .colour = frame_.theme.text1};
    if (box.max.x - box.min.x < text_size(frame_, name, style).x + frame_.px(12)) return false;
    draw_text(frame_, list,
              {box.min.x + frame_.px(6), (box.min.y + box.max.y - frame_.px(style.size)) / 2}, name,
              style);
    return true;
  }

  const Frame& frame_;
  const TimelineView& view_;
  std::string waiting_{};
  std::optional<plan::Phase> last_{};
};

void draw_phases(const Frame& frame, const Chart& chart, float top, const TimelineView& view) {
  ImDrawList& list = chart.list();
  PhaseLabels labels(frame, view);
  for (std::size_t i = 0; i < view.phases.size(); ++i) {
    const TimelineBlock& block = view.phases[i];
    const PixelBox box = box_of(frame, chart, block, top, kPhaseHeight);
    if (!(box.max.x > box.min.x)) continue;
    const ImVec4& colour = frame.theme.phase[static_cast<std::size_t>(block.phase)];
    const bool repeats = block.phase == plan::Phase::recompute;
    const bool is_soft =
        repeats || block.phase == plan::Phase::forward || block.phase == plan::Phase::backward;
    list.AddRectFilled(box.min, box.max,
                       packed(is_soft ? with_alpha(colour, repeats ? 0.2F : kSoft) : colour));
    if (repeats) draw_hatch(frame, list, box.min, box.max, colour, 3, 1.5F);
    labels.draw(list, box, i);
    if (is_under_mouse(box)) block_tooltip(frame, block_title(view, block), block);
  }
}

int draw_stages(const Frame& frame, const Chart& chart, float top, const TimelineView& view,
                std::span<const ImVec4> colours) {
  ImDrawList& list = chart.list();
  int hovered = -1;
  const TextStyle style{.size = FontSize::kLabel - 1, .weight = Weight::medium};
  for (const TimelineBlock& block : view.stages) {
    PixelBox box = box_of(frame, chart, block, top, kStageHeight);
    if (!(box.max.x > box.min.x)) continue;
    const auto owner = static_cast<std::size_t>(block.owner);
    const ImVec4& colour = colours[std::min(owner, colours.size() - 1)];
    const bool is_dimmed =
        frame.shared.hovered_stage >= 0 && frame.shared.hovered_stage != block.owner;
    if (box.max.x - box.min.x > frame.px(3)) box.max.x -= frame.px(1);
    list.AddRectFilled(box.min, box.max, packed(with_alpha(colour, is_dimmed ? 0.35F : 1)),
                       frame.px(2));
    const std::string& name = view.timeline->owners[owner];
    if (box.max.x - box.min.x >= text_size(frame, name, style).x + frame.px(6)) {
      TextStyle on_colour = style;
      on_colour.colour = is_dimmed ? frame.theme.text2 : text_on(colour);
      draw_text(frame, list,
                {(box.min.x + box.max.x) / 2, (box.min.y + box.max.y - frame.px(style.size)) / 2},
                name, on_colour, Align::centre);
    }
    if (is_under_mouse(box)) {
      hovered = block.owner;
      block_tooltip(frame, name, block);
    }
  }
  return hovered;
}

}  // namespace

int draw_strips(const Frame& frame, const Chart& chart, float top, const TimelineView& view,
                std::span<const ImVec4> colours) {
  draw_phases(frame, chart, top, view);
  return draw_stages(frame, chart, top + frame.px(kPhaseHeight + kGap), view, colours);
}

}  // namespace headroom::ui
