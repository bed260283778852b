#include "core/formats/mask_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/formats/mask_census.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint8_t kIgnore = base::kIgnoreLabel;

base::MaskKey value(std::int64_t v) { return {false, v}; }
base::MaskKey colour(std::int64_t v) { return {true, v}; }

class MaskReader : public testing::Test {
 protected:
  std::vector<std::uint8_t> labels_of(const tests::RasterSpec& spec,
                                      const base::ClassMapping& mapping) {
    const auto file = folder_ / (spec.driver == "PNG" ? "a.png" : "a.tif");
    tests::write_raster(file, spec);
    return read_mask(file, mapping).labels;
  }
  const tests::TemporaryFolder folder_;
};

TEST_F(MaskReader, GreyValues_AreMapped) {
  EXPECT_THAT(labels_of({.width = 4, .values = {0, 255, 7, 0}},
                        {.ids = {{value(0), 0}, {value(255), 1}, {value(7), kIgnore}}}),
              ElementsAre(0, 1, kIgnore, 0));
}

TEST_F(MaskReader, SixteenBitFloatAndSignedValues_AreMapped) {
  const base::ClassMapping mapping{.ids = {{value(0), 0}, {value(300), 1}, {value(-1), 2}}};
  EXPECT_THAT(labels_of({.width = 2, .values = {300, 0}, .type = "UInt16"}, mapping),
              ElementsAre(1, 0));
  EXPECT_THAT(
      labels_of({.width = 3, .values = {300, 0, -1}, .type = "Int32", .driver = "GTiff"}, mapping),
      ElementsAre(1, 0, 2));
  EXPECT_THAT(labels_of({.width = 3, .values = {300, 0, -1}, .type = "Float32", .driver = "GTiff"},
                        mapping),
              ElementsAre(1, 0, 2));
}

TEST_F(MaskReader, FloatNan_IsIgnored) {
  EXPECT_THAT(
      labels_of({.width = 2, .values = {std::nan(""), 0}, .type = "Float32", .driver = "GTiff"},
                {.ids = {{value(0), 0}}}),
      ElementsAre(kIgnore, 0));
}

TEST_F(MaskReader, Fraction_IsRefusedWithItsPlace) {
  const auto error = tests::thrown_error([&] {
    labels_of(
        {.height = 2, .width = 2, .values = {0, 0, 0, 0.25}, .type = "Float32", .driver = "GTiff"},
        {.ids = {{value(0), 0}}});
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(), HasSubstr("0.25 at column 1, row 1"));
}

TEST_F(MaskReader, ThreeEqualChannels_AreValues) {
  EXPECT_THAT(labels_of({.width = 2, .channels = 3, .values = {2, 2, 2, 5, 5, 5}},
                        {.ids = {{value(2), 0}, {value(5), 1}}}),
              ElementsAre(0, 1));
}

TEST_F(MaskReader, Colours_AreMapped) {
  EXPECT_THAT(labels_of({.width = 2, .channels = 3, .values = {255, 0, 0, 1, 2, 3}},
                        {.ids = {{colour(0xFF0000), 3}, {colour(0x010203), 1}}}),
              ElementsAre(3, 1));
}

TEST_F(MaskReader, RgbaMask_LeavesOutAlpha) {
  EXPECT_THAT(labels_of({.width = 2,
                         .channels = 4,
                         .values = {255, 0, 0, 255, 1, 2, 3, 9},
                         .last_is_alpha = true},
                        {.ids = {{colour(0xFF0000), 3}, {colour(0x010203), 1}}}),
              ElementsAre(3, 1));
}

TEST_F(MaskReader, Palette_IsMappedByColourOrByIndex) {
  const tests::RasterSpec spec{
      .width = 3, .values = {1, 0, 2}, .palette = {0xAA0000, 0x00BB00, 0x0000CC}};
  EXPECT_THAT(
      labels_of(spec,
                {.ids = {{colour(0xAA0000), 5}, {colour(0x00BB00), 6}, {colour(0x0000CC), 7}}}),
      ElementsAre(6, 5, 7));
  EXPECT_THAT(labels_of(spec, {.ids = {{value(0), 5}, {value(1), 6}, {value(2), 7}}}),
              ElementsAre(6, 5, 7));
}

TEST_F(MaskReader, MixedMapping_TakesGreyColoursByTheirValueToo) {
  const base::ClassMapping mapping{
      .ids = {{colour(0xFF0000), 1}, {value(0), kIgnore}, {colour(0x9B9B9B), 2}}};
  EXPECT_THAT(labels_of({.width = 3, .channels = 3, .values = {255, 0, 0, 0, 0, 0, 155, 155, 155}},
                        mapping),
              ElementsAre(1, kIgnore, 2));
  EXPECT_THAT(labels_of({.width = 2, .values = {0, 155}}, mapping), ElementsAre(kIgnore, 2));
}

TEST_F(MaskReader, OneBit_IsZeroAndOne) {
  EXPECT_THAT(
      labels_of({.width = 3, .values = {1, 0, 1}, .driver = "GTiff", .options = {"NBITS=1"}},
                {.ids = {{value(0), 0}, {value(1), 1}}}),
      ElementsAre(1, 0, 1));
}

TEST_F(MaskReader, ValueOutsideTheMapping_NamesFileValueAndPixel) {
  const auto error = tests::thrown_error([&] {
    labels_of({.height = 2, .width = 3, .values = {0, 0, 0, 0, 9, 0}}, {.ids = {{value(0), 0}}});
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->parts().subject,
              testing::AllOf(HasSubstr("a.png"), HasSubstr("value 9 at column 1, row 1")));
  EXPECT_THAT(error->parts().remedy, HasSubstr("mapping"));
}

TEST_F(MaskReader, ColourOutsideTheMapping_IsNamedAsAColour) {
  const auto error = tests::thrown_error([&] {
    labels_of({.channels = 3, .values = {1, 2, 255}}, {.ids = {{colour(0), 0}}});
  });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("#0102FF"));
}

TEST_F(MaskReader, Other_TakesWhatIsNotListed) {
  EXPECT_THAT(labels_of({.width = 2, .values = {0, 9}}, {.ids = {{value(0), 0}}, .other = kIgnore}),
              ElementsAre(0, kIgnore));
}

TEST_F(MaskReader, TwoOrFiveBands_AreRefused) {
  for (const std::int64_t channels : {2, 5}) {
    EXPECT_THROW(labels_of({.channels = channels,
                            .values = {1, 2, 3, 4, 5},
                            .driver = "GTiff",
                            .options = {"ALPHA=NO"}},
                           {}),
                 base::Error);
  }
}

TEST_F(MaskReader, ValidArea_IgnoresWhereItIsZero) {
  base::LabelImage labels{1, 3, {1, 2, 3}};
  tests::write_raster(folder_ / "rgb.png",
                      {.width = 3, .channels = 3, .values = {0, 0, 0, 255, 255, 255, 0, 0, 1}});
  ignore_outside(read_mask_pixels(folder_ / "rgb.png"), labels);
  EXPECT_THAT(labels.labels, ElementsAre(kIgnore, 2, 3));
  tests::write_grey(folder_ / "grey.png", 1, 3, std::vector<double>{255, 0, 1});
  ignore_outside(read_mask_pixels(folder_ / "grey.png"), labels);
  EXPECT_THAT(labels.labels, ElementsAre(kIgnore, kIgnore, 3));
}

TEST_F(MaskReader, ValidAreaPalette_CountsByColour) {
  base::LabelImage labels{1, 2, {1, 2}};
  tests::write_raster(folder_ / "a.png",
                      {.width = 2, .values = {0, 1}, .palette = {0xFFFFFF, 0x000000}});
  ignore_outside(read_mask_pixels(folder_ / "a.png"), labels);
  EXPECT_THAT(labels.labels, ElementsAre(1, kIgnore));
}

TEST_F(MaskReader, ValidAreaOfAnotherSize_IsRefused) {
  tests::write_grey(folder_ / "mask.png", 1, 3, 1);
  tests::write_grey(folder_ / "a.png", 2, 3, 1);
  const auto error = tests::thrown_error(
      [&] { static_cast<void>(take_census(folder_ / "mask.png", folder_ / "a.png")); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), HasSubstr("3x2 pixels, its mask has 3x1"));
}

}  // namespace
}  // namespace headroom::formats
