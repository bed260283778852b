#include "core/base/ct_window.hpp"

#include <gtest/gtest.h>

namespace headroom::base {
namespace {

void expect_window(const char* text, double low, double high) {
  const auto window = parse_ct_window(text);
  ASSERT_TRUE(window) << text;
  EXPECT_DOUBLE_EQ(window->low(), low) << text;
  EXPECT_DOUBLE_EQ(window->high(), high) << text;
}

// Level and width as radiologists state them: L -600 W 1500, L 400 W 1800, L 40 W 80, L 50 W 400,
// L 30 W 150, L 50 W 350.
TEST(ParseCtWindow, Names_AreTheUsualWindows) {
  expect_window("lung", -1350, 150);
  expect_window("bone", -500, 1300);
  expect_window("brain", 0, 80);
  expect_window("soft-tissue", -150, 250);
  expect_window("liver", -45, 105);
  expect_window("mediastinum", -125, 225);
}

TEST(ParseCtWindow, CentreAndWidth_AreTaken) {
  expect_window("-600:1500", -1350, 150);
  expect_window("40:0.5", 39.75, 40.25);
}

TEST(ParseCtWindow, AnythingElse_IsNoWindow) {
  for (const char* text :
       {"", "Lung", "40", "40:", ":80", "40:0", "40:-80", "40:80:1", "nan:80", "40:inf", "a:b"})
    EXPECT_FALSE(parse_ct_window(text)) << text;
}

}  // namespace
}  // namespace headroom::base
