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

TEST(SplitList, Commas_SeparateParts) {
  EXPECT_EQ(split_list("keep,full"), (std::vector<std::string>{"keep", "full"}));
  EXPECT_EQ(split_list("keep,,"), (std::vector<std::string>{"keep", "", ""}));
  EXPECT_EQ(split_list(""), (std::vector<std::string>{""}));
}

}  // namespace
}  // namespace headroom::app
