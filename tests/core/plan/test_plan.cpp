#include "core/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kStages = {"enc1", "enc2", "dec1"};

TEST(UnetStageNames, FiveLevels_GoDownAndUpAgain) {
  EXPECT_THAT(unet_stage_names(5),
              ElementsAre("enc1", "enc2", "enc3", "enc4", "enc5", "dec4", "dec3", "dec2", "dec1"));
}

TEST(ParsePlan, OnePolicy_IsForAllStages) {
  EXPECT_THAT(parse_plan("keep", kStages), ElementsAre(Policy::keep, Policy::keep, Policy::keep));
  EXPECT_THAT(parse_plan("offload", kStages),
              ElementsAre(Policy::offload, Policy::offload, Policy::offload));
}

TEST(ParsePlan, SomeStages_LeaveTheRestKeep) {
  EXPECT_THAT(parse_plan("dec1=light,enc1=full", kStages),
              ElementsAre(Policy::full, Policy::keep, Policy::light));
}

TEST(ToString, EveryPlanOfThreeStages_ReadsBackTheSame) {
  for (int code = 0; code < 64; ++code) {
    const Plan plan = {static_cast<Policy>(code % 4), static_cast<Policy>(code / 4 % 4),
                       static_cast<Policy>(code / 16)};
    EXPECT_EQ(parse_plan(to_string(plan, kStages), kStages), plan) << to_string(plan, kStages);
  }
  EXPECT_EQ(to_string({Policy::full, Policy::keep, Policy::light}, kStages),
            "enc1=full,dec1=light");
  EXPECT_EQ(to_string({Policy::full, Policy::full, Policy::full}, kStages), "full");
}

class ParsePlanOf : public testing::TestWithParam<const char*> {};

TEST_P(ParsePlanOf, UnusableText_ThrowsUsageListingTheStages) {
  const auto error =
      tests::thrown_error([] { static_cast<void>(parse_plan(GetParam(), kStages)); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::usage);
  EXPECT_THAT(error->parts().subject, HasSubstr(GetParam()));
  EXPECT_THAT(error->parts().remedy, HasSubstr("enc1, enc2, dec1"));
}

INSTANTIATE_TEST_SUITE_P(All, ParsePlanOf,
                         testing::Values("", "auto", "Full", "enc9=full", "enc1=none", "enc1",
                                         "enc1=", "=full", "enc1=full,", "enc1=full,,dec1=full",
                                         "enc1=full,enc1=keep", "keep,enc1=full", "enc1 = full"));

TEST(ParsePlan, UnknownStage_IsNamed) {
  const auto error =
      tests::thrown_error([] { static_cast<void>(parse_plan("enc1=full,enc7=full", kStages)); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->parts().subject, HasSubstr("no stage \"enc7\""));
}

}  // namespace
}  // namespace headroom::plan
