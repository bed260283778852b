// The settings of a run before it starts: what is typed, what is taken, what is refused and why.
#include "ui/run_settings.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

struct RunSettings : ::testing::Test {
  RunSettings() {
    snapshot.state = run::RunState::ready;
    snapshot.request = training_snapshot({.steps_done = 1}).request;
    show();
  }
  void show() {
    window.run = shared(snapshot);
    window.settle();
  }
  /// Types into a setting's field and leaves it with Enter; the run takes what is asked of it.
  void type(const char* name, const char* text) {
    window.click(name);
    window.press(ImGuiKey_A, ImGuiMod_Ctrl);
    window.type(text);
    window.press(ImGuiKey_Enter);
    window.frames(2);
    for (const run::Configure& configure : window.commands<run::Configure>())
      snapshot.request = configure.request;
    window.asked = {};
    show();
  }
  const ui::ProbedItem& item(const char* name) const { return *window.find(name); }

  run::RunSnapshot snapshot{};
  HeadlessDashboard window{};
};

TEST_F(RunSettings, TypedValue_IsTaken) {
  type("settings/batch", "7");
  EXPECT_EQ(snapshot.request->settings.step.batch, 7);
  EXPECT_TRUE(item("settings/start").enabled);
}

TEST_F(RunSettings, ChangesBeforeTheRunShowsTheFirst_AreAllKept) {
  const auto type_at_once = [&](const char* name, const char* text) {
    window.click(name);
    window.press(ImGuiKey_A, ImGuiMod_Ctrl);
    window.type(text);
    window.press(ImGuiKey_Enter);
    window.frames(2);
  };
  type_at_once("settings/batch", "7");
  EXPECT_EQ(item("settings/batch").text, "7");
  type_at_once("settings/steps", "90");
  window.click("plan/stage/enc1");
  ASSERT_EQ(window.commands<run::Configure>().size(), 3U);
  const base::Settings asked = window.commands<run::Configure>().back().request.settings;
  EXPECT_EQ(asked.step.batch, 7);
  EXPECT_EQ(asked.train.steps, 90);
  EXPECT_EQ(asked.step.plan, "enc1=light");
  // What somebody else configures then is what counts.
  snapshot.request = window.commands<run::Configure>().back().request;
  show();
  snapshot.request->settings.step.batch = 5;
  show();
  type("settings/steps", "80");
  EXPECT_EQ(snapshot.request->settings.step.batch, 5);
}

TEST_F(RunSettings, SmallWindow_HasItsButtonsInSight) {
  window.resize(1280, 720);
  window.settle();
  const ImGuiWindow* const panel = ImGui::FindWindowByName("###training");
  for (const char* const name : {"settings/all", "settings/start", "settings/mapping"}) {
    EXPECT_LE(item(name).max.y, panel->Pos.y + panel->Size.y) << name;
    EXPECT_LE(item(name).max.x, panel->Pos.x + panel->Size.x) << name;
  }
}

TEST_F(RunSettings, RefusedValue_StopsBothStartsWithItsReason) {
  type("settings/batch", "-3");
  EXPECT_EQ(snapshot.request->settings.step.batch, 2);
  for (const char* const name : {"settings/start", "top/primary"}) {
    EXPECT_FALSE(item(name).enabled) << name;
    EXPECT_TRUE(item(name).text.starts_with("The setting batch was not taken: "))
        << item(name).text;
    window.click(name);
  }
  EXPECT_TRUE(window.commands<run::StartRun>().empty());
  type("settings/batch", "3");
  EXPECT_EQ(snapshot.request->settings.step.batch, 3);
  window.click("top/primary");
  EXPECT_EQ(window.commands<run::StartRun>().size(), 1U);
}

TEST_F(RunSettings, AnotherFolder_BeginsWithoutWhatWasTyped) {
  type("settings/batch", "-3");
  snapshot.request->run_folder = "runs/another";
  show();
  EXPECT_TRUE(item("settings/start").enabled);
  EXPECT_TRUE(item("top/primary").enabled);
}

TEST_F(RunSettings, ValueThatDoesNotGoWithAnother_IsTakenWhenThatOneGoes) {
  // Steps and epochs exclude each other; epochs are among the settings one click away.
  window.click("settings/all");
  window.resize(1920, 2400);
  window.settle();
  type("settings/epochs", "5");
  EXPECT_EQ(snapshot.request->settings.train.steps, 2000);
  EXPECT_EQ(snapshot.request->settings.train.epochs, 0);
  EXPECT_FALSE(item("top/primary").enabled);
  type("settings/steps", "auto");
  EXPECT_EQ(snapshot.request->settings.train.steps, 0);
  EXPECT_EQ(snapshot.request->settings.train.epochs, 5);
  EXPECT_TRUE(item("top/primary").enabled);
}

}  // namespace
}  // namespace headroom::tests
