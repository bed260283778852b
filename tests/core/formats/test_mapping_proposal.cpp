#include "core/formats/mapping_proposal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

constexpr std::uint8_t kIgnore = base::kIgnoreLabel;

base::MaskKey value(std::int64_t v) { return {false, v}; }
base::MaskKey colour(std::int64_t v) { return {true, v}; }

MaskCensus values(std::map<std::int64_t, std::int64_t> pixels_of) {
  return {.pixels_of = std::move(pixels_of)};
}

std::vector<std::string> codes_of(const MappingProposal& proposal) {
  std::vector<std::string> codes;
  for (const auto& finding : proposal.findings) codes.push_back(finding.code);
  return codes;
}

TEST(ProposeMapping, ZeroAnd255_AreBackgroundAndForeground) {
  const auto proposal = propose_mapping({values({{0, 90}}), values({{0, 1}, {255, 9}})}, 255);
  EXPECT_THAT(proposal.mapping.ids, UnorderedElementsAre(Pair(value(0), 0), Pair(value(255), 1)));
  EXPECT_THAT(proposal.mapping.class_names, ElementsAre("background", "foreground"));
  EXPECT_TRUE(proposal.findings.empty());
}

TEST(ProposeMapping, ConsecutiveIdsAnd255_IgnoreTheLast) {
  const auto proposal = propose_mapping({values({{0, 90000}, {1, 1}, {2, 5}, {255, 70}})}, 255);
  EXPECT_THAT(proposal.mapping.ids,
              UnorderedElementsAre(Pair(value(0), 0), Pair(value(1), 1), Pair(value(2), 2),
                                   Pair(value(255), kIgnore)));
  EXPECT_THAT(codes_of(proposal), ElementsAre("ignore-value"));
}

TEST(ProposeMapping, IdsFromOne_StartAtClassZero) {
  const auto proposal = propose_mapping({values({{1, 5}, {2, 5}})}, 255);
  EXPECT_THAT(proposal.mapping.ids, UnorderedElementsAre(Pair(value(1), 0), Pair(value(2), 1)));
  EXPECT_THAT(proposal.mapping.class_names, ElementsAre("class_1", "class_2"));
}

TEST(ProposeMapping, RareConsecutiveId_IsAClass) {
  const auto proposal = propose_mapping({values({{0, 1000000}, {1, 3}})}, 255);
  EXPECT_EQ(proposal.mapping.classes(), 2);
}

TEST(ProposeMapping, AntiAliasedBinary_IgnoresTheEdges) {
  const auto proposal =
      propose_mapping({values({{0, 100000}, {17, 3}, {128, 2}, {255, 50000}})}, 255);
  EXPECT_THAT(proposal.mapping.ids,
              UnorderedElementsAre(Pair(value(0), 0), Pair(value(17), kIgnore),
                                   Pair(value(128), kIgnore), Pair(value(255), 1)));
  EXPECT_THAT(codes_of(proposal), ElementsAre("stray-values"));
}

TEST(ProposeMapping, GapsBetweenValues_AreClosedInOrder) {
  const auto proposal = propose_mapping({values({{0, 50}, {50, 50}, {200, 50}})}, 255);
  EXPECT_THAT(proposal.mapping.ids,
              UnorderedElementsAre(Pair(value(0), 0), Pair(value(50), 1), Pair(value(200), 2)));
  EXPECT_THAT(proposal.mapping.class_names, ElementsAre("value_0", "value_50", "value_200"));
}

TEST(ProposeMapping, IgnoreMinusOne_Makes255AClass) {
  const auto proposal = propose_mapping({values({{0, 50}, {1, 50}, {255, 50}})}, -1);
  EXPECT_EQ(proposal.mapping.ids.at(value(255)), 2);
}

TEST(ProposeMapping, Colours_AreClassesInAscendingOrder) {
  const auto proposal = propose_mapping(
      {{.coding = MaskCoding::colour, .pixels_of = {{0xFF0000, 60}, {0x0000FF, 40}}}}, 255);
  EXPECT_THAT(proposal.mapping.ids,
              UnorderedElementsAre(Pair(colour(0x0000FF), 0), Pair(colour(0xFF0000), 1)));
  EXPECT_THAT(proposal.mapping.class_names, ElementsAre("#0000FF", "#FF0000"));
}

TEST(ProposeMapping, RareColour_IsIgnored) {
  const auto proposal =
      propose_mapping({{.coding = MaskCoding::colour,
                        .pixels_of = {{0xFF0000, 60000}, {0xFE0102, 4}, {0x0000FF, 40000}}}},
                      255);
  EXPECT_EQ(proposal.mapping.ids.at(colour(0xFE0102)), kIgnore);
  EXPECT_EQ(proposal.mapping.classes(), 2);
  EXPECT_THAT(codes_of(proposal), ElementsAre("stray-values"));
}

MaskCensus palette_mask(std::vector<std::uint32_t> palette) {
  return {
      .coding = MaskCoding::palette, .palette = std::move(palette), .pixels_of = {{0, 5}, {1, 5}}};
}

TEST(ProposeMapping, OnePaletteInAllMasks_IsMappedByIndex) {
  const auto proposal = propose_mapping({palette_mask({1, 2}), palette_mask({1, 2, 3})}, 255);
  EXPECT_THAT(proposal.mapping.ids, UnorderedElementsAre(Pair(value(0), 0), Pair(value(1), 1)));
}

TEST(ProposeMapping, DifferentPalettes_AreMappedByColour) {
  const auto proposal =
      propose_mapping({palette_mask({0xAA, 0xBB}), palette_mask({0xBB, 0xAA})}, 255);
  EXPECT_THAT(proposal.mapping.ids,
              UnorderedElementsAre(Pair(colour(0xAA), 0), Pair(colour(0xBB), 1)));
}

TEST(ProposeMapping, GreyMaskAmongColours_CountsAsGreyColours) {
  const auto proposal = propose_mapping(
      {values({{0, 50}}), {.coding = MaskCoding::colour, .pixels_of = {{0, 5}, {0xFF0000, 50}}}},
      255);
  EXPECT_THAT(proposal.mapping.ids,
              UnorderedElementsAre(Pair(colour(0), 0), Pair(colour(0xFF0000), 1)));
}

TEST(ProposeMapping, OneValueEverywhere_IsAnError) {
  const auto proposal = propose_mapping({values({{0, 50}})}, 255);
  ASSERT_THAT(codes_of(proposal), ElementsAre("single-value"));
  EXPECT_EQ(proposal.findings[0].severity, base::Severity::error);
}

TEST(ProposeMapping, InstanceNumbers_AreAWarningAndBeyond255AnError) {
  std::map<std::int64_t, std::int64_t> some, many;
  for (std::int64_t i = 0; i < 100; ++i) some[i] = 1;
  for (std::int64_t i = 0; i < 400; ++i) many[i] = 1;
  EXPECT_THAT(codes_of(propose_mapping({values(some)}, -1)), ElementsAre("many-values"));
  EXPECT_THAT(codes_of(propose_mapping({values(many)}, -1)), ElementsAre("too-many-values"));
}

}  // namespace
}  // namespace headroom::formats
