// Pictures of previews pixel by pixel, the view's geometry, and the panel itself.
#include "ui/preview.hpp"

#include <gtest/gtest.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/class_order.hpp"

namespace headroom::tests {
namespace {

using ui::Extent;
using ui::PreviewLayer;
using ui::PreviewView;

const std::vector<std::string> kClasses = {"background", "disc", "vessel"};

constexpr std::uint32_t packed_rgb(std::uint32_t rgb, std::uint32_t alpha = 255) {
  return IM_COL32(rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF, alpha);
}

ui::SharedPicture image_picture(const run::SamplePreview& preview, std::int64_t reduction) {
  ui::GrowingPicture growing =
      ui::growing_image(std::make_shared<const run::SamplePreview>(preview), reduction);
  growing.grow(1000);
  return growing.picture();
}

ui::SharedPicture overlay_picture(const run::SamplePreview& preview, PreviewLayer layer,
                                  std::span<const std::string> classes, std::int64_t reduction) {
  ui::GrowingPicture growing =
      ui::growing_overlay(std::make_shared<const run::SamplePreview>(preview), layer,
                          ui::label_colours(classes), reduction);
  growing.grow(1000);
  return growing.picture();
}

/// Truth 0 1 1 2 / 255 2 0 0, prediction 0 1 2 0 / 1 2 1 0.
run::SamplePreview small_preview() {
  run::SamplePreview preview;
  preview.image = {.height = 2, .width = 4, .channels = 3};
  for (int i = 0; i < 24; ++i) preview.image.pixels.push_back(static_cast<std::byte>(i * 10));
  preview.truth = {.height = 2, .width = 4, .labels = {0, 1, 1, 2, 255, 2, 0, 0}};
  preview.prediction = {.height = 2, .width = 4, .labels = {0, 1, 2, 0, 1, 2, 1, 0}};
  return preview;
}

TEST(PreviewPicture, OfAnImage_HasItsColours) {
  const ui::SharedPicture picture = image_picture(small_preview(), 1);
  ASSERT_NE(picture, nullptr);
  EXPECT_EQ(picture->width, 4);
  EXPECT_EQ(picture->height, 2);
  EXPECT_EQ(picture->at(0, 1), IM_COL32(30, 40, 50, 255));
  EXPECT_EQ(picture->at(1, 3), IM_COL32(210, 220, 230, 255));
}

TEST(PreviewPicture, Reduced_IsTheMeanOfItsPixels) {
  const ui::SharedPicture picture = image_picture(small_preview(), 2);
  ASSERT_NE(picture, nullptr);
  EXPECT_EQ(picture->width, 2);
  EXPECT_EQ(picture->height, 1);
  // Red of the four: 0, 30, 120, 150.
  EXPECT_EQ(picture->at(0, 0), IM_COL32(75, 85, 95, 255));
}

TEST(PreviewPicture, OfTruth_ColoursClassesButNotBackgroundOrIgnored) {
  const auto picture = overlay_picture(small_preview(), PreviewLayer::truth, kClasses, 1);
  ASSERT_NE(picture, nullptr);
  EXPECT_EQ(picture->at(0, 0), 0U);
  EXPECT_EQ(picture->at(0, 1), packed_rgb(0x3FD0FF));
  EXPECT_EQ(picture->at(0, 3), packed_rgb(0xFFE066));
  EXPECT_EQ(picture->at(1, 0), 0U);
}

TEST(PreviewPicture, OfDifference_TellsThreeKindsApart) {
  const auto picture = overlay_picture(small_preview(), PreviewLayer::difference, kClasses, 1);
  ASSERT_NE(picture, nullptr);
  const auto colour = [](ui::Mismatch mismatch) {
    return packed_rgb(ui::mismatch_colour(mismatch));
  };
  EXPECT_EQ(picture->at(0, 1), 0U);
  EXPECT_EQ(picture->at(0, 2), colour(ui::Mismatch::other_class));
  EXPECT_EQ(picture->at(0, 3), colour(ui::Mismatch::missed));
  EXPECT_EQ(picture->at(1, 0), 0U) << "ignored in truth";
  EXPECT_EQ(picture->at(1, 2), colour(ui::Mismatch::found));
}

TEST(PreviewPicture, ReducedOverlay_IsAsOpaqueAsItIsCovered) {
  const auto picture = overlay_picture(small_preview(), PreviewLayer::prediction, kClasses, 2);
  ASSERT_NE(picture, nullptr);
  // Of the first four pixels two are disc and one is vessel: (2 * 0x3F + 0xFF) / 3, …
  EXPECT_EQ(picture->at(0, 0), IM_COL32(127, 213, 204, 191));
}

TEST(PreviewPicture, WhatIsNotAsLargeAsItSays_HasNone) {
  run::SamplePreview preview = small_preview();
  preview.truth.labels.pop_back();
  preview.image.pixels.pop_back();
  EXPECT_EQ(image_picture(preview, 1), nullptr);
  EXPECT_EQ(overlay_picture(preview, PreviewLayer::truth, kClasses, 1), nullptr);
  EXPECT_EQ(image_picture({}, 1), nullptr);
}

TEST(PreviewPicture, Growing_IsCompleteAfterItsLastRow) {
  ui::GrowingPicture growing =
      ui::growing_image(std::make_shared<const run::SamplePreview>(small_preview()), 1);
  EXPECT_EQ(growing.grow(1), 4) << "a row of four";
  EXPECT_FALSE(growing.is_complete());
  EXPECT_EQ(growing.picture(), nullptr);
  EXPECT_EQ(growing.grow(100), 4);
  ASSERT_TRUE(growing.is_complete());
  EXPECT_EQ(growing.picture()->at(1, 3), IM_COL32(210, 220, 230, 255));
  EXPECT_EQ(growing.grow(100), 0);
}

TEST(PreviewPicture, Reduction_NeverEnlargesBeyondTheScreen) {
  EXPECT_EQ(ui::reduction_for(2.0), 1);
  EXPECT_EQ(ui::reduction_for(0.6), 1);
  EXPECT_EQ(ui::reduction_for(0.5), 2);
  EXPECT_EQ(ui::reduction_for(0.2), 4);
  EXPECT_EQ(ui::reduction_for(0.0), 64);
}

TEST(ClassOrder, Background_HasNoNumberAndTakesNone) {
  EXPECT_EQ(ui::foreground_number(kClasses, 0), std::nullopt);
  EXPECT_EQ(ui::foreground_number(kClasses, 2), std::optional<std::size_t>(1));
  const std::vector<std::string> without = {"water", "land"};
  EXPECT_EQ(ui::foreground_number(without, 0), std::optional<std::size_t>(0));
  EXPECT_EQ(ui::foreground_number(kClasses, 200), std::optional<std::size_t>(199));
}

TEST(PreviewView, Fitted_ShowsTheWholeImage) {
  PreviewView view;
  ui::fit(view, {400, 100}, {200, 200});
  EXPECT_DOUBLE_EQ(view.zoom, 0.5);
  const ui::Point corner = ui::panel_from_image(view, {400, 100}, {200, 200});
  EXPECT_DOUBLE_EQ(corner.x, 200);
  EXPECT_DOUBLE_EQ(corner.y, 125);
}

TEST(PreviewView, Zooming_KeepsThePointUnderThePointer) {
  const Extent image{1000, 800}, panel{300, 240};
  PreviewView view;
  ui::fit(view, image, panel);
  const ui::Point pointer{70, 190};
  const ui::Point before = ui::image_from_panel(view, pointer, panel);
  for (int i = 0; i < 5; ++i) ui::zoom_at(view, 1.25, pointer, image, panel);
  const ui::Point after = ui::image_from_panel(view, pointer, panel);
  EXPECT_NEAR(after.x, before.x, 1e-9);
  EXPECT_NEAR(after.y, before.y, 1e-9);
  EXPECT_FALSE(view.fits);
}

TEST(PreviewView, Zoom_StaysWithinItsLimits) {
  const Extent image{1000, 800}, panel{300, 240};
  PreviewView view;
  ui::fit(view, image, panel);
  for (int i = 0; i < 100; ++i) ui::zoom_at(view, 2, {0, 0}, image, panel);
  EXPECT_DOUBLE_EQ(view.zoom, 64);
  for (int i = 0; i < 100; ++i) ui::zoom_at(view, 0.5, {0, 0}, image, panel);
  EXPECT_DOUBLE_EQ(view.zoom, 0.075);
}

TEST(PreviewView, Panning_MovesTheImageWithThePointer) {
  PreviewView view{.fits = false, .zoom = 2, .middle = {50, 50}};
  ui::pan(view, {20, -10}, {100, 100});
  EXPECT_DOUBLE_EQ(view.middle.x, 40);
  EXPECT_DOUBLE_EQ(view.middle.y, 55);
  ui::pan(view, {1e6, 0}, {100, 100});
  EXPECT_DOUBLE_EQ(view.middle.x, 0);
}

HeadlessDashboard& show(HeadlessDashboard& window, const SampleRun& sample = {}) {
  window.run = shared(training_snapshot(sample));
  window.settle();
  return window;
}

TEST(Preview, BeforeTheFirstValidation_SaysWhenItComes) {
  HeadlessDashboard window;
  show(window, {.steps_done = 3, .with_previews = false});
  ASSERT_NE(window.find("preview/empty"), nullptr);
  EXPECT_EQ(window.find("preview/empty")->text,
            "The first validation shows its images here (step 60)");
}

TEST(Preview, NextSample_IsNamedInTheCaption) {
  HeadlessDashboard window;
  show(window);
  EXPECT_TRUE(window.find("preview/caption")->text.starts_with("fundus_010, 3"));
  window.click("preview/next");
  window.frame();
  EXPECT_TRUE(window.find("preview/caption")->text.starts_with("fundus_011, 3"));
  EXPECT_TRUE(window.find("preview/caption")->text.ends_with("Dice 0.846"));
  window.click("preview/next");
  window.frame();
  EXPECT_TRUE(window.find("preview/caption")->text.starts_with("fundus_010, 3"));
}

TEST(Preview, WhileNothingChanges_MakesNoPicture) {
  HeadlessDashboard window;
  show(window);
  const std::size_t pictures = window.textures().pictures();
  EXPECT_EQ(pictures, 2U);
  window.frames(20);
  EXPECT_EQ(window.textures().pictures(), pictures);
  window.click("preview/layer/Difference");
  window.frame();
  EXPECT_EQ(window.textures().pictures(), pictures + 1);
}

TEST(Preview, LargeImage_IsMadeOverSeveralFramesWhileTheOneBeforeIsShown) {
  HeadlessDashboard window;
  show(window);
  const std::size_t pictures = window.textures().pictures();
  run::RunSnapshot snapshot = *window.run;
  auto large = std::make_shared<run::SamplePreview>();
  constexpr std::int64_t kSide = run::SamplePreview::kMostPixels;
  large->sample_id = "large";
  large->full_height = large->full_width = kSide;
  large->image = {.height = kSide, .width = kSide, .channels = 3};
  large->image.pixels.resize(static_cast<std::size_t>(kSide * kSide * 3));
  large->truth = {.height = kSide, .width = kSide};
  large->truth.labels.resize(static_cast<std::size_t>(kSide * kSide));
  large->prediction = large->truth;
  snapshot.previews = {large};
  window.run = shared(std::move(snapshot));
  window.frame();
  EXPECT_TRUE(window.dashboard().is_animating());
  EXPECT_TRUE(window.find("preview/image")->text.starts_with("fundus"));
  EXPECT_EQ(window.textures().pictures(), pictures);
  // 8.4 million pixels of image and labels at 400 000 a frame, in whole rows.
  window.frames(22);
  EXPECT_EQ(window.find("preview/image")->text, "large");
  EXPECT_EQ(window.textures().pictures(), pictures + 2);
}

TEST(Preview, Opacity_NeedsNoNewPicture) {
  HeadlessDashboard window;
  show(window);
  const std::size_t pictures = window.textures().pictures();
  const float before = window.dashboard().preferences().overlay_opacity;
  window.click("preview/opacity");
  EXPECT_NE(window.dashboard().preferences().overlay_opacity, before);
  EXPECT_EQ(window.textures().pictures(), pictures);
}

TEST(Preview, Divider_FollowsTheMouse) {
  HeadlessDashboard window;
  show(window);
  const ImVec2 before = window.middle_of("preview/divider");
  window.drag("preview/divider", "preview/opacity");
  window.frame();
  EXPECT_NEAR(window.middle_of("preview/divider").x, window.middle_of("preview/opacity").x, 2);
  EXPECT_GT(window.middle_of("preview/divider").x, before.x);
}

}  // namespace
}  // namespace headroom::tests
