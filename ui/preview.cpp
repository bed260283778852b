#include "ui/preview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "ui/chart_frame.hpp"
#include "ui/class_order.hpp"
#include "ui/empty_state.hpp"
#include "ui/icons.hpp"
#include "ui/label_reading.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kToolHeight = 34;
constexpr float kLegendRow = 22;
constexpr float kCaptionRow = 26;
constexpr std::array<std::string_view, 3> kLayerNames = {"Truth", "Prediction", "Difference"};

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
  if (tools_end + frame.px(12) + opacity_width(frame) <= at.x + width)
    draw_opacity(frame, "preview/opacity", {at.x + width, at.y + frame.px(12)});
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(kToolHeight)});
}

std::string layer_label(const run::SamplePreview& preview, PreviewLayer layer) {
  if (layer == PreviewLayer::truth) return "truth";
  return (layer == PreviewLayer::prediction ? "prediction, step " : "difference, step ") +
         count_text(preview.step);
}

/// Position in the full image and the classes there.
std::string reading_of(std::span<const std::string> names, const run::SamplePreview& preview,
                       const Point& at) {
  const auto x = static_cast<std::int64_t>(at.x), y = static_cast<std::int64_t>(at.y);
  const Extent image = extent_of(preview);
  const double scale_x = static_cast<double>(preview.full_width) / image.width;
  const double scale_y = static_cast<double>(preview.full_height) / image.height;
  return fmt::format(
      "{}, {}: truth {}, prediction {}", count_text(static_cast<std::int64_t>(at.x * scale_x)),
      count_text(static_cast<std::int64_t>(at.y * scale_y)), label_name(names, preview.truth, x, y),
      label_name(names, preview.prediction, x, y));
}

void draw_image(const Frame& frame, PreviewState& state, const run::SharedPreview& wanted,
                const PixelBox& area) {
  const auto names = class_names(frame.run);
  const bool grows =
      state.pictures.make({.of = wanted,
                           .layer = static_cast<PreviewLayer>(state.layer),
                           .colours = label_colours(names),
                           .reduction = reduction_in(state.canvas, extent_of(*wanted), area)});
  if (grows) frame.shared.is_animating = true;
  const PictureSource& source = state.pictures.source();
  const run::SharedPreview preview = source.of == nullptr ? wanted : source.of;
  draw_canvas(frame, state.canvas,
              {.name = "preview",
               .subject = preview->sample_id,
               .image = extent_of(*preview),
               .picture = state.pictures.image(),
               .overlay = state.pictures.overlay(),
               .left_label = "image",
               .right_label = layer_label(*preview, source.layer),
               .reading = [&](const Point& at) { return reading_of(names, *preview, at); }},
              area);
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
