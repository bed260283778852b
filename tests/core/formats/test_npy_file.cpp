#include "core/formats/npy_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/base/error.hpp"
#include "core/formats/npy_header.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::values_in;

/// numpy.lib.format, version 1.0: magic, version, header length, header padded to 64 bytes.
std::string npy(const std::string& descr, const std::string& shape, const std::string& values,
                bool is_fortran_order = false) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr,
                                   is_fortran_order ? "True" : "False", shape);
  header.resize(64 * ((10 + header.size()) / 64 + 1) - 10 - 1, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + values;
}

template <typename T>
std::vector<T> counted(std::size_t count) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), T{1});
  return values;
}

class NpyFile : public testing::Test {
 protected:
  std::unique_ptr<RasterFile> open(const std::string& bytes) {
    tests::write_bytes(folder_ / "a.npy", bytes);
    return open_raster_file(folder_ / "a.npy");
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(NpyFile, TwoAxes_AreRowsAndColumns) {
  const auto file = open(npy("<u2", "(2, 3)", tests::bytes_of_values(counted<std::uint16_t>(6))));
  EXPECT_EQ(file->info().type, base::PixelType::u16);
  EXPECT_EQ(file->info().height, 2);
  EXPECT_THAT(values_in(file->read()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(values_in(file->read(0, {.left = 1, .top = 1, .width = 2, .height = 1})),
              ElementsAre(5, 6));
}

TEST_F(NpyFile, ColumnOrder_GivesTheSamePicture) {
  const auto file =
      open(npy("<i4", "(2, 3)", tests::bytes_of_values<std::int32_t>({1, 4, 2, 5, 3, 6}), true));
  EXPECT_THAT(values_in(file->read()), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(NpyFile, ShortLastAxis_HoldsChannels) {
  const auto file = open(npy("<f4", "(1, 2, 3)", tests::bytes_of_values(counted<float>(6))));
  EXPECT_EQ(file->info().channels, 3);
  EXPECT_EQ(file->info().width, 2);
  EXPECT_THAT(values_in(file->read()), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(NpyFile, ShortFirstAxis_HoldsChannels) {
  const auto file =
      open(npy("|u1", "(2, 1, 20)", tests::bytes_of_values(counted<std::uint8_t>(40))));
  EXPECT_EQ(file->info().channels, 2);
  EXPECT_EQ(file->info().width, 20);
  EXPECT_THAT(values_in(file->read(0, {.left = 1, .width = 2, .height = 1})),
              ElementsAre(2, 22, 3, 23));
}

TEST_F(NpyFile, ThreeLongAxes_ArePages) {
  const auto file =
      open(npy("<i2", "(17, 18, 19)", tests::bytes_of_values(counted<std::int16_t>(17 * 18 * 19))));
  EXPECT_EQ(file->info().pages, 17);
  EXPECT_THAT(values_in(file->read(16, {.left = 17, .top = 17, .width = 2, .height = 1})),
              ElementsAre(17 * 18 * 19 - 1, 17 * 18 * 19));
}

TEST_F(NpyFile, SmallTypes_AreHeldByTheNextWider) {
  const auto flags = open(npy("|b1", "(1, 2)", std::string("\x00\x01", 2)));
  EXPECT_EQ(flags->info().type, base::PixelType::u8);
  const auto bytes = open(npy("|i1", "(1, 2)", std::string("\xff\x7f", 2)));
  EXPECT_EQ(bytes->info().type, base::PixelType::i16);
  EXPECT_THAT(values_in(bytes->read()), ElementsAre(-1, 127));
}

TEST_F(NpyFile, LongIntegers_AreReadWhereTheyFitIn32Bits) {
  const auto ids = open(npy("<i8", "(1, 2)", tests::bytes_of_values<std::int64_t>({-5, 70000})));
  EXPECT_EQ(ids->info().type, base::PixelType::i32);
  EXPECT_THAT(values_in(ids->read()), ElementsAre(-5, 70000));
  const auto large =
      open(npy("<i8", "(1, 1)", tests::bytes_of_values<std::int64_t>({std::int64_t{1} << 40})));
  const auto error = tests::thrown_error([&] { static_cast<void>(large->read()); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->exit_code(), 3);
  EXPECT_THAT(error->what(), HasSubstr("32 bits"));
}

TEST_F(NpyFile, WhatCannotBeRead_IsRefusedNamingFileAndValue) {
  const std::vector<std::pair<std::string, const char*>> cases = {
      {npy("<c8", "(1, 1)", std::string(8, '\0')), "'<c8'"},
      {npy(">u2", "(1, 1)", std::string(2, '\0')), "'>u2'"},
      {npy("|u1", "(4,)", std::string(4, '\0')), "(4)"},
      {npy("|u1", "(1, 1, 1, 1)", std::string(1, '\0')), "(1, 1, 1, 1)"},
      {npy("|u1", "(0, 4)", ""), "(0, 4)"},
      {npy("|u1", "(99999999999, 99999999999)", ""), "99999999999"},
      {npy("|u1", "(4, 4)", std::string(15, '\0')), "truncated"},
      {npy("|u1", "(4, 4)", "").substr(0, 40), "truncated"},
      {npy("|u1", "4, 4", std::string(16, '\0')), "no plain array"},
  };
  for (const auto& [bytes, words] : cases) {
    const auto error = tests::thrown_error([&] { static_cast<void>(open(bytes)); });
    ASSERT_TRUE(error) << words;
    EXPECT_EQ(error->exit_code(), 3);
    EXPECT_THAT(error->what(), testing::AllOf(HasSubstr("a.npy"), HasSubstr(words)));
  }
}

TEST_F(NpyFile, DamagedBytes_AreReadOrRefused) {
  const std::string intact =
      npy("<i4", "(3, 4)", tests::bytes_of_values(counted<std::int32_t>(12)));
  std::mt19937 random(1);
  std::int64_t refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = intact;
    for (int flips = 0; flips < 3; ++flips)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    if (i % 4 == 0) bytes.resize(random() % bytes.size());
    try {
      static_cast<void>(open(bytes)->read());
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::unusable_data) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(NpyHeader, KeysInAnyOrder_AreRead) {
  const auto header =
      parse_npy_header("{\"shape\": (3L, 4L), 'fortran_order': True, 'descr': '<f8'}\n");
  ASSERT_TRUE(header);
  EXPECT_EQ(header->descr, "<f8");
  EXPECT_TRUE(header->is_fortran_order);
  EXPECT_THAT(header->shape, ElementsAre(3, 4));
}

TEST(NpyHeader, AnythingElse_IsNoHeader) {
  for (const char* text :
       {"", "{", "{}", "{'descr': '<f8'}",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1, 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, -2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)} x",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1 2)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2)}"})
    EXPECT_FALSE(parse_npy_header(text)) << text;
}

}  // namespace
}  // namespace headroom::formats
