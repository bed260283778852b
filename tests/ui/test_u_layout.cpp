// Geometry of the U against numbers computed by hand from the layout's rules.
#include "ui/u_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace headroom::ui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// enc1 … enc5, dec4 … dec1, head.
UInput five_levels() {
  return {.keep_bytes = {100, 50, 25, 12, 6, 20, 40, 90, 400, 4},
          .skip_bytes = {400, 100},
          .width = 565,
          .height_scale = 0.9F,
          .label_height = 60};
}

TEST(LevelOfStage, NineStages_GoDownAndUp) {
  constexpr std::size_t kLevels[] = {0, 1, 2, 3, 4, 3, 2, 1, 0};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(level_of_stage(i, 9), kLevels[i]);
  EXPECT_EQ(level_of_stage(9, 9), 0U);
}

TEST(SolidShare, Quarter_FillsHalfTheWidth) {
  EXPECT_FLOAT_EQ(solid_share(1, 4), 0.5F);
  EXPECT_FLOAT_EQ(solid_share(9, 4), 1);
  EXPECT_FLOAT_EQ(solid_share(1, 0), 0);
  EXPECT_FLOAT_EQ(solid_share(kNan, 4), 0);
  EXPECT_FLOAT_EQ(solid_share(-1, 4), 0);
}

TEST(UHeightScale, Panels_ScaleBetweenTheRulesEnds) {
  EXPECT_FLOAT_EQ(u_height_scale(660, true), 0.74F);
  EXPECT_FLOAT_EQ(u_height_scale(1008, false), 0.8F);
  EXPECT_FLOAT_EQ(u_height_scale(5000, false), 1.6F);
}

TEST(ULayout, Heights_ShrinkBy0Point727FromLevelToLevel) {
  const ULayout layout = lay_out_u(five_levels());
  ASSERT_EQ(layout.blocks.size(), 10U);
  const auto height = [&](std::size_t i) {
    return layout.blocks[i].max.y - layout.blocks[i].min.y;
  };
  EXPECT_NEAR(height(0), 135, 1e-3);  // 150 · 0.9
  EXPECT_NEAR(height(1), 98.144, 1e-2);
  EXPECT_NEAR(height(2), 71.350, 1e-2);
  EXPECT_NEAR(height(7), 98.144, 1e-2);
  EXPECT_NEAR(height(8), 135, 1e-3);
}

TEST(ULayout, Blocks_BeginBelowTheSkipLineAbove) {
  const ULayout layout = lay_out_u(five_levels());
  EXPECT_NEAR(layout.skips[0].from.y, 18 + 67.5, 1e-3);
  EXPECT_NEAR(layout.blocks[1].min.y, 18 + 67.5 + 12.6, 1e-3);  // 14 · 0.9 lower
  EXPECT_NEAR(layout.skips[1].from.y, 18 + 67.5 + 12.6 + 49.072, 1e-2);
  EXPECT_NEAR(layout.blocks[2].min.y, layout.skips[1].from.y + 12.6, 1e-3);
}

TEST(ULayout, Widths_GoWithTheSquareRootOfBytes) {
  const ULayout layout = lay_out_u(five_levels());
  const auto width = [&](std::size_t i) { return layout.blocks[i].max.x - layout.blocks[i].min.x; };
  // Slots of (565 − 22) / 10 = 54.3, the widest stage's 76.3, of which its block leaves 10.
  EXPECT_NEAR(width(8), 66.3, 1e-3);
  EXPECT_NEAR(width(0), 33.15, 1e-3);  // sqrt(100 / 400)
  EXPECT_NEAR(width(9), 6.63, 1e-3);   // sqrt(4 / 400)
  EXPECT_NEAR(layout.blocks[0].area_min.x, 1, 1e-3);
  EXPECT_NEAR(layout.blocks[8].area_min.x, 8 * 54.3 + 1, 1e-2);
  EXPECT_NEAR(layout.blocks[9].area_min.x, 8 * 54.3 + 76.3 + 1, 1e-2);
}

TEST(ULayout, NarrowestBlock_IsFivePixelsWide) {
  UInput input = five_levels();
  input.keep_bytes[4] = 0;
  const ULayout layout = lay_out_u(input);
  EXPECT_NEAR(layout.blocks[4].max.x - layout.blocks[4].min.x, 5, 1e-3);
}

TEST(ULayout, SkipLines_GetThickerWithTheSquareRootOfBytes) {
  const ULayout layout = lay_out_u(five_levels());
  ASSERT_EQ(layout.skips.size(), 4U);
  EXPECT_NEAR(layout.skips[0].weight, 7, 1e-3);
  EXPECT_NEAR(layout.skips[1].weight, 4.25, 1e-3);
  EXPECT_NEAR(layout.skips[2].weight, 1.5, 1e-3);
}

TEST(ULayout, Arrows_LieWhereNeighboursOverlap) {
  const ULayout layout = lay_out_u(five_levels());
  ASSERT_EQ(layout.arrows.size(), 9U);
  for (std::size_t i = 0; i < layout.arrows.size(); ++i) {
    for (const std::size_t block : {i, i + 1}) {
      EXPECT_GE(layout.arrows[i].from.y, layout.blocks[block].min.y);
      EXPECT_LE(layout.arrows[i].from.y, layout.blocks[block].max.y);
    }
  }
}

TEST(ULayout, MonitorScale_ScalesEverything) {
  UInput twice = five_levels();
  twice.unit = 2;
  twice.width *= 2;
  twice.label_height *= 2;
  const ULayout one = lay_out_u(five_levels());
  const ULayout two = lay_out_u(twice);
  for (std::size_t i = 0; i < one.blocks.size(); ++i) {
    EXPECT_NEAR(two.blocks[i].max.x, 2 * one.blocks[i].max.x, 1e-2);
    EXPECT_NEAR(two.blocks[i].max.y, 2 * one.blocks[i].max.y, 1e-2);
  }
  EXPECT_NEAR(two.height, 2 * one.height, 1e-2);
}

TEST(ULayout, AnyDepth_HasNoLineThroughABlockAndNoAreasThatOverlap) {
  for (std::size_t stages = 3; stages <= 15; stages += 2) {
    UInput input{.width = 565, .label_height = 60};
    for (std::size_t i = 0; i <= stages; ++i)
      input.keep_bytes.push_back(static_cast<double>((i * 7919) % 101 + 1));
    const ULayout layout = lay_out_u(input);
    for (const ULine& line : layout.skips) {
      for (const UBlock& block : layout.blocks) {
        const bool beside = block.max.x <= line.from.x || block.min.x >= line.to.x;
        EXPECT_TRUE(beside || block.min.y > line.from.y || block.max.y < line.from.y)
            << stages << " stages";
      }
    }
    for (std::size_t i = 1; i < layout.blocks.size(); ++i)
      EXPECT_LE(layout.blocks[i - 1].area_max.x, layout.blocks[i].area_min.x);
    EXPECT_LE(layout.blocks.back().area_max.x, 565);
  }
}

TEST(ULayout, WhatCannotBe_IsStillFinite) {
  EXPECT_TRUE(lay_out_u({}).blocks.empty());
  EXPECT_TRUE(lay_out_u({.keep_bytes = {1}, .width = 100}).blocks.empty());
  EXPECT_TRUE(lay_out_u({.keep_bytes = {1, 1}, .width = 0}).blocks.empty());
  EXPECT_TRUE(lay_out_u({.keep_bytes = {1, 1}, .width = std::numeric_limits<float>::quiet_NaN()})
                  .blocks.empty());
  UInput hostile{.keep_bytes = std::vector<double>(65, kNan), .skip_bytes = {kNan, -5}, .width = 3};
  hostile.keep_bytes[7] = std::numeric_limits<double>::infinity();
  hostile.keep_bytes[8] = -1e300;
  for (const UBlock& block : lay_out_u(hostile).blocks) {
    EXPECT_TRUE(std::isfinite(block.min.x) && std::isfinite(block.max.y));
    EXPECT_LT(block.min.x, block.max.x);
    EXPECT_LT(block.area_min.x, block.area_max.x);
  }
}

}  // namespace
}  // namespace headroom::ui
