#include "ui/sample_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "ui/empty_state.hpp"
#include "ui/findings_view.hpp"
#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr std::array<std::string_view, 4> kFilters = {"All", "Training", "Validation", "Findings"};
constexpr float kCellWidth = 132, kPictureHeight = 88, kGap = 8;
constexpr float kLeastField = 90, kMostField = 170;

std::string count_words(const DataState& state) {
  const std::size_t all = state.of->samples.size();
  if (state.samples.size() == all) return count_text(static_cast<std::int64_t>(all));
  return fmt::format("{} of {}", count_text(std::ssize(state.samples)),
                     count_text(std::ssize(state.of->samples)));
}

float segmented_width(const Frame& frame) {
  float width = frame.px(4 + 20 * static_cast<float>(kFilters.size()));
  for (const std::string_view label : kFilters)
    width += text_size(frame, label, {.size = FontSize::kLabel, .weight = Weight::medium}).x;
  return width;
}

void draw_title(const Frame& frame, DataState& state, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const TextStyle title{.weight = Weight::semibold};
  const TextStyle note{.size = FontSize::kLabel, .colour = frame.theme.text3};
  draw_text(frame, list, {at.x, at.y + frame.px(4)}, "Samples", title);
  const float note_x = at.x + text_size(frame, "Samples", title).x + frame.px(14);
  const std::string words = count_words(state);
  draw_text(frame, list, {note_x, at.y + frame.px(6)}, words, note);
  const float note_end = note_x + text_size(frame, words, note).x + frame.px(16);
  frame.record("data/samples/count", {note_x, at.y}, {note_end, at.y + frame.px(24)}, true, words);
  float right = at.x + width;
  const float choices = segmented_width(frame);
  if (note_end + choices <= right) {
    right -= choices;
    ImGui::SetCursorScreenPos({right, at.y});
    if (segmented(frame, "data/samples/side", kFilters, state.sample_filter))
      refilter_samples(state);
    right -= frame.px(8);
  }
  const float field = std::min(frame.px(kMostField), right - note_end);
  if (field >= frame.px(kLeastField)) {
    ImGui::SetCursorScreenPos({right - field, at.y - frame.px(1)});
    if (text_field(frame, "data/samples/text", state.sample_text, "Filter", field / frame.scale))
      refilter_samples(state);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + frame.px(kSamplesHead)});
}

/// The part of a picture that fills a box of this shape, in texture coordinates.
struct Crop {
  ImVec2 min{0, 0}, max{1, 1};
};
Crop crop_of(const Picture& picture, float width, float height) {
  if (picture.width <= 0 || picture.height <= 0 || width <= 0 || height <= 0) return {};
  const float wanted = width / height;
  const float has = static_cast<float>(picture.width) / static_cast<float>(picture.height);
  if (has > wanted) {
    const float half = wanted / has / 2;
    return {{0.5F - half, 0}, {0.5F + half, 1}};
  }
  const float half = has / wanted / 2;
  return {{0, 0.5F - half}, {1, 0.5F + half}};
}

class Grid {
 public:
  Grid(const Frame& frame, DataState& state, float width) : frame_(frame), state_(state) {
    columns_ = std::max<std::size_t>(
        1, static_cast<std::size_t>((width + frame.px(kGap)) / frame.px(kCellWidth + kGap)));
    // The pictures of a row take all of the width.
    cell_width_ = (width + frame.px(kGap)) / static_cast<float>(columns_) - frame.px(kGap);
    has_pictures_ = frame.shell.pictures.of == state.of;
  }

  void draw() {
    const std::size_t rows = (state_.samples.size() + columns_ - 1) / columns_;
    scroll_to_chosen();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows), frame_.px(kSamplesRow));
    while (clipper.Step()) {
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
        draw_row(static_cast<std::size_t>(row));
    }
  }

 private:
  void scroll_to_chosen() {
    if (!state_.scrolls_to_chosen) return;
    const auto found = std::ranges::lower_bound(state_.samples, state_.chosen);
    if (found == state_.samples.end()) return;
    const auto row = static_cast<std::size_t>(found - state_.samples.begin()) / columns_;
    const float top = static_cast<float>(row) * frame_.px(kSamplesRow);
    const float seen = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY() || top + frame_.px(kSamplesRow) > ImGui::GetScrollY() + seen)
      ImGui::SetScrollY(top);
    state_.scrolls_to_chosen = false;
  }

  void draw_row(std::size_t row) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::size_t end = std::min(state_.samples.size(), (row + 1) * columns_);
    for (std::size_t i = row * columns_; i < end; ++i) {
      const float x = at.x + static_cast<float>(i % columns_) * (cell_width_ + frame_.px(kGap));
      draw_sample(state_.samples[i], {x, at.y + frame_.px(3)});
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({1, frame_.px(kSamplesRow)});
  }

  void draw_sample(std::size_t index, const ImVec2& min) {
    const FolderSample& sample = state_.of->samples[index];
    const ImVec2 max{min.x + cell_width_, min.y + frame_.px(kPictureHeight)};
    const ImVec2 end{max.x, max.y + frame_.px(20)};
    const Hit hit =
        hit_area(frame_, fmt::format("data/sample/{}", index).c_str(), min, end, sample.id);
    if (hit.hovered && !hit.held) tooltip(frame_, words_of(sample));
    if (hit.pressed) state_.chosen = index;
    state_.in_sight.push_back(index);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    draw_thumbnail(list, index, min, max);
    const bool is_chosen = state_.chosen == index;
    if (is_chosen || hit.hovered) {
      list.AddRect(min, max, packed(is_chosen ? frame_.theme.accent : frame_.theme.line2),
                   frame_.px(5), 0, frame_.px(is_chosen ? 2.0F : 1.0F));
    }
    if (sample.worst) {
      const SeverityLook look = look_of(frame_.theme, *sample.worst);
      const ImVec2 corner{max.x - frame_.px(13), min.y + frame_.px(13)};
      list.AddCircleFilled(corner, frame_.px(11), packed(with_alpha(frame_.theme.bg1, 0.85F)));
      draw_icon(frame_, list, corner, look.icon, 15, look.colour);
    }
    const TextStyle name{.size = FontSize::kLabel,
                         .weight = is_chosen ? Weight::medium : Weight::regular,
                         .colour = is_chosen ? frame_.theme.text1 : frame_.theme.text2};
    draw_text(frame_, list, {min.x, max.y + frame_.px(4)}, shown_end(sample.label, name), name);
  }

  void draw_thumbnail(ImDrawList& list, std::size_t index, const ImVec2& min, const ImVec2& max) {
    const auto& thumbnails = frame_.shell.pictures.thumbnails;
    const auto found = has_pictures_ ? thumbnails.find(index) : thumbnails.end();
    if (found == thumbnails.end() || found->second == nullptr) {
      list.AddRectFilled(min, max, packed(frame_.theme.bg2), frame_.px(4));
      const bool is_missing = found != thumbnails.end();
      if (is_missing)
        draw_icon(frame_, list, {(min.x + max.x) / 2, (min.y + max.y) / 2}, icon::kImage, 22,
                  with_alpha(frame_.theme.text3, 0.5F));
      return;
    }
    const Crop crop = crop_of(*found->second, max.x - min.x, max.y - min.y);
    list.AddImageRounded(frame_.textures.texture_of(found->second, Enlarge::smooth), min, max,
                         crop.min, crop.max, IM_COL32_WHITE, frame_.px(4));
  }

  /// The end of a name tells samples apart better than its beginning.
  [[nodiscard]] std::string shown_end(std::string_view name, const TextStyle& style) const {
    constexpr std::size_t kMostBytes = 96;
    const bool is_long = name.size() > kMostBytes;
    if (!is_long && text_size(frame_, name, style).x <= cell_width_) return std::string(name);
    constexpr const char* kDots = "\xE2\x80\xA6";
    const float room = cell_width_ - text_size(frame_, kDots, style).x;
    if (is_long) name.remove_prefix(name.size() - kMostBytes);
    const auto is_inside_character = [&] {
      return !name.empty() && (static_cast<unsigned char>(name[0]) & 0xC0) == 0x80;
    };
    while (!name.empty() && (is_inside_character() || text_size(frame_, name, style).x > room))
      name.remove_prefix(1);
    return kDots + std::string(name);
  }

  [[nodiscard]] static std::string words_of(const FolderSample& sample) {
    const char* const side =
        sample.side == SplitSide::training
            ? "training"
            : (sample.side == SplitSide::validation ? "validation" : "in neither side");
    return fmt::format("{}\n{} \xC3\x97 {} px, {}", sample.id, count_text(sample.width),
                       count_text(sample.height), side);
  }

  const Frame& frame_;
  DataState& state_;
  std::size_t columns_ = 1;
  float cell_width_ = 0;
  bool has_pictures_ = false;
};

}  // namespace

void draw_samples(const Frame& frame, DataState& state, const ImVec2& size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_title(frame, state, size.x);
  if (begin_rows(frame, "data/samples", {size.x, size.y - frame.px(kSamplesHead)})) {
    if (state.samples.empty()) {
      draw_empty_state(frame, "data/samples/empty", icon::kImage,
                       state.of->samples.empty() ? "No sample can be used: see the findings"
                                                 : "No sample passes the filter");
    } else {
      Grid(frame, state, size.x).draw();
    }
  }
  end_rows();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(size);
}

}  // namespace headroom::ui
