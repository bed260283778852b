#include "ui/fit_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/number_text.hpp"
#include "ui/plan_chart.hpp"
#include "ui/value_tooltip.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kHead = 24, kFoot = 18, kLegend = 22;
constexpr float kGap = 2;
constexpr float kScaleWidth = 56;

struct SpeedRange {
  double fast = 0, slow = 0;

  [[nodiscard]] float share_of(double ms) const {
    return slow > fast ? static_cast<float>((ms - fast) / (slow - fast)) : 0;
  }
};

SpeedRange range_of(const plan::FitMap& map) {
  SpeedRange range{.fast = std::numeric_limits<double>::infinity()};
  for (const plan::FitCell& cell : map.cells) {
    if (!cell.fits()) continue;
    const double ms = ms_per_megapixel(cell);
    range.fast = std::min(range.fast, ms);
    range.slow = std::max(range.slow, ms);
  }
  if (!(range.fast <= range.slow)) range.fast = range.slow = 0;
  return range;
}

/// As many digits as a cell has room for.
std::string speed_text(double ms) {
  if (ms >= 9.95) return fmt::format("{:.0f}", ms);
  return fmt::format("{:.1f}", ms);
}

class Grid {
 public:
  Grid(const Frame& frame, const FitGridContent& content, const ImVec2& at, float width,
       float height)
      : frame_(frame), content_(content), map_(content.fits.map), range_(range_of(map_)) {
    left_ = at.x + frame.px(22);
    top_ = at.y + frame.px(kHead);
    right_ = at.x + width;
    const auto columns = static_cast<float>(std::max<std::size_t>(1, map_.sides.size()));
    const auto rows = static_cast<float>(std::max<std::size_t>(1, map_.batches.size()));
    cell_ = {std::max(1.0F, (right_ - left_) / columns),
             std::max(1.0F, (height - frame.px(kHead + kFoot + kLegend)) / rows)};
    bottom_ = top_ + rows * cell_.y;
  }

  void draw_head(const ImVec2& at) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    const TextStyle value{.size = FontSize::kLabel, .colour = frame_.theme.text2};
    float x = right_;
    if (range_.slow > 0) {
      const std::string slow = speed_text(range_.slow), fast = speed_text(range_.fast);
      draw_text(frame_, list, {x, at.y}, slow, value, Align::right);
      x -= text_size(frame_, slow, value).x + frame_.px(6);
      draw_scale({x - frame_.px(kScaleWidth), at.y + frame_.px(3)}, {x, at.y + frame_.px(11)});
      x -= frame_.px(kScaleWidth + 6);
      draw_text(frame_, list, {x, at.y}, fast, value, Align::right);
      x -= text_size(frame_, fast, value).x + frame_.px(12);
    }
    const std::string within =
        " within " + figure_bytes_text(content_.fits.question.limits.budget_bytes);
    std::string words = "ms per megapixel, predicted, cheapest plan" + within;
    if (text_size(frame_, words, style).x > x - at.x)
      words = "ms per megapixel, predicted" + within;
    draw_text(frame_, list, at, elided(frame_, words, style, std::max(1.0F, x - at.x)), style);
  }

  void draw_axes(const ImVec2& at) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    for (std::size_t row = 0; row < map_.batches.size(); ++row) {
      const float middle = top_ + (static_cast<float>(row) + 0.5F) * cell_.y;
      draw_text(frame_, list, {left_ - frame_.px(8), middle - frame_.px(style.size / 2)},
                fmt::format("{}", map_.batches[row]), style, Align::right);
    }
    float free_from = at.x;
    for (std::size_t column = 0; column < map_.sides.size(); ++column) {
      const std::string side = fmt::format("{}", map_.sides[column]);
      const float middle = left_ + (static_cast<float>(column) + 0.5F) * cell_.x;
      const float half = text_size(frame_, side, style).x / 2;
      if (middle - half < free_from) continue;
      free_from = middle + half + frame_.px(4);
      draw_text(frame_, list, {middle, bottom_ + frame_.px(3)}, side, style, Align::centre);
    }
  }

  void draw_legend(const ImVec2& at) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text2};
    const float y = bottom_ + frame_.px(kFoot + 4);
    float x = at.x;
    const auto add = [&](const char* words, auto swatch) {
      const float width = frame_.px(16) + text_size(frame_, words, style).x;
      if (x + width > right_) return;
      swatch(ImVec2{x, y + frame_.px(1)}, ImVec2{x + frame_.px(11), y + frame_.px(12)});
      draw_text(frame_, list, {x + frame_.px(16), y}, words, style);
      x += width + frame_.px(14);
    };
    add("measured", [&](const ImVec2& min, const ImVec2& max) {
      list.AddCircleFilled({(min.x + max.x) / 2, (min.y + max.y) / 2}, frame_.px(2.2F),
                           packed(frame_.theme.text1));
    });
    add("does not fit", [&](const ImVec2& min, const ImVec2& max) { draw_unfit(min, max); });
    add("chosen", [&](const ImVec2& min, const ImVec2& max) {
      list.AddRect(min, max, packed(frame_.theme.text1), frame_.px(3), 0, frame_.px(1.5F));
    });
    const char* const axes = "batch by side, px";
    const TextStyle words{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    if (right_ - text_size(frame_, axes, words).x > x)
      draw_text(frame_, list, {right_, y}, axes, words, Align::right);
  }

  FitGridTouch draw_cells() const {
    FitGridTouch touch;
    for (std::size_t row = 0; row < map_.batches.size(); ++row) {
      for (std::size_t column = 0; column < map_.sides.size(); ++column) {
        draw_cell(row, column, touch);
      }
    }
    return touch;
  }

 private:
  void draw_scale(const ImVec2& min, const ImVec2& max) const {
    constexpr int kPieces = 24;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (int i = 0; i < kPieces; ++i) {
      const auto share = [&](int piece) {
        return static_cast<float>(piece) / static_cast<float>(kPieces);
      };
      list.AddRectFilled({min.x + (max.x - min.x) * share(i), min.y},
                         {min.x + (max.x - min.x) * share(i + 1), max.y},
                         packed(speed_colour(frame_.theme, share(i))));
    }
  }

  void draw_unfit(const ImVec2& min, const ImVec2& max) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(min, max, packed(with_alpha(frame_.theme.bg2, 0.6F)), frame_.px(3));
    draw_hatch(frame_, list, min, max, frame_.theme.bg4, 4);
  }

  void draw_cell(std::size_t row, std::size_t column, FitGridTouch& touch) const {
    const plan::FitCell& cell = map_.cell(row, column);
    const ImVec2 min{left_ + static_cast<float>(column) * cell_.x,
                     top_ + static_cast<float>(row) * cell_.y};
    const ImVec2 max{min.x + std::max(1.0F, cell_.x - frame_.px(kGap)),
                     min.y + std::max(1.0F, cell_.y - frame_.px(kGap))};
    const std::string name = fmt::format("fits/cell/{}x{}", map_.batches[row], map_.sides[column]);
    const std::string words = words_of(cell);
    const Hit hit = hit_area(frame_, name.c_str(), min, max, words);
    if (hit.pressed) touch.pressed = &cell;
    if (hit.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
      touch.double_clicked = &cell;
    if (hit.hovered) tell(cell);
    draw_body(cell, min, max, hit.hovered);
    if (content_.chosen.has_value() && *content_.chosen == cell.shape) draw_ring(min, max);
  }

  void draw_body(const plan::FitCell& cell, const ImVec2& min, const ImVec2& max,
                 bool is_lit) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (!cell.fits()) {
      draw_unfit(min, max);
      if (is_lit) list.AddRect(min, max, packed(frame_.theme.line2), frame_.px(3));
      return;
    }
    const double ms = ms_per_megapixel(cell);
    const ImVec4 colour = speed_colour(frame_.theme, range_.share_of(ms));
    list.AddRectFilled(min, max, packed(colour), frame_.px(3));
    if (is_lit) {
      list.AddRectFilled(min, max, packed(with_alpha(text_on(colour), 0.12F)), frame_.px(3));
    }
    const ImVec4 ink = text_on(colour);
    const TextStyle style{.size = FontSize::kLabel, .weight = Weight::medium, .colour = ink};
    const std::string number = speed_text(ms);
    const ImVec2 size = text_size(frame_, number, style);
    if (size.x + frame_.px(4) <= max.x - min.x && size.y <= max.y - min.y + frame_.px(3)) {
      draw_text(frame_, list, {(min.x + max.x) / 2, (min.y + max.y - frame_.px(style.size)) / 2},
                number, style, Align::centre);
    }
    draw_mark(measured_of(content_.measured, cell.shape),
              {max.x - frame_.px(5), min.y + frame_.px(5)}, ink);
  }

  void draw_mark(const MeasuredFit* measured, const ImVec2& centre, const ImVec4& ink) const {
    if (measured == nullptr) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (measured->fits) {
      list.AddCircleFilled(centre, frame_.px(2.2F), packed(ink));
      return;
    }
    list.AddCircleFilled(centre, frame_.px(4), packed(frame_.theme.bg1));
    list.AddCircleFilled(centre, frame_.px(3), packed(frame_.theme.bad));
  }

  void draw_ring(const ImVec2& min, const ImVec2& max) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float out = frame_.px(1);
    list.AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, packed(frame_.theme.bg1),
                 frame_.px(4), 0, frame_.px(3.5F));
    list.AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, packed(frame_.theme.text1),
                 frame_.px(4), 0, frame_.px(1.5F));
  }

  [[nodiscard]] std::string words_of(const plan::FitCell& cell) const {
    if (!cell.fits()) return "does not fit";
    const MeasuredFit* const measured = measured_of(content_.measured, cell.shape);
    const char* const more = measured == nullptr ? "" : measured->fits ? ", measured" : ", failed";
    return speed_text(ms_per_megapixel(cell)) + " predicted" + more;
  }

  void tell(const plan::FitCell& cell) const {
    std::vector<ValueRow> rows;
    std::string note;
    if (!cell.fits()) {
      note = "Does not fit " + bytes_text(content_.fits.question.limits.budget_bytes);
      if (cell.least_bytes.has_value())
        note += ": the plan of the lowest peak needs " + bytes_text(*cell.least_bytes);
    } else {
      const plan::StepPrediction& predicted = cell.cheapest->predicted;
      rows = {{"Peak, predicted", bytes_text(predicted.peak_total_bytes)},
              {"Step, predicted", time_text(predicted.seconds_per_step)},
              {"Per megapixel", speed_text(ms_per_megapixel(cell)) + " ms"}};
      if (const MeasuredFit* const measured = measured_of(content_.measured, cell.shape)) {
        const std::string how = measured->by_other_plan ? ", the run's plan" : ", measured";
        rows.push_back({"Peak" + how, measured->fits ? bytes_text(measured->peak_bytes)
                                                     : "more than the budget"});
        if (measured->step_seconds > 0)
          rows.push_back({"Step" + how, time_text(measured->step_seconds)});
      }
      note = plan_words(cell.cheapest->plan, content_.fits.question.costs->stages);
    }
    value_tooltip(frame_, shape_text(cell.shape), rows, note);
  }

  const Frame& frame_;
  const FitGridContent& content_;
  const plan::FitMap& map_;
  SpeedRange range_;
  float left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;
  ImVec2 cell_{};
};

}  // namespace

std::string shape_text(const plan::BatchShape& shape) {
  return fmt::format("Batch {}, {} px", shape.batch, count_text(shape.width));
}

double ms_per_megapixel(const plan::FitCell& cell) {
  if (!cell.fits()) return 0;
  const auto pixels = static_cast<double>(cell.shape.batch * cell.shape.height * cell.shape.width);
  return pixels > 0 ? cell.cheapest->predicted.seconds_per_step * 1e3 / (pixels / 1e6) : 0;
}

const plan::FitCell* cell_of(const plan::FitMap& map, const plan::BatchShape& shape) {
  const auto found = std::ranges::find(map.cells, shape, &plan::FitCell::shape);
  return found == map.cells.end() ? nullptr : &*found;
}

const MeasuredFit* measured_of(const std::vector<MeasuredFit>& measured,
                               const plan::BatchShape& shape) {
  const auto found = std::ranges::find(measured, shape, &MeasuredFit::shape);
  return found == measured.end() ? nullptr : &*found;
}

FitGridTouch draw_fit_grid(const Frame& frame, const FitGridContent& content, float width,
                           float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Grid grid(frame, content, at, width, height);
  grid.draw_head(at);
  const FitGridTouch touch = grid.draw_cells();
  grid.draw_axes(at);
  grid.draw_legend(at);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({std::max(1.0F, width), std::max(1.0F, height)});
  return touch;
}

}  // namespace headroom::ui
