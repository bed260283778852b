#include "ui/u_layout.hpp"

#include <algorithm>
#include <cmath>

namespace headroom::ui {
namespace {

constexpr float kHeight = 150;       // of level 0 at height scale 1
constexpr float kHalvings = 0.46F;   // of the height from level to level
constexpr float kBelowSkip = 14;     // from a level's centre to the top of the next block
constexpr float kHeadShare = 0.42F;  // of the height of level 0
constexpr float kNarrowest = 5;
constexpr float kSlotMargin = 10;
constexpr float kLineGap = 4;
constexpr float kAbove = 18;  // room for a word over the highest blocks

double at_least_0(double value) { return std::isfinite(value) && value > 0 ? value : 0; }

std::size_t widest_of(const std::vector<double>& bytes) {
  return static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
}

struct Level {
  float centre = 0, height = 0;
};

std::vector<Level> levels_of(const UInput& input, std::size_t count) {
  std::vector<Level> levels;
  const float scale = input.height_scale * input.unit;
  for (std::size_t i = 0; i < count; ++i) {
    const float height = kHeight * scale * std::pow(0.5F, kHalvings * static_cast<float>(i));
    const float centre = i == 0 ? kAbove * input.unit + height / 2
                                : levels.back().centre + kBelowSkip * scale + height / 2;
    levels.push_back({centre, height});
  }
  return levels;
}

void add_blocks(const UInput& input, const std::vector<double>& bytes,
                const std::vector<Level>& levels, ULayout& layout) {
  const std::size_t stages = bytes.size() - 1;
  const std::size_t widest = widest_of(bytes);
  const float extra = std::min(input.wide_slot_extra * input.unit, input.width / 4);
  const float slot = std::max(
      1.0F, (input.width - extra) / static_cast<float>(std::max<std::size_t>(1, bytes.size())));
  const float most = std::max(kNarrowest * input.unit, slot + extra - kSlotMargin * input.unit);
  float left = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const bool is_head = i == stages;
    const Level& level = levels[is_head ? 0 : level_of_stage(i, stages)];
    const float own_slot = i == widest ? slot + extra : slot;
    const float width =
        std::max(kNarrowest * input.unit, most * solid_share(bytes[i], bytes[widest]));
    const float height = is_head ? levels[0].height * kHeadShare : level.height;
    const float centre = left + own_slot / 2;
    UBlock block{.min = {centre - width / 2, level.centre - height / 2},
                 .max = {centre + width / 2, level.centre + height / 2}};
    block.area_min = {left + input.unit, block.min.y - 6 * input.unit};
    block.area_max = {left + std::max(own_slot - input.unit, 2.0F * input.unit),
                      block.max.y + input.label_height};
    layout.height = std::max(layout.height, block.area_max.y);
    layout.blocks.push_back(block);
    left += own_slot;
  }
}

void add_skips(const UInput& input, const std::vector<Level>& levels, ULayout& layout) {
  const std::size_t stages = layout.blocks.size() - 1;
  double largest = 0;
  for (const double bytes : input.skip_bytes) largest = std::max(largest, at_least_0(bytes));
  const float gap = kLineGap * input.unit;
  for (std::size_t i = 0; i < levels.size() && i + 1 < stages - i; ++i) {
    const UBlock& encoder = layout.blocks[i];
    const UBlock& decoder = layout.blocks[stages - 1 - i];
    const double bytes = i < input.skip_bytes.size() ? input.skip_bytes[i] : 0;
    layout.skips.push_back({.from = {encoder.max.x + gap, levels[i].centre},
                            .to = {decoder.min.x - gap, levels[i].centre},
                            .weight = (1.5F + 5.5F * solid_share(bytes, largest)) * input.unit});
  }
}

void add_arrows(const UInput& input, ULayout& layout) {
  const float gap = kLineGap * input.unit;
  for (std::size_t i = 0; i + 1 < layout.blocks.size(); ++i) {
    const UBlock& from = layout.blocks[i];
    const UBlock& to = layout.blocks[i + 1];
    const float y = (std::max(from.min.y, to.min.y) + std::min(from.max.y, to.max.y)) / 2;
    layout.arrows.push_back(
        {.from = {from.max.x + gap, y}, .to = {to.min.x - gap, y}, .weight = 1.5F * input.unit});
  }
}

}  // namespace

std::size_t level_of_stage(std::size_t stage, std::size_t stages) {
  return stage < stages ? std::min(stage, stages - 1 - stage) : 0;
}

float solid_share(double held, double keep) {
  if (at_least_0(keep) == 0) return 0;
  return static_cast<float>(std::sqrt(std::min(1.0, at_least_0(held) / keep)));
}

float u_height_scale(float panel_height, bool is_small) {
  constexpr float kSmall = 0.74F;
  constexpr float kReference = 0.8F;        // in a window of 1080
  constexpr float kReferenceHeight = 1008;  // of the panel in that window
  if (is_small) return kSmall;
  return std::clamp(kReference * panel_height / kReferenceHeight, kSmall, 1.6F);
}

ULayout lay_out_u(const UInput& input) {
  ULayout layout;
  // A head alone is no network.
  if (input.keep_bytes.size() < 2 || !(input.width > 0)) return layout;
  std::vector<double> bytes;
  for (const double each : input.keep_bytes) bytes.push_back(at_least_0(each));
  const std::vector<Level> levels = levels_of(input, bytes.size() / 2);
  add_blocks(input, bytes, levels, layout);
  add_skips(input, levels, layout);
  add_arrows(input, layout);
  return layout;
}

}  // namespace headroom::ui
