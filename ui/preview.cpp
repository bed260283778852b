#include "ui/preview.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "ui/chart_frame.hpp"
#include "ui/class_order.hpp"
#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kToolHeight = 34;
/// Source pixels that pictures are made from in one frame: about 2 ms.
constexpr std::int64_t kPixelsPerFrame = 400'000;
constexpr float kLegendRow = 22;
constexpr float kCaptionRow = 26;
constexpr std::array<std::string_view, 3> kLayerNames = {"Truth", "Prediction", "Difference"};

ImVec4 opaque(std::uint32_t rgb) {
  return {static_cast<float>(rgb >> 16 & 0xFF) / 255, static_cast<float>(rgb >> 8 & 0xFF) / 255,
          static_cast<float>(rgb & 0xFF) / 255, 1};
}

std::span<const std::string> class_names(const run::RunSnapshot& run) {
  if (run.facts == nullptr) return {};
  return run.facts->class_names;
}

Extent extent_of(const run::SamplePreview& preview) {
  return {static_cast<double>(preview.image.width), static_cast<double>(preview.image.height)};
}

std::string empty_sentence(const run::RunSnapshot& run) {
  if (run.facts == nullptr || run.facts->validate_every <= 0) {
    return "The first validation shows its images here";
  }
  const std::int64_t every = run.facts->validate_every;
  const std::int64_t done = std::max<std::int64_t>(0, run.steps_done);
  std::int64_t next = run.facts->steps;
  if (next - done > every - done % every) next = done + (every - done % every);
  return "The first validation shows its images here (step " + count_text(next) + ")";
}

void draw_tools(const Frame& frame, PreviewState& state) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  static_cast<void>(segmented(frame, "preview/layer", kLayerNames, state.layer));
  const float tools_end = ImGui::GetItemRectMax().x;
  constexpr float kSlider = 72;
  const float needed = frame.px(24 + kSlider + 44);
  if (tools_end + frame.px(12) + needed <= at.x + width) {
    float x = at.x + width - needed;
    const float middle = at.y + frame.px(12);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_icon(frame, list, {x + frame.px(9), middle}, icon::kOpacity, 17, frame.theme.text2);
    x += frame.px(24);
    ImGui::SetCursorScreenPos({x, middle - frame.px(8)});
    static_cast<void>(
        slider(frame, "preview/opacity", frame.preferences.overlay_opacity, 0, 1, kSlider));
    draw_text(frame, list, {at.x + width, middle - frame.px(FontSize::kLabel / 2)},
              fmt::format("{:.0f} %", frame.preferences.overlay_opacity * 100),
              {.size = FontSize::kLabel, .weight = Weight::medium}, Align::right);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(kToolHeight)});
}

PictureSource wanted_source(const Frame& frame, const PreviewState& state,
                            const run::SharedPreview& preview, const Extent& panel) {
  const Extent image = extent_of(*preview);
  // An image of another size is shown as large as it fits.
  const bool keeps_view = image.width == state.shown.width && image.height == state.shown.height;
  return {.of = preview,
          .of_run = frame.run.facts,
          .layer = static_cast<PreviewLayer>(state.layer),
          .reduction = reduction_for(keeps_view && !state.view.fits ? state.view.zoom
                                                                    : fitting_zoom(image, panel))};
}

void begin_pictures(const Frame& frame, PreviewState& state, PictureSource source) {
  const PictureSource& before = state.pictures.source;
  const bool keeps_image = before.of == source.of && before.reduction == source.reduction;
  state.growing = {
      .keeps_image = keeps_image,
      .image = keeps_image ? GrowingPicture() : growing_image(source.of, source.reduction),
      .overlay =
          growing_overlay(source.of, source.layer, class_names(frame.run), source.reduction)};
  state.growing.source = std::move(source);
}

/// Pictures are made only when what they show has changed, and then over as many frames as it
/// takes, each of which stays short; those before are shown meanwhile.
void make_pictures(const Frame& frame, PreviewState& state, PictureSource wanted) {
  if (wanted == state.pictures.source) {
    state.growing = {};
    return;
  }
  GrowingPictures& growing = state.growing;
  if (growing.source != wanted) begin_pictures(frame, state, std::move(wanted));
  const std::int64_t left = kPixelsPerFrame - growing.image.grow(kPixelsPerFrame);
  if (left > 0) growing.overlay.grow(left);
  if (!growing.image.is_complete() || !growing.overlay.is_complete()) {
    frame.shared.is_animating = true;
    return;
  }
  if (!growing.keeps_image) state.pictures.image = growing.image.picture();
  state.pictures.overlay = growing.overlay.picture();
  state.pictures.source = std::move(growing.source);
  growing = {};
}

void move_view(PreviewState& state, const PixelBox& area, const Extent& panel, const Hit& hit) {
  const ImGuiIO& io = ImGui::GetIO();
  if (hit.held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    pan(state.view, {io.MouseDelta.x, io.MouseDelta.y}, state.shown);
  }
  if (!ImGui::IsItemHovered()) return;
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  if (io.MouseWheel != 0) {
    zoom_at(state.view, std::pow(1.25, std::clamp(io.MouseWheel, -10.0F, 10.0F)),
            {io.MousePos.x - area.min.x, io.MousePos.y - area.min.y}, state.shown, panel);
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) state.view.fits = true;
}

void move_divider(const Frame& frame, PreviewState& state, const PixelBox& area) {
  const float width = area.max.x - area.min.x;
  const float x = area.min.x + state.divider * width;
  const float reach = frame.px(7);
  const Hit hit =
      hit_area(frame, "preview/divider", {x - reach, area.min.y}, {x + reach, area.max.y});
  if (hit.hovered || hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (hit.held && width > 0 && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    state.divider = std::clamp((ImGui::GetIO().MousePos.x - area.min.x) / width, 0.0F, 1.0F);
  }
  constexpr float kStep = 0.05F;
  if (hit.focused && ImGui::IsKeyPressed(ImGuiKey_LeftArrow)) {
    state.divider = std::max(0.0F, state.divider - kStep);
  }
  if (hit.focused && ImGui::IsKeyPressed(ImGuiKey_RightArrow)) {
    state.divider = std::min(1.0F, state.divider + kStep);
  }
}

void draw_divider(const Frame& frame, ImDrawList& list, const PixelBox& area, float x) {
  const ImU32 white = IM_COL32(255, 255, 255, 255);
  list.AddRectFilled({x - frame.px(1), area.min.y}, {x + frame.px(1), area.max.y}, white);
  const ImVec2 middle{x, (area.min.y + area.max.y) / 2};
  list.AddCircleFilled(middle, frame.px(11), white);
  draw_icon(frame, list, middle, icon::kSwap, 15, {0.06F, 0.07F, 0.09F, 1});
}

/// White text on a dark ground, as it lies over images of any colour.
void draw_pill(const Frame& frame, ImDrawList& list, const ImVec2& at, std::string_view words,
               Align align) {
  const TextStyle style{.size = FontSize::kLabel, .weight = Weight::medium, .colour = {1, 1, 1, 1}};
  const float width = text_size(frame, words, style).x + frame.px(16);
  const float left = align == Align::right ? at.x - width : at.x;
  const ImVec2 max{left + width, at.y + frame.px(22)};
  list.AddRectFilled({left, at.y}, max, IM_COL32(0, 0, 0, 168), frame.px(5));
  draw_text(frame, list, {left + frame.px(8), at.y + frame.px(4)}, words, style);
}

std::string layer_label(const run::SamplePreview& preview, PreviewLayer layer) {
  if (layer == PreviewLayer::truth) return "truth";
  return (layer == PreviewLayer::prediction ? "prediction, step " : "difference, step ") +
         count_text(preview.step);
}

std::string label_name(std::span<const std::string> names, const base::LabelImage& labels,
                       std::int64_t x, std::int64_t y) {
  const std::int64_t index = y * labels.width + x;
  if (x >= labels.width || index < 0 || index >= std::ssize(labels.labels)) return kNone;
  const std::uint8_t id = labels.labels[static_cast<std::size_t>(index)];
  if (id == base::kIgnoreLabel) return "ignored";
  return id < names.size() ? names[id] : fmt::format("class {}", id);
}

/// Position in the full image and the classes there, under the mouse.
void draw_reading(const Frame& frame, ImDrawList& list, const PreviewState& state,
                  const PixelBox& area, const Extent& panel, const run::SamplePreview& preview) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Point at =
      image_from_panel(state.view, {mouse.x - area.min.x, mouse.y - area.min.y}, panel);
  if (at.x < 0 || at.y < 0 || at.x >= state.shown.width || at.y >= state.shown.height) return;
  const auto x = static_cast<std::int64_t>(at.x), y = static_cast<std::int64_t>(at.y);
  const double scale_x = static_cast<double>(preview.full_width) / state.shown.width;
  const double scale_y = static_cast<double>(preview.full_height) / state.shown.height;
  const auto names = class_names(frame.run);
  const std::string words = fmt::format(
      "{}, {}: truth {}, prediction {}", count_text(static_cast<std::int64_t>(at.x * scale_x)),
      count_text(static_cast<std::int64_t>(at.y * scale_y)), label_name(names, preview.truth, x, y),
      label_name(names, preview.prediction, x, y));
  const TextStyle style{.size = FontSize::kLabel, .weight = Weight::medium};
  draw_pill(frame, list, {area.min.x + frame.px(8), area.max.y - frame.px(30)},
            elided(frame, words, style, area.max.x - area.min.x - frame.px(34)), Align::left);
}

void draw_pictures(const Frame& frame, ImDrawList& list, const PreviewState& state,
                   const PixelBox& area, const Extent& panel, float divider_x) {
  const Point origin = panel_from_image(state.view, {0, 0}, panel);
  const Point end = panel_from_image(state.view, {state.shown.width, state.shown.height}, panel);
  const ImVec2 min{area.min.x + static_cast<float>(origin.x),
                   area.min.y + static_cast<float>(origin.y)};
  const ImVec2 max{area.min.x + static_cast<float>(end.x), area.min.y + static_cast<float>(end.y)};
  const PreviewPictures& pictures = state.pictures;
  if (pictures.image != nullptr) {
    list.AddImage(frame.textures.texture_of(pictures.image, Enlarge::smooth), min, max);
  }
  if (pictures.overlay == nullptr) return;
  const auto alpha = static_cast<int>(
      std::lround(std::clamp(frame.preferences.overlay_opacity, 0.0F, 1.0F) * 255));
  list.PushClipRect({divider_x, area.min.y}, area.max, true);
  list.AddImage(frame.textures.texture_of(pictures.overlay, Enlarge::blocks), min, max, {0, 0},
                {1, 1}, IM_COL32(255, 255, 255, alpha));
  list.PopClipRect();
}

void draw_image(const Frame& frame, PreviewState& state, const run::SharedPreview& wanted,
                const PixelBox& area) {
  const Extent panel{area.max.x - area.min.x, area.max.y - area.min.y};
  make_pictures(frame, state, wanted_source(frame, state, wanted, panel));
  const run::SharedPreview preview =
      state.pictures.source.of == nullptr ? wanted : state.pictures.source.of;
  const Extent image = extent_of(*preview);
  if (image.width != state.shown.width || image.height != state.shown.height) {
    state.shown = image;
    state.view = {};
  }
  fit(state.view, state.shown, panel);
  move_divider(frame, state, area);
  const Hit hit = hit_area(frame, "preview/image", area.min, area.max, preview->sample_id);
  const bool is_hovered = ImGui::IsItemHovered();
  move_view(state, area, panel, hit);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(area.min, area.max, true);
  list.AddRectFilled(area.min, area.max, IM_COL32(0, 0, 0, 255));
  const float x = std::floor(area.min.x + state.divider * (area.max.x - area.min.x));
  draw_pictures(frame, list, state, area, panel, x);
  draw_divider(frame, list, area, x);
  if (panel.width >= frame.px(240)) {
    draw_pill(frame, list, {area.min.x + frame.px(8), area.min.y + frame.px(8)}, "image",
              Align::left);
    draw_pill(frame, list, {area.max.x - frame.px(8), area.min.y + frame.px(8)},
              layer_label(*preview, state.pictures.source.layer), Align::right);
  }
  if (is_hovered) draw_reading(frame, list, state, area, panel, *preview);
  list.PopClipRect();
}

std::vector<LegendEntry> legend_of(const Frame& frame, const PreviewState& state) {
  std::vector<LegendEntry> legend;
  if (state.layer == static_cast<int>(PreviewLayer::difference)) {
    for (std::size_t i = 0; i < kMismatches; ++i) {
      legend.push_back({.label = kMismatchNames[i],
                        .colour = opaque(mismatch_colour(static_cast<Mismatch>(i))),
                        .is_box = true});
    }
    return legend;
  }
  const auto names = class_names(frame.run);
  constexpr std::size_t kMostShown = 12;
  const TextStyle style{.size = FontSize::kLabel};
  for (std::size_t id = 0; id < names.size() && legend.size() < kMostShown; ++id) {
    if (const auto number = foreground_number(names, id)) {
      legend.push_back({.label = elided(frame, names[id], style, frame.px(100)),
                        .colour = opaque(overlay_class_colour(*number)),
                        .is_box = true});
    }
  }
  return legend;
}

/// One sample before or after, and what is known of this one.
void draw_caption(const Frame& frame, PreviewState& state,
                  const std::vector<run::SharedPreview>& previews, const PixelBox& row) {
  const run::SamplePreview& preview = *previews[state.sample];
  const std::size_t samples = previews.size();
  const ImVec2& at = row.min;
  float left = at.x;
  if (samples > 1) {
    ImGui::SetCursorScreenPos(at);
    if (button(frame, "preview/previous", "",
               {.kind = ButtonKind::flat,
                .icon = icon::kChevronLeft,
                .width = 24,
                .height = 24,
                .tooltip = "Image before"})) {
      state.sample = (state.sample + samples - 1) % samples;
    }
    ImGui::SetCursorScreenPos({at.x + frame.px(26), at.y});
    if (button(frame, "preview/next", "",
               {.kind = ButtonKind::flat,
                .icon = icon::kChevronRight,
                .width = 24,
                .height = 24,
                .tooltip = "Next image"})) {
      state.sample = (state.sample + 1) % samples;
    }
    left += frame.px(58);
  }
  std::string words = fmt::format("{}, {} \xC3\x97 {} px", preview.sample_id,
                                  count_text(preview.full_width), count_text(preview.full_height));
  if (std::isfinite(preview.mean_dice)) words += fmt::format(", Dice {:.3f}", preview.mean_dice);
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const ImVec2 right{row.max.x, at.y + frame.px(5)};
  const std::string shown = elided(frame, words, style, right.x - left);
  const float start = right.x - text_size(frame, shown, style).x;
  draw_text(frame, *ImGui::GetWindowDrawList(), {start, right.y}, shown, style);
  frame.record("preview/caption", {start, right.y}, {right.x, right.y + frame.px(16)}, true, words);
}

}  // namespace

void draw_preview(const Frame& frame, PreviewState& state) {
  std::vector<run::SharedPreview> previews = frame.run.previews;
  std::erase(previews, nullptr);
  if (previews.empty()) {
    draw_empty_state(frame, "preview/empty", icon::kImage, empty_sentence(frame.run));
    return;
  }
  state.sample = std::min(state.sample, previews.size() - 1);
  const run::SharedPreview& preview = previews[state.sample];
  draw_tools(frame, state);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool one_row = room.x >= frame.px(620);
  const float below = frame.px(one_row ? kCaptionRow + 4 : kLegendRow + kCaptionRow);
  const float height = std::max(frame.px(60), room.y - below);
  draw_image(frame, state, preview, {at, {at.x + std::max(1.0F, room.x), at.y + height}});
  const float row = at.y + height + frame.px(4);
  const std::vector<LegendEntry> legend = legend_of(frame, state);
  draw_legend_row(frame, {at.x, row + frame.px(one_row ? 5 : 3)}, one_row ? room.x * 0.5F : room.x,
                  legend);
  const float caption_x = one_row ? at.x + room.x * 0.5F : at.x;
  const float caption_y = one_row ? row : row + frame.px(kLegendRow - 3);
  draw_caption(frame, state, previews, {{caption_x, caption_y}, {at.x + room.x, caption_y}});
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({std::max(1.0F, room.x), below});
}

}  // namespace headroom::ui
