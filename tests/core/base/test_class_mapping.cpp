#include "core/base/class_mapping.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::base {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const MaskKey kPurple{.is_colour = true, .value = 0x3C1098};

TEST(MaskKey, ColourAndValue_ReadBackTheSame) {
  EXPECT_EQ(parse_mask_key("#3C1098"), kPurple);
  EXPECT_EQ(parse_mask_key("#3c1098"), kPurple);
  EXPECT_EQ(to_string(kPurple), "#3C1098");
  EXPECT_EQ(to_string(MaskKey{.is_colour = true, .value = 0xFF}), "#0000FF");
  EXPECT_EQ(parse_mask_key("-7"), (MaskKey{.is_colour = false, .value = -7}));
}

TEST(MaskKey, AnythingElse_IsNothing) {
  for (const char* const text : {"", "#", "#12345", "#1234567", "#GG0000", "#-12345", "name:"}) {
    EXPECT_EQ(parse_mask_key(text), std::nullopt) << text;
  }
}

TEST(MaskKey, Name_ReadsBackTheSame) {
  EXPECT_EQ(parse_mask_key("red car"), (MaskKey{.name = "red car"}));
  EXPECT_EQ(to_string(MaskKey{.name = "tv/monitor"}), "tv/monitor");
  for (const char* const name : {"17", "#3C1098", "#1", "other", "mapping", "name:x", "1.5", " "}) {
    const MaskKey key{.name = name};
    EXPECT_EQ(parse_mask_key(to_string(key)), key) << name;
  }
  EXPECT_EQ(to_string(MaskKey{.name = "17"}), "name:17");
}

TEST(ParseClassMapping, ColoursIgnoreAndOther_AreUnderstood) {
  const ClassMapping mapping = parse_class_mapping(
      R"({"mapping": {"#3C1098": {"class": 0, "name": "building"}, "17": {"class": 1},
          "#9B9B9B": "ignore", "other": "ignore"}, "train": []})",
      "m.json");
  EXPECT_THAT(mapping.class_names, ElementsAre("building", "class 1"));
  EXPECT_EQ(mapping.ids.at(kPurple), 0);
  EXPECT_EQ(mapping.ids.at(MaskKey{.is_colour = false, .value = 17}), 1);
  EXPECT_EQ(mapping.ids.at(MaskKey{.is_colour = true, .value = 0x9B9B9B}), kIgnoreLabel);
  EXPECT_EQ(mapping.other, kIgnoreLabel);
}

TEST(ParseClassMapping, Names_AreUnderstoodAndWrittenOut) {
  const ClassMapping mapping = parse_class_mapping(
      R"({"background": {"class": 0}, "car": {"class": 1, "name": "vehicle"}, "bus": {"class": 1},
          "name:other": {"class": 2, "name": "rest"}, "__ignore__": "ignore"})",
      "m.json");
  EXPECT_THAT(mapping.class_names, ElementsAre("class 0", "vehicle", "rest"));
  EXPECT_EQ(mapping.ids.at(MaskKey{.name = "bus"}), 1);
  EXPECT_EQ(mapping.ids.at(MaskKey{.name = "other"}), 2);
  EXPECT_EQ(mapping.ids.at(MaskKey{.name = "__ignore__"}), kIgnoreLabel);
  EXPECT_EQ(mapping.other, std::nullopt);
  EXPECT_EQ(parse_class_mapping(to_json(mapping), "again"), mapping);
}

TEST(ParseClassMapping, SeveralKeysOfOneClass_MayNameItOnce) {
  const ClassMapping mapping =
      parse_class_mapping(R"({"1": {"class": 0}, "2": {"class": 0, "name": "road"}})", "m.json");
  EXPECT_THAT(mapping.class_names, ElementsAre("road"));
  EXPECT_EQ(mapping.other, std::nullopt);
}

TEST(ParseClassMapping, WrittenOut_ReadsBackTheSame) {
  const ClassMapping mapping = parse_class_mapping(
      R"({"#3C1098": {"class": 0, "name": "a \"b\""}, "0": {"class": 1, "name": "c"}, "5": "ignore",
          "other": "ignore"})",
      "m.json");
  EXPECT_EQ(parse_class_mapping(to_json(mapping), "again"), mapping);
}

TEST(ParseClassMapping, OtherAsAClass_IsUnderstoodAndWrittenOut) {
  const ClassMapping mapping = parse_class_mapping(
      R"({"0": {"class": 0, "name": "background"}, "other": {"class": 1, "name": "cell"}})",
      "m.json");
  EXPECT_EQ(mapping.other, 1);
  EXPECT_THAT(mapping.class_names, ElementsAre("background", "cell"));
  EXPECT_EQ(parse_class_mapping(to_json(mapping), "again"), mapping);
}

struct BadMapping {
  const char* json;
  const char* named;
};
class ParseClassMappingOf : public testing::TestWithParam<BadMapping> {};

TEST_P(ParseClassMappingOf, WrongEntry_ThrowsUsageNamingFileAndEntry) {
  const auto error = tests::thrown_error(
      [] { static_cast<void>(parse_class_mapping(GetParam().json, "m.json")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), ErrorKind::usage);
  EXPECT_THAT(error->parts().subject, HasSubstr("m.json"));
  EXPECT_THAT(error->parts().subject, HasSubstr(GetParam().named));
}

INSTANTIATE_TEST_SUITE_P(
    All, ParseClassMappingOf,
    testing::Values(
        BadMapping{"", "line 1, column 1"}, BadMapping{"[]", "array"},
        BadMapping{"{\"1\": {\"class\": 0},\n  \"2\" }", "line 2, column 7"},
        BadMapping{R"({"1": {"class": 0}, "1": {"class": 1}})", "\"1\" stands there twice"},
        BadMapping{R"({"#ff0000": {"class": 0}, "#FF0000": {"class": 1}})", "#FF0000"},
        BadMapping{R"({"#red": {"class": 0}})", "\"#red\""}, BadMapping{R"({"1": 0})", "\"1\""},
        BadMapping{R"({"1": {"class": 255}})", "255"}, BadMapping{R"({"1": {"class": -1}})", "-1"},
        BadMapping{R"({"1": {"class": 1.5}})", "1.5"},
        BadMapping{R"({"1": {"class": 18446744073709551615}})", "18446744073709551615"},
        BadMapping{R"({"1": {"class": 0, "nam": "a"}})", "nam"},
        BadMapping{R"({"1": {"class": 0, "name": 3}})", "\"1\""},
        BadMapping{R"({"1": {"class": 1}})", "class 0 is not"},
        BadMapping{R"({"1": {"class": 0, "name": "a"}, "2": {"class": 0, "name": "b"}})", "\"b\""},
        BadMapping{R"({"other": {"class": 1}})", "class 0 is not"},
        BadMapping{R"({"mapping": 3})", "mapping"}, BadMapping{"{}", "names no class"},
        BadMapping{R"({"1": 1e999})", "too large"}));

}  // namespace
}  // namespace headroom::base
