// An error's words at the terminal and in the window.
#include "ui/window_words.hpp"

#include <gtest/gtest.h>

namespace headroom::ui {
namespace {

TEST(WindowWords, Flags_HaveTheNamesOfTheirFields) {
  EXPECT_EQ(window_words("Try --plan full, a smaller --tile or --batch, or a larger --budget"),
            "Try plan full, a smaller tile or batch, or a larger budget");
  EXPECT_EQ(window_words("--base-channels 4 and --lr"), "Base channels 4 and learning rate");
}

TEST(WindowWords, WhatIsNoSetting_StaysAsItIs) {
  EXPECT_EQ(window_words("name another --out"), "Name another --out");
  EXPECT_EQ(window_words("a-b -- c--tile"), "A-b -- c--tile");
}

TEST(WindowWords, Sentences_BeginWithACapital) {
  EXPECT_EQ(window_words("scanning '/data/x'"), "Scanning '/data/x'");
  EXPECT_EQ(window_words("/data/x is empty"), "/data/x is empty");
  EXPECT_EQ(window_words(""), "");
}

}  // namespace
}  // namespace headroom::ui
