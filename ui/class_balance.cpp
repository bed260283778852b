#include "ui/class_balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "ui/chart_frame.hpp"
#include "ui/class_colour.hpp"
#include "ui/data_text.hpp"
#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kHeadHeight = 24, kRowHeight = 30, kAxisHeight = 20;
constexpr float kShareWidth = 72, kPixelsWidth = 72;
constexpr float kPaleness = 0.5F;  ///< of the bars of validation

/// Of counts whose sum may be more than an integer holds.
std::vector<double> shares_of(const std::vector<double>& pixels) {
  const double all = std::accumulate(pixels.begin(), pixels.end(), 0.0);
  if (all <= 0) return {};
  std::vector<double> shares;
  for (const double each : pixels) shares.push_back(each / all);
  return shares;
}

double count_of(std::int64_t pixels) {
  return static_cast<double>(std::max<std::int64_t>(0, pixels));
}

double at(const std::vector<double>& shares, std::size_t id) {
  return id < shares.size() ? shares[id] : 0;
}

/// Where the parts of a row are.
struct Columns {
  float name_end = 0, bar_begin = 0, bar_end = 0, share_end = 0, pixels_end = 0;
};

Columns columns_of(const Frame& frame, float left, float width) {
  Columns columns;
  columns.pixels_end = left + width;
  const bool has_pixels = width >= frame.px(360);
  columns.share_end = columns.pixels_end - (has_pixels ? frame.px(kPixelsWidth) : 0);
  columns.bar_end = columns.share_end - frame.px(kShareWidth);
  columns.name_end = left + std::min(width * 0.26F, frame.px(150));
  columns.bar_begin = columns.name_end + frame.px(10);
  columns.bar_end = std::max(columns.bar_begin + 1, columns.bar_end);
  return columns;
}

class Balance {
 public:
  Balance(const Frame& frame, const ClassBalanceState& state)
      : frame_(frame), data_(*state.of), shares_(state.shares), first_(first_decade(shares_)) {
    for (const base::ClassSummary& each : data_.summary.classes) names_.push_back(each.name);
  }

  void draw() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
    columns_ = columns_of(frame_, at.x, width);
    draw_head(at);
    ImGui::SetCursorScreenPos({at.x, at.y + frame_.px(kHeadHeight)});
    const float room = ImGui::GetContentRegionAvail().y - frame_.px(kAxisHeight);
    const float needed = frame_.px(kRowHeight) * static_cast<float>(names_.size());
    const float height = std::max(frame_.px(kRowHeight), std::min(room, needed));
    draw_grid({at.x, at.y + frame_.px(kHeadHeight)}, height);
    if (begin_rows(frame_, "balance/rows", {width, height})) {
      ImGuiListClipper clipper;
      clipper.Begin(static_cast<int>(names_.size()), frame_.px(kRowHeight));
      while (clipper.Step()) {
        for (int id = clipper.DisplayStart; id < clipper.DisplayEnd; ++id)
          draw_row(static_cast<std::size_t>(id), width);
      }
    }
    end_rows();
    draw_axis(at.y + frame_.px(kHeadHeight) + height);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, frame_.px(kHeadHeight + kAxisHeight) + height});
  }

 private:
  [[nodiscard]] bool has_sides() const {
    return !shares_.training.empty() && !shares_.validation.empty();
  }

  [[nodiscard]] float x_of(double share) const {
    if (share <= 0) return columns_.bar_begin;
    const double along = (std::log10(share) - first_) / -first_;
    return columns_.bar_begin + static_cast<float>(std::clamp(along, 0.0, 1.0)) *
                                    (columns_.bar_end - columns_.bar_begin);
  }

  void draw_head(const ImVec2& at) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    if (columns_.pixels_end > columns_.share_end)
      draw_text(frame_, list, {columns_.pixels_end, at.y}, "pixels", style, Align::right);
    draw_text(frame_, list, {columns_.share_end, at.y}, "share", style, Align::right);
    const float end = columns_.bar_end;
    const std::string title =
        elided(frame_, "Share of labelled pixels, log scale", style, std::max(0.0F, end - at.x));
    draw_text(frame_, list, at, title, style);
    if (!has_sides()) return;
    const std::vector<LegendEntry> legend = {
        {.label = "training", .colour = frame_.theme.text2, .is_box = true},
        {.label = "validation",
         .colour = with_alpha(frame_.theme.text2, kPaleness),
         .is_box = true}};
    constexpr float kLegendWidth = 170;
    const float x = end - frame_.px(kLegendWidth);
    if (x > at.x + text_size(frame_, title, style).x + frame_.px(12))
      draw_legend_row(frame_, {x, at.y}, frame_.px(kLegendWidth), legend);
  }

  void draw_grid(const ImVec2& at, float height) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (int decade = first_; decade <= 0; ++decade) {
      const float x = std::floor(x_of(std::pow(10.0, decade)));
      list.AddLine({x, at.y}, {x, at.y + height}, packed(frame_.theme.grid));
    }
  }

  void draw_axis(float y) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    for (int decade = first_; decade <= 0; ++decade) {
      const std::string label =
          fmt::format("{:g}{}", std::pow(10.0, decade + 2), decade == 0 ? " %" : "");
      const Align align =
          decade == 0 ? Align::right : (decade == first_ ? Align::left : Align::centre);
      draw_text(frame_, list, {x_of(std::pow(10.0, decade)), y + frame_.px(4)}, label, style,
                align);
    }
  }

  void draw_share(double share, float y, float thickness, const ImVec4& colour) const {
    const float end = x_of(share);
    if (share <= 0) return;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {columns_.bar_begin, y}, {std::max(end, columns_.bar_begin + frame_.px(2)), y + thickness},
        packed(colour), frame_.px(2));
  }

  void draw_row(std::size_t id, float width) const {
    const base::ClassSummary& each = data_.summary.classes[id];
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = frame_.px(kRowHeight);
    ImGui::Dummy({width, height});
    const std::string words = row_words(id);
    tooltip(frame_, words);
    frame_.record(fmt::format("balance/class/{}", id), at, {at.x + width, at.y + height}, true,
                  words);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec4 colour = chart_colour(frame_.theme, names_, id);
    const float middle = at.y + height / 2;
    if (has_sides()) {
      draw_share(ui::at(shares_.training, id), middle - frame_.px(8), frame_.px(7), colour);
      draw_share(ui::at(shares_.validation, id), middle + frame_.px(1), frame_.px(7),
                 with_alpha(colour, kPaleness));
    } else {
      draw_share(ui::at(shares_.all, id), middle - frame_.px(5), frame_.px(10), colour);
    }
    const TextStyle name{.size = FontSize::kTable};
    const TextStyle share{.size = FontSize::kTable, .weight = Weight::medium};
    const TextStyle pixels{.size = FontSize::kTable, .colour = frame_.theme.text2};
    const float y = middle - frame_.px(name.size / 2);
    draw_text(frame_, list, {at.x, y}, elided(frame_, each.name, name, columns_.name_end - at.x),
              name);
    draw_text(frame_, list, {columns_.share_end, y}, share_text(ui::at(shares_.all, id)), share,
              Align::right);
    if (columns_.pixels_end > columns_.share_end)
      draw_text(frame_, list, {columns_.pixels_end, y}, pixels_text(each.pixels), pixels,
                Align::right);
  }

  [[nodiscard]] std::string row_words(std::size_t id) const {
    const base::ClassSummary& each = data_.summary.classes[id];
    std::string words = fmt::format("{}: {} of the labelled pixels, {} pixels in {} images",
                                    each.name, share_text(ui::at(shares_.all, id)),
                                    count_text(each.pixels), count_text(each.images));
    if (has_sides()) {
      words += fmt::format("\nTraining {}, validation {}", share_text(ui::at(shares_.training, id)),
                           share_text(ui::at(shares_.validation, id)));
    }
    return words;
  }

  const Frame& frame_;
  const DataFolder& data_;
  const ClassShares& shares_;
  const int first_;
  std::vector<std::string> names_{};
  Columns columns_{};
};

}  // namespace

ClassShares class_shares(const DataFolder& data) {
  const std::size_t classes = data.summary.classes.size();
  std::vector<double> all(classes), training(classes), validation(classes);
  for (std::size_t id = 0; id < classes; ++id) all[id] = count_of(data.summary.classes[id].pixels);
  for (const FolderSample& sample : data.samples) {
    if (sample.side == SplitSide::none) continue;
    std::vector<double>& side = sample.side == SplitSide::training ? training : validation;
    for (std::size_t id = 0; id < std::min(classes, sample.class_pixels.size()); ++id)
      side[id] += count_of(sample.class_pixels[id]);
  }
  return {
      .training = shares_of(training), .validation = shares_of(validation), .all = shares_of(all)};
}

int first_decade(const ClassShares& shares) {
  double least = 0.1;
  for (const std::vector<double>* side : {&shares.all, &shares.training, &shares.validation}) {
    for (const double share : *side) {
      if (share > 0) least = std::min(least, share);
    }
  }
  return std::clamp(static_cast<int>(std::floor(std::log10(least) + 1e-9)), -6, -1);
}

void draw_class_balance(const Frame& frame, ClassBalanceState& state) {
  if (state.of != frame.shell.data) {
    state.of = frame.shell.data;
    state.shares = state.of == nullptr ? ClassShares{} : class_shares(*state.of);
  }
  if (state.of == nullptr || state.of->summary.classes.empty()) {
    draw_empty_state(frame, "balance/empty", icon::kChartBar,
                     "The classes of a folder that was read are compared here");
    return;
  }
  Balance(frame, state).draw();
}

}  // namespace headroom::ui
