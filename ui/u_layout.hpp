#pragma once
// Where the parts of the U lie: blocks, skip lines and arrows as rectangles and points, without
// drawing anything. Pure; any thread.

#include <imgui.h>

#include <cstddef>
#include <vector>

namespace headroom::ui {

/// 0 at full resolution; of stage enc1 … encN, decN-1 … dec1 of `stages`.
[[nodiscard]] std::size_t level_of_stage(std::size_t stage, std::size_t stages);

struct UInput {
  std::vector<double> keep_bytes{};  ///< of each stage, the head last; what Keep would hold
  std::vector<double> skip_bytes{};  ///< by level; fewer than there are levels: those are thin
  float width = 0;                   ///< pixels
  float unit = 1;                    ///< pixels per design pixel
  float height_scale = 0.9F;
  float wide_slot_extra = 22;  ///< design pixels that the widest stage's slot is wider
  float label_height = 0;      ///< pixels below a block for its bar and lines of text
};

struct UBlock {
  ImVec2 min{}, max{};  ///< what Keep would hold; the solid part lies in it, from the left
  ImVec2 area_min{}, area_max{};  ///< the block with its labels: what the mouse meets
};

struct ULine {
  ImVec2 from{}, to{};
  float weight = 1;  ///< pixels
};

/// Relative to the upper left corner, in pixels.
struct ULayout {
  std::vector<UBlock> blocks{};  ///< stages, the head last
  std::vector<ULine> skips{};    ///< by level, from encoder to decoder; none at the lowest
  std::vector<ULine> arrows{};   ///< the forward path, from block i to block i + 1
  float height = 0;
};

/// Widths go with the square root of bytes, heights with the resolution. Levels shrink by less than
/// a half, so that the last stays readable; a block starts below the skip line of the level above,
/// so that no line crosses a block.
[[nodiscard]] ULayout lay_out_u(const UInput& input);

/// Share of a block's width that `held` of `keep` bytes fill, 0 … 1.
[[nodiscard]] float solid_share(double held, double keep);

/// Of a panel of `panel_height` design pixels.
[[nodiscard]] float u_height_scale(float panel_height, bool is_small);

}  // namespace headroom::ui
