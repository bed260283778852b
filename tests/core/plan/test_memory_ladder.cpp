#include "core/plan/memory_ladder.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace headroom::plan {
namespace {

const std::vector<std::string> kStages = {"enc1", "enc2", "dec1"};

MemoryRecord record_of(const std::string& wanted, std::int64_t batch) {
  MemoryRecord record;
  record.wanted = parse_plan(wanted, kStages);
  record.batch = batch;
  record.policies = {Policy::keep, Policy::light, Policy::full};
  record.refused = {{{record.wanted, batch}, 100}};
  return record;
}

/// "keep 4", … : every form that is tried when none ever fits.
std::vector<std::string> all_tried(MemoryRecord record) {
  std::vector<std::string> tried;
  while (const std::optional<StepForm> form = next_on_ladder(record)) {
    tried.push_back(to_string(form->plan, kStages) + ' ' + std::to_string(form->tiles_at_once));
    put_last(record.refused, {*form, 100});
  }
  return tried;
}

using Names = std::vector<std::string>;
constexpr const char* kMostlyFull = "enc1=full,enc2=full,dec1=light 1";

TEST(NextOnLadder, KeepThatIsRefused_GoesFromCheapInTimeToCheapInMemory) {
  EXPECT_EQ(all_tried(record_of("keep", 1)), (Names{"light 1", kMostlyFull, "full 1"}));
}

TEST(NextOnLadder, NoPlanLeft_HalvesTheTilesAndBeginsWithTheWantedPlan) {
  const Names tried = all_tried(record_of("keep", 3));
  ASSERT_EQ(tried.size(), 3U + 4U + 4U);
  EXPECT_EQ(tried[3], "keep 2");
  EXPECT_EQ(tried[7], "keep 1");
  EXPECT_EQ(tried.back(), "full 1");
}

TEST(NextOnLadder, EveryForm_IsNamedOnce) {
  const Names tried = all_tried(record_of("enc2=light", 16));
  EXPECT_EQ(std::set<std::string>(tried.begin(), tried.end()).size(), tried.size());
}

TEST(NextOnLadder, StagesThatSaveMore_StayAsTheyAre) {
  EXPECT_EQ(all_tried(record_of("dec1=full", 1)),
            (Names{"enc1=light,enc2=light,dec1=full 1", "full 1", kMostlyFull}));
}

TEST(NextOnLadder, FullEverywhere_CanStillGiveUpTheLastStagesRepeat) {
  EXPECT_EQ(all_tried(record_of("full", 1)), Names{kMostlyFull});
}

TEST(NextOnLadder, PolicyThatTheNetworkHasNot_IsNotNamed) {
  MemoryRecord record = record_of("keep", 1);
  record.policies = {Policy::keep, Policy::full};
  EXPECT_EQ(all_tried(record), Names{"full 1"});
}

TEST(NextOnLadder, PlanMeasuredToNeedAsMuch_IsPassedOver) {
  MemoryRecord record = record_of("keep", 1);
  record.measured = {{{record.wanted, 1}, 900}, {{parse_plan("light", kStages), 1}, 900}};
  EXPECT_EQ(all_tried(record).front(), kMostlyFull);
  record.measured[1].bytes = 899;
  EXPECT_EQ(all_tried(record).front(), "light 1");
}

TEST(NextOnLadder, RefusedWithFewerTiles_IsNotTriedWithMore) {
  MemoryRecord record = record_of("keep", 4);
  record.refused.insert(record.refused.begin(), {{parse_plan("light", kStages), 2}, 100});
  EXPECT_EQ(all_tried(record).front(), "enc1=full,enc2=full,dec1=light 4");
}

TEST(NextOnLadder, PartTooSmallForANorm_IsNotTried) {
  MemoryRecord record = record_of("full", 4);
  record.least_part = 2;
  EXPECT_EQ(all_tried(record), (Names{"enc1=full,enc2=full,dec1=light 4", "full 2",
                                      "enc1=full,enc2=full,dec1=light 2"}));
  record = record_of("full", 3);  // in two parts one would have a single tile
  record.least_part = 2;
  EXPECT_EQ(all_tried(record), Names{"enc1=full,enc2=full,dec1=light 3"});
}

TEST(PutLast, FormThatIsKnown_MovesToTheEndWithTheHigherBytes) {
  const StepForm keep{{Policy::keep}, 1}, full{{Policy::full}, 1};
  std::vector<FormBytes> known = {{keep, 10}, {full, 20}};
  put_last(known, {keep, 30});
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(known.back().form, keep);
  EXPECT_EQ(known.back().bytes, 30);
  put_last(known, {keep, 5});
  EXPECT_EQ(known.back().bytes, 30);
}

}  // namespace
}  // namespace headroom::plan
