#include "ui/sample_preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ui/chip.hpp"
#include "ui/class_order.hpp"
#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/label_reading.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kToolHeight = 36, kChipRow = 28;
constexpr std::size_t kMostChips = 48;

Extent extent_of(const run::SamplePreview& preview) {
  return {static_cast<double>(preview.image.width), static_cast<double>(preview.image.height)};
}

/// The sample before and the one after, among those that the list shows.
void draw_steps(const Frame& frame, DataState& data) {
  const std::string refusal = data.samples.size() < 2 ? "The list shows no other sample." : "";
  if (button(frame, "sample/previous", "",
             {.icon = icon::kChevronLeft,
              .width = 28,
              .height = 26,
              .refusal = refusal,
              .tooltip = "Sample before"})) {
    choose_sample(data, neighbour(data.samples, data.chosen, -1));
  }
  ImGui::SameLine(0, frame.px(4));
  if (button(frame, "sample/next", "",
             {.icon = icon::kChevronRight,
              .width = 28,
              .height = 26,
              .refusal = refusal,
              .tooltip = "Next sample"})) {
    choose_sample(data, neighbour(data.samples, data.chosen, 1));
  }
}

void draw_tools(const Frame& frame, DataState& data) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = at.x + ImGui::GetContentRegionAvail().x;
  draw_steps(frame, data);
  float x = at.x + frame.px(72);
  const bool has_opacity = x + frame.px(80) + opacity_width(frame) <= end;
  const float right = has_opacity ? end - opacity_width(frame) - frame.px(12) : end;
  const FolderSample& sample = data.of->samples[data.chosen];
  const TextStyle name{.size = FontSize::kTable, .weight = Weight::medium};
  const TextStyle note{.size = FontSize::kLabel, .colour = frame.theme.text3};
  const std::string place =
      fmt::format("{} of {}", count_text(static_cast<std::int64_t>(data.chosen) + 1),
                  count_text(std::ssize(data.of->samples)));
  const float note_width = text_size(frame, place, note).x + frame.px(10);
  const float room = std::max(0.0F, right - x - note_width);
  const bool has_room = text_size(frame, sample.id, name).x <= room;
  const std::string shown = elided(frame, has_room ? sample.id : sample.label, name, room);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  draw_text(frame, list, {x, at.y + frame.px(6)}, shown, name);
  frame.record("sample/name", {x, at.y}, {right, at.y + frame.px(26)}, true, sample.id);
  x += text_size(frame, shown, name).x + frame.px(10);
  if (x + note_width <= right + frame.px(10))
    draw_text(frame, list, {x, at.y + frame.px(6.5F)}, place, note);
  if (has_opacity) draw_opacity(frame, "sample/opacity", {end, at.y + frame.px(13)});
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(kToolHeight)});
}

/// What the overlay shows: hidden classes have no colour.
LabelColours colours_of(const DataState& data) {
  LabelColours colours = label_colours(data.of->mapping.class_names);
  for (std::size_t id = 0; id < std::min(colours.size(), data.hidden_classes.size()); ++id) {
    if (data.hidden_classes[id]) colours[id] = 0;
  }
  return colours;
}

std::string reading_of(const DataFolder& data, const run::SamplePreview& preview, const Point& at) {
  const Extent image = extent_of(preview);
  const double scale_x = static_cast<double>(preview.full_width) / image.width;
  const double scale_y = static_cast<double>(preview.full_height) / image.height;
  return fmt::format("x {}, y {}: {}", count_text(static_cast<std::int64_t>(at.x * scale_x)),
                     count_text(static_cast<std::int64_t>(at.y * scale_y)),
                     label_name(data.mapping.class_names, preview.truth,
                                static_cast<std::int64_t>(at.x), static_cast<std::int64_t>(at.y)));
}

void draw_image(const Frame& frame, SamplePreviewState& state, const DataState& data,
                const run::SharedPreview& wanted, const PixelBox& area) {
  const bool grows =
      state.pictures.make({.of = wanted,
                           .layer = PreviewLayer::truth,
                           .colours = colours_of(data),
                           .reduction = reduction_in(state.canvas, extent_of(*wanted), area)});
  if (grows) frame.shared.is_animating = true;
  const run::SharedPreview& of = state.pictures.source().of;
  const run::SharedPreview preview = of == nullptr ? wanted : of;
  const bool is_latest = frame.shell.pictures.chosen->sample == data.chosen;
  draw_canvas(frame, state.canvas,
              {.name = "sample",
               .subject = preview->sample_id,
               .image = extent_of(*preview),
               .picture = state.pictures.image(),
               .overlay = state.pictures.overlay(),
               .left_label = is_latest ? "image" : "reading \xE2\x80\xA6",
               .right_label = "mask",
               .reading = [&](const Point& at) { return reading_of(*data.of, *preview, at); }},
              area);
}

/// Switches of the classes in the overlay, in as many rows as they need, two at most.
class Chips {
 public:
  Chips(const Frame& frame, DataState& data, float width) : frame_(frame), data_(data) {
    const std::vector<std::string>& names = data.of->mapping.class_names;
    data.hidden_classes.resize(names.size());
    float x = 0;
    for (std::size_t id = 0; id < names.size() && ids_.size() < kMostChips; ++id) {
      const auto number = foreground_number(names, id);
      if (!number) continue;
      Chip chip{.id = id, .label = elided(frame, names[id], kWord, frame.px(110))};
      chip.colour = opaque(overlay_class_colour(*number));
      const float own = chip_width(frame, {.label = chip.label}) + frame.px(4);
      if (x > 0 && x + own > width) {
        if (++rows_ > kMostRows) break;
        x = 0;
      }
      chip.x = x;
      chip.row = rows_ - 1;
      x += own;
      ids_.push_back(std::move(chip));
    }
    rows_ = std::min(rows_, kMostRows);
    end_ = x;
  }

  [[nodiscard]] float height() const { return frame_.px(kChipRow) * static_cast<float>(rows_); }
  /// Where the last row ends, from the left.
  [[nodiscard]] float end() const { return end_; }

  void draw(const ImVec2& at) {
    for (const Chip& each : ids_) {
      ImGui::SetCursorScreenPos(
          {at.x + each.x, at.y + frame_.px(kChipRow) * static_cast<float>(each.row)});
      bool is_shown = !data_.hidden_classes[each.id];
      if (chip(frame_, fmt::format("sample/class/{}", each.id).c_str(),
               {.label = each.label,
                .colour = each.colour,
                .tooltip = is_shown ? "Hide this class" : "Show this class"},
               is_shown)) {
        data_.hidden_classes[each.id] = !is_shown;
      }
    }
  }

 private:
  struct Chip {
    std::size_t id = 0;
    std::string label{};
    ImVec4 colour{};
    float x = 0;
    int row = 0;
  };
  static constexpr int kMostRows = 2;
  static constexpr TextStyle kWord{.size = FontSize::kLabel, .weight = Weight::medium};

  const Frame& frame_;
  DataState& data_;
  std::vector<Chip> ids_{};
  int rows_ = 1;
  float end_ = 0;
};

void draw_zoom(const Frame& frame, const SamplePreviewState& state, const DataState& data,
               const ImVec2& right, float room) {
  const FolderSample& sample = data.of->samples[data.chosen];
  const double reduced =
      sample.width > 0 ? state.canvas.shown.width / static_cast<double>(sample.width) : 1;
  const double zoom = state.canvas.view.zoom * reduced / frame.scale;
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text3};
  for (const char* const help : {", drag to pan, wheel to zoom", ""}) {
    const std::string words = fmt::format("{:.0f} %{}", zoom * 100, help);
    if (text_size(frame, words, style).x > room) continue;
    draw_text(frame, *ImGui::GetWindowDrawList(), right, words, style, Align::right);
    return;
  }
}

void draw_sample(const Frame& frame, SamplePreviewState& state, DataState& data) {
  draw_tools(frame, data);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const float width = std::max(1.0F, room.x);
  Chips chips(frame, data, width);
  const float below = chips.height() + frame.px(6);
  const float height = std::max(frame.px(60), room.y - below);
  const PixelBox area{at, {at.x + width, at.y + height}};
  const SamplePictures& pictures = frame.shell.pictures;
  const bool has_view = pictures.of == data.of && pictures.chosen.has_value();
  if (has_view && pictures.chosen->picture != nullptr) {
    draw_image(frame, state, data, pictures.chosen->picture, area);
    chips.draw({at.x, area.max.y + frame.px(6)});
    draw_zoom(frame, state, data,
              {at.x + width, area.max.y + chips.height() - frame.px(kChipRow - 11)},
              width - chips.end() - frame.px(12));
  } else {
    const std::string words = has_view ? "It cannot be shown: " + pictures.chosen->problem
                                       : "Reading the sample \xE2\x80\xA6";
    draw_empty_state(frame, "sample/problem", icon::kImage, words);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height + below});
}

}  // namespace

void draw_sample_preview(const Frame& frame, SamplePreviewState& state, DataState& data) {
  if (data.of == nullptr || data.of->samples.empty()) {
    draw_empty_state(frame, "sample/empty", icon::kImage,
                     data.of == nullptr ? "A sample of a folder that was read is shown here"
                                        : "No sample can be used: see the findings");
    return;
  }
  data.chosen = std::min(data.chosen, data.of->samples.size() - 1);
  draw_sample(frame, state, data);
}

}  // namespace headroom::ui
