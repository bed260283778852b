#include "ui/mapping_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "ui/class_colour.hpp"
#include "ui/data_text.hpp"
#include "ui/icons.hpp"
#include "ui/mapping_menu.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

enum class Column { value, pixels, images, share, label, name, note };

/// `place`: the column's left edge, or its right one where it holds numbers, as a share of the
/// table's width. `width`: of what is at the left edge.
struct ColumnPlace {
  Column column;
  const char* title;
  float place;
  float width;
  bool ends_there;
};

constexpr std::array kWide = {ColumnPlace{Column::value, "Value", 0, 0.13F, false},
                              ColumnPlace{Column::pixels, "Pixels", 0.26F, 0, true},
                              ColumnPlace{Column::images, "Images", 0.35F, 0, true},
                              ColumnPlace{Column::share, "Share, log scale", 0.385F, 0.15F, false},
                              ColumnPlace{Column::label, "Becomes", 0.565F, 0.16F, false},
                              ColumnPlace{Column::name, "Name", 0.74F, 0.17F, false},
                              ColumnPlace{Column::note, "", 1, 0, true}};
constexpr std::array kNarrow = {ColumnPlace{Column::value, "Value", 0, 0.17F, false},
                                ColumnPlace{Column::pixels, "Pixels", 0.34F, 0, true},
                                ColumnPlace{Column::label, "Becomes", 0.38F, 0.28F, false},
                                ColumnPlace{Column::name, "Name", 0.7F, 0.3F, false}};
constexpr std::array kNarrowest = {ColumnPlace{Column::value, "Value", 0, 0.4F, false},
                                   ColumnPlace{Column::label, "Becomes", 0.45F, 0.55F, false}};

std::span<const ColumnPlace> columns_of(float design_width) {
  if (design_width >= 640) return kWide;
  if (design_width >= 400) return kNarrow;
  return kNarrowest;
}

class Table {
 public:
  Table(const Frame& frame, DataState& state, const std::string& refusal)
      : frame_(frame),
        state_(state),
        refusal_(refusal),
        keys_(state.of->summary.mask_keys),
        names_(state.mapping.mapping().class_names),
        row_height_(mapping_row(frame)) {
    for (const base::MaskKeySummary& each : keys_)
      all_pixels_ += std::max<std::int64_t>(0, each.pixels);
  }

  void draw(const ImVec2& size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    columns_ = columns_of(size.x / frame_.scale);
    draw_head(at, size.x);
    ImGui::SetCursorScreenPos({at.x, at.y + frame_.px(kMappingHead)});
    if (begin_rows(frame_, "data/mapping", {size.x, size.y - frame_.px(kMappingHead)})) {
      ImGuiListClipper clipper;
      clipper.Begin(static_cast<int>(keys_.size()), row_height_);
      while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
          draw_row(static_cast<std::size_t>(row), size.x);
      }
      draw_mapping_menu(frame_, state_);
    }
    end_rows();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(size);
  }

 private:
  void draw_head(const ImVec2& at, float width) const {
    const TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (const ColumnPlace& place : columns_) {
      draw_text(frame_, list, {at.x + place.place * width, at.y + frame_.px(3)}, place.title, style,
                place.ends_there ? Align::right : Align::left);
    }
    const float y = at.y + frame_.px(kMappingHead) - 1;
    list.AddLine({at.x, y}, {at.x + width, y}, packed(frame_.theme.line));
  }

  void draw_row(std::size_t row, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = row_height_;
    const base::MaskKeySummary& key = keys_[row];
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool is_hovered =
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
        ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height});
    if (is_hovered)
      list.AddRectFilled(at, {at.x + width, at.y + height}, packed(frame_.theme.bg2), frame_.px(4));
    for (const ColumnPlace& place : columns_)
      draw_cell(row, key, place, {at.x + place.place * width, at.y}, place.width * width);
    list.AddLine({at.x, at.y + height - 1}, {at.x + width, at.y + height - 1},
                 packed(frame_.theme.line));
    frame_.record(fmt::format("data/value/{}", row), at, {at.x + width, at.y + height}, true,
                  row_words(key));
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, height});
  }

  void draw_cell(std::size_t row, const base::MaskKeySummary& key, const ColumnPlace& place,
                 const ImVec2& at, float width) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const TextStyle style{.size = FontSize::kTable};
    const ImVec2 text_at{at.x, at.y + (row_height_ - frame_.px(style.size)) / 2};
    switch (place.column) {
      case Column::value:
        draw_value(key.key, at, width);
        break;
      case Column::pixels:
        draw_text(frame_, list, text_at, pixels_text(key.pixels), style, Align::right);
        break;
      case Column::images:
        draw_text(frame_, list, text_at, count_text(key.images),
                  {.size = FontSize::kTable, .colour = frame_.theme.text2}, Align::right);
        break;
      case Column::share:
        draw_share(key, at, width);
        break;
      case Column::label:
        draw_label(row, key.key, at, width);
        break;
      case Column::name:
        draw_name(row, key.key, at, width);
        break;
      case Column::note:
        draw_note(key, text_at);
        break;
    }
  }

  /// A swatch of what the file holds, and its number or colour.
  void draw_value(const base::MaskKey& key, const ImVec2& at, float width) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float middle = at.y + row_height_ / 2;
    const float side = frame_.px(15);
    const auto grey = static_cast<std::uint32_t>(std::clamp<std::int64_t>(key.value, 0, 255));
    const ImVec4 colour =
        opaque(key.is_colour ? static_cast<std::uint32_t>(key.value) : grey * 0x010101);
    const ImVec2 min{at.x + frame_.px(2), middle - side / 2};
    list.AddRectFilled(min, {min.x + side, min.y + side}, packed(colour), frame_.px(3));
    list.AddRect(min, {min.x + side, min.y + side}, packed(frame_.theme.line2), frame_.px(3));
    const TextStyle style{.size = FontSize::kTable, .weight = Weight::medium};
    draw_text(frame_, list, {at.x + frame_.px(26), middle - frame_.px(style.size / 2)},
              elided(frame_, to_string(key), style, std::max(0.0F, width - frame_.px(26))), style);
  }

  void draw_share(const base::MaskKeySummary& key, const ImVec2& at, float width) const {
    constexpr double kDecades = 6;
    const double share = all_pixels_ > 0 ? static_cast<double>(key.pixels) / all_pixels_ : 0;
    const double along = share > 0 ? 1 + std::log10(share) / kDecades : 0;
    const float middle = at.y + row_height_ / 2;
    draw_bar(frame_, *ImGui::GetWindowDrawList(), {at.x, middle - frame_.px(2.5F)},
             {at.x + width, middle + frame_.px(2.5F)}, static_cast<float>(along),
             colour_of(state_.mapping.label_of(key.key)));
  }

  [[nodiscard]] ImVec4 colour_of(std::optional<std::uint8_t> label) const {
    if (!label) return frame_.theme.bad;
    if (*label == base::kIgnoreLabel) return frame_.theme.text3;
    return chart_colour(frame_.theme, names_, *label);
  }

  /// What the value becomes: opens the menu of classes.
  void draw_label(std::size_t row, const base::MaskKey& key, const ImVec2& at, float width) {
    const std::optional<std::uint8_t> label = state_.mapping.label_of(key);
    const std::string words = label_words(label);
    const ImVec2 min{at.x, at.y + frame_.px(2)};
    const ImVec2 max{at.x + width, at.y + row_height_ - frame_.px(2)};
    const Hit hit = hit_area(frame_, fmt::format("data/value/{}/class", row).c_str(), min, max,
                             words, refusal_);
    tooltip(frame_, refusal_.empty() ? "Choose what this value becomes" : refusal_);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const bool is_enabled = refusal_.empty();
    list.AddRectFilled(min, max,
                       packed(is_enabled && hit.hovered ? frame_.theme.bg3 : frame_.theme.bg2),
                       frame_.px(6));
    list.AddRect(min, max, packed(frame_.theme.line2), frame_.px(6));
    const float middle = (min.y + max.y) / 2;
    float x = min.x + frame_.px(8);
    if (label && *label != base::kIgnoreLabel) {
      const float half = frame_.px(5);
      list.AddRectFilled({x, middle - half}, {x + 2 * half, middle + half},
                         packed(colour_of(label)), frame_.px(2));
      x += frame_.px(17);
    }
    const bool is_quiet = !is_enabled || label == base::kIgnoreLabel;
    const TextStyle style{
        .size = FontSize::kTable,
        .colour = !label ? frame_.theme.bad : (is_quiet ? frame_.theme.text2 : frame_.theme.text1)};
    draw_text(frame_, list, {x, middle - frame_.px(style.size / 2)},
              elided(frame_, words, style, std::max(0.0F, max.x - frame_.px(24) - x)), style);
    if (is_enabled)
      draw_icon(frame_, list, {max.x - frame_.px(13), middle}, icon::kChevronDown, 15,
                frame_.theme.text2);
    if (hit.pressed) open_mapping_menu(state_, key, {min.x, max.y + frame_.px(2)});
  }

  [[nodiscard]] std::string label_words(std::optional<std::uint8_t> label) const {
    if (!label) return "not said";
    return *label == base::kIgnoreLabel ? "Ignore" : fmt::format("Class {}", *label);
  }

  void draw_name(std::size_t row, const base::MaskKey& key, const ImVec2& at, float width) {
    const std::optional<std::uint8_t> label = state_.mapping.label_of(key);
    const TextStyle style{.size = FontSize::kTable, .colour = frame_.theme.text2};
    if (!label || *label >= names_.size()) {
      const char* const words = label == base::kIgnoreLabel ? "ignored" : kNone;
      draw_text(frame_, *ImGui::GetWindowDrawList(),
                {at.x, at.y + (row_height_ - frame_.px(style.size)) / 2}, words,
                {.size = FontSize::kTable, .colour = frame_.theme.text3});
      return;
    }
    if (!refusal_.empty()) {
      draw_text(frame_, *ImGui::GetWindowDrawList(),
                {at.x, at.y + (row_height_ - frame_.px(style.size)) / 2},
                elided(frame_, names_[*label], style, width), style);
      return;
    }
    const std::string name = fmt::format("data/value/{}/name", row);
    const bool is_typed = state_.typed_row == row;
    std::string value = is_typed ? state_.typed_name : names_[*label];
    // The text in the field, not its box, begins where the others do.
    constexpr float kFieldHeight = 24, kFieldPadding = 8;
    ImGui::SetCursorScreenPos(
        {at.x - frame_.px(kFieldPadding), at.y + (row_height_ - frame_.px(kFieldHeight)) / 2});
    if (text_field(frame_, name.c_str(), value, "name of the class",
                   width / frame_.scale + kFieldPadding, FieldLook::quiet)) {
      state_.typed_row = row;
      state_.typed_name = value;
    }
    if (ImGui::IsItemDeactivatedAfterEdit()) renamed_ = std::pair(*label, value);
    if (!ImGui::IsItemActive() && state_.typed_row == row) state_.typed_row.reset();
  }

  void draw_note(const base::MaskKeySummary& key, const ImVec2& at) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    TextStyle style{.size = FontSize::kLabel, .colour = frame_.theme.text3};
    const ImVec2 text_at{at.x, at.y + frame_.px(0.5F)};
    if (state_.mapping.is_changed(key.key)) {
      style.colour = frame_.theme.accent;
      style.weight = Weight::medium;
      draw_text(frame_, list, text_at, "edited", style, Align::right);
      return;
    }
    constexpr double kStrayShare = 1.0 / 2000;
    const bool is_stray = state_.mapping.label_of(key.key) == base::kIgnoreLabel &&
                          static_cast<double>(key.pixels) < all_pixels_ * kStrayShare;
    const std::string_view words = is_stray ? "stray" : std::string_view(state_.of->mapping_source);
    draw_text(frame_, list, text_at, elided(frame_, words, style, frame_.px(110)), style,
              Align::right);
    if (!is_stray) return;
    const float x = at.x - text_size(frame_, words, style).x - frame_.px(14);
    draw_icon(frame_, list, {x, at.y + frame_.px(7)}, icon::kAlert, 15, frame_.theme.warn);
  }

  [[nodiscard]] std::string row_words(const base::MaskKeySummary& key) const {
    const std::optional<std::uint8_t> label = state_.mapping.label_of(key.key);
    std::string words = fmt::format("{}: {}", to_string(key.key), label_words(label));
    if (label && *label < names_.size()) words += ", " + names_[*label];
    return words;
  }

 public:
  /// A class whose name was typed in this frame.
  [[nodiscard]] const std::optional<std::pair<std::uint8_t, std::string>>& renamed() const {
    return renamed_;
  }

 private:
  const Frame& frame_;
  DataState& state_;
  const std::string& refusal_;
  const std::vector<base::MaskKeySummary>& keys_;
  const std::vector<std::string>& names_;
  std::span<const ColumnPlace> columns_{};
  const float row_height_;
  double all_pixels_ = 0;
  std::optional<std::pair<std::uint8_t, std::string>> renamed_{};
};

}  // namespace

float mapping_row(const Frame& frame) { return frame.px(frame.is_small() ? 26 : 28); }

void draw_mapping_table(const Frame& frame, DataState& state, const ImVec2& size,
                        const std::string& refusal) {
  Table table(frame, state, refusal);
  table.draw(size);
  // The table reads names until it is drawn.
  if (const auto& renamed = table.renamed()) state.mapping.rename(renamed->first, renamed->second);
}

}  // namespace headroom::ui
