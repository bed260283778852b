#include "app/text.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace headroom::app {
namespace {

TEST(FormatTable, CellsOfUnequalLength_AlignsColumnsByCodePoints) {
  EXPECT_EQ(format_table({{"class", "IoU"}, {"Gefäß", "0.5"}, {"x", "-"}}),
            "class  IoU\n"
            "Gefäß  0.5\n"
            "x        -\n");
}

TEST(FormatScore, NoScore_IsADash) {
  EXPECT_EQ(format_score(0.8754), "0.875");
  EXPECT_EQ(format_score(std::numeric_limits<double>::quiet_NaN()), "-");
}

TEST(FormatStepTime, BelowASecond_IsInMilliseconds) {
  EXPECT_EQ(format_step_time(0.04831), "48.3 ms");
  EXPECT_EQ(format_step_time(0.99994), "999.9 ms");
  EXPECT_EQ(format_step_time(0.99996), "1.000 s");
  EXPECT_EQ(format_step_time(12.3456), "12.346 s");
}

TEST(SplitList, Commas_SeparateParts) {
  EXPECT_EQ(split_list("keep,full"), (std::vector<std::string>{"keep", "full"}));
  EXPECT_EQ(split_list("keep,,"), (std::vector<std::string>{"keep", "", ""}));
  EXPECT_EQ(split_list(""), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace headroom::app
