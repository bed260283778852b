#include "ui/u_illustration.hpp"

#include <algorithm>
#include <array>

#include "core/plan/plan.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

using plan::Policy;

constexpr float kWidth = 570, kHeight = 304;

/// In the picture's own units.
struct Block {
  float centre_x, centre_y, width, height, solid;
  Policy policy;
};
constexpr std::array kBlocks = {
    Block{22, 46, 44, 92, 0.28F, Policy::offload}, Block{94, 134, 32, 66, 0.55F, Policy::light},
    Block{151, 200, 24, 48, 1, Policy::keep},      Block{217, 250, 18, 36, 1, Policy::keep},
    Block{283, 289, 14, 26, 1, Policy::keep},      Block{348, 250, 22, 36, 1, Policy::keep},
    Block{413, 200, 28, 48, 0.55F, Policy::light}, Block{479, 134, 38, 66, 0.28F, Policy::full},
    Block{544, 46, 52, 92, 0.55F, Policy::light}};

}  // namespace

void draw_u_illustration(const Frame& frame, ImDrawList& list, const ImVec2& min,
                         const ImVec2& max) {
  const float unit = std::min((max.x - min.x) / kWidth, (max.y - min.y) / kHeight);
  const ImVec2 origin{(min.x + max.x - kWidth * unit) / 2, (min.y + max.y - kHeight * unit) / 2};
  const auto at = [&](float x, float y) {
    return ImVec2{origin.x + x * unit, origin.y + y * unit};
  };
  for (std::size_t i = 0; i < kBlocks.size() / 2; ++i) {
    const Block& from = kBlocks[i];
    const Block& to = kBlocks[kBlocks.size() - 1 - i];
    const float weight = (4.5F - static_cast<float>(i)) * unit;
    const ImVec2 begin = at(from.centre_x + from.width / 2 + 6, from.centre_y);
    const ImVec2 end = at(to.centre_x - to.width / 2 - 6, to.centre_y);
    const ImU32 colour = packed(frame.theme.line2);
    list.AddLine(begin, {end.x - 8 * unit, end.y}, colour, weight);
    list.AddTriangleFilled({end.x - 8 * unit, end.y - 6 * unit}, end,
                           {end.x - 8 * unit, end.y + 6 * unit}, colour);
  }
  for (const Block& block : kBlocks) {
    const ImVec2 low = at(block.centre_x - block.width / 2, block.centre_y - block.height / 2);
    const ImVec2 high = at(block.centre_x + block.width / 2, block.centre_y + block.height / 2);
    const ImVec4& colour = frame.theme.policy[static_cast<std::size_t>(block.policy)];
    const float split = low.x + (high.x - low.x) * block.solid;
    list.AddRectFilled(low, high, packed(with_alpha(colour, 0.12F)), frame.px(3));
    if (block.policy == Policy::full)
      draw_hatch(frame, list, {split, low.y}, high, with_alpha(colour, 0.7F), 4.5F);
    if (block.policy == Policy::offload)
      draw_dots(frame, list, {split, low.y}, high, with_alpha(colour, 0.8F), 4);
    list.AddRectFilled(
        low, {split, high.y}, packed(colour), frame.px(3),
        block.solid < 1 ? ImDrawFlags_RoundCornersLeft : ImDrawFlags_RoundCornersAll);
    if (block.solid < 1) list.AddRect(low, high, packed(with_alpha(colour, 0.6F)), frame.px(3));
  }
}

}  // namespace headroom::ui
