#include "core/formats/stored_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace headroom::formats {
namespace {

using base::PixelType;

TEST(StoredValues, HeldType_IsTheFirstThatLosesNothing) {
  const ValueRange twelve_bits = {0, 4095};
  EXPECT_EQ(held_type(StoredType::u16, twelve_bits, {}), PixelType::u16);
  EXPECT_EQ(held_type(StoredType::u16, twelve_bits, {1, -1024}), PixelType::i16);
  EXPECT_EQ(held_type(StoredType::u16, range_of(StoredType::u16), {1, -1024}), PixelType::i32);
  EXPECT_EQ(held_type(StoredType::u16, twelve_bits, {8, 0}), PixelType::i16);
  EXPECT_EQ(held_type(StoredType::u16, twelve_bits, {16, 0}), PixelType::u16);
  EXPECT_EQ(held_type(StoredType::u8, range_of(StoredType::u8), {-1, 255}), PixelType::u8);
  EXPECT_EQ(held_type(StoredType::i16, range_of(StoredType::i16), {0.5, 0}), PixelType::f32);
  EXPECT_EQ(held_type(StoredType::i32, range_of(StoredType::i32), {0.5, 0}), PixelType::f64);
  EXPECT_EQ(held_type(StoredType::u32, range_of(StoredType::u32), {2, 0}), PixelType::f64);
  EXPECT_EQ(held_type(StoredType::f32, range_of(StoredType::f32), {2, 0}), PixelType::f32);
  EXPECT_EQ(held_type(StoredType::i8, range_of(StoredType::i8), {}), PixelType::i16);
  EXPECT_EQ(held_type(StoredType::u64, range_of(StoredType::u64), {}), PixelType::u32);
}

TEST(StoredValues, Conversion_KeepsStridesApart) {
  const std::array<std::int16_t, 4> stored = {-3, 100, 7, 100};
  std::array<float, 4> held = {0, 1, 2, 3};
  ASSERT_TRUE(convert_values({reinterpret_cast<const char*>(stored.data()), StoredType::i16, 2},
                             {0.5, 1}, 2,
                             {reinterpret_cast<std::byte*>(held.data() + 1), PixelType::f32, 2}));
  EXPECT_THAT(held, testing::ElementsAre(0, -0.5F, 2, 4.5F));
}

TEST(StoredValues, ValueThatDoesNotFit_IsSaid) {
  const std::array<std::uint64_t, 2> stored = {4294967295, 4294967296};
  std::array<std::uint32_t, 2> held{};
  const StoredValues from = {reinterpret_cast<const char*>(stored.data()), StoredType::u64};
  const HeldValues to = {reinterpret_cast<std::byte*>(held.data()), PixelType::u32};
  EXPECT_TRUE(convert_values(from, {}, 1, to));
  EXPECT_EQ(held[0], 4294967295U);
  EXPECT_FALSE(convert_values(from, {}, 2, to));
}

TEST(StoredValues, Range_IsChecked) {
  const std::array<std::int16_t, 2> stored = {-4096, 4096};
  const StoredValues values = {reinterpret_cast<const char*>(stored.data()), StoredType::i16};
  EXPECT_TRUE(are_within(values, 1, {-4096, 4095}));
  EXPECT_FALSE(are_within(values, 2, {-4096, 4095}));
}

}  // namespace
}  // namespace headroom::formats
