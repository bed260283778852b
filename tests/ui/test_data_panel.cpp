// The workspace Data in a window without a screen: what it shows, and what clicks and keys ask for.
#include "ui/data_panel.hpp"

#include <gmock/gmock.h>
#include <imgui_internal.h>

#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_folder.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct DataPanel : testing::Test {
  void open(const SampleFolder& sample = {}) {
    window.shell.data = sample_folder(sample);
    window.shell.pictures = sample_pictures(window.shell.data);
    window.run = shared(run_ready_on(*window.shell.data));
    window.settle();
  }
  [[nodiscard]] const ui::ProbedItem& item(std::string_view name) const {
    const ui::ProbedItem* const found = window.find(name);
    if (found == nullptr) throw std::runtime_error("no control " + std::string(name));
    return *found;
  }
  [[nodiscard]] std::string text(std::string_view name) const { return item(name).text; }
  /// Gives the value in row `row` another class through its menu.
  void choose_class(int row, const std::string& entry) {
    window.click("data/value/" + std::to_string(row) + "/class");
    window.frames(2);
    window.click("data/mapping/class/" + entry);
    window.frames(2);
  }

  HeadlessDashboard window{};
};

TEST_F(DataPanel, FolderThatIsOpened_IsShownAtOnce) {
  open();
  EXPECT_EQ(text("data/folder"), "data/fundus");
  EXPECT_EQ(text("data/fact/samples"), "45");
  EXPECT_EQ(text("data/fact/channels"), "3, 8 bit");
  EXPECT_EQ(text("data/fact/classes"), "4");
  EXPECT_THAT(text("data/understood"), HasSubstr("paired by name"));
  EXPECT_EQ(text("data/value/0"), "0: Class 0, background");
  EXPECT_EQ(text("data/split/training"), "Training 36");
  EXPECT_EQ(text("data/split/validation"), "Validation 9");
  EXPECT_EQ(text("sample/name"), "images/fundus_001.tif");
  EXPECT_THAT(text("balance/class/1"), HasSubstr("vessel: 9.06 %"));
}

TEST_F(DataPanel, RunThatBegins_BringsTrainAndDataCanBeLookedAt) {
  open();
  run::RunSnapshot training = training_snapshot({.steps_done = 20});
  window.run = shared(training);
  window.settle();
  EXPECT_EQ(window.find("data/folder"), nullptr);
  window.click("top/workspace/Data");
  window.settle();
  EXPECT_NE(window.find("data/folder"), nullptr);
  window.press(ImGuiKey_2, ImGuiMod_Ctrl);
  window.frames(2);
  EXPECT_NE(window.find("plan/stage/enc1"), nullptr);
}

TEST_F(DataPanel, WhileTraining_TellsWhyNothingCanBeChanged) {
  open();
  window.run = shared(training_snapshot({.steps_done = 20}));
  window.settle();
  window.press(ImGuiKey_1, ImGuiMod_Ctrl);
  window.settle();
  for (const char* const name : {"data/scan", "data/open", "data/value/0/class",
                                 "data/mapping/apply", "data/mapping/propose"}) {
    EXPECT_FALSE(item(name).enabled) << name;
    EXPECT_EQ(text(name), "A run is under way: stop it first.") << name;
  }
  EXPECT_EQ(window.find("data/value/0/name"), nullptr) << "a name is read, not typed";
  window.click("data/value/0/class");
  EXPECT_EQ(window.find("data/mapping/class/0"), nullptr);
  EXPECT_TRUE(window.requests<ui::ReadData>().empty());
}

TEST_F(DataPanel, SampleThatIsClicked_IsAskedFor) {
  open();
  EXPECT_FALSE(window.requests<ui::LookAtSamples>().empty());
  window.asked = {};
  window.click("data/sample/2");
  window.frame();
  ASSERT_EQ(window.requests<ui::LookAtSamples>().size(), 1U);
  EXPECT_EQ(window.requests<ui::LookAtSamples>()[0].chosen, 2U);
  EXPECT_THAT(window.requests<ui::LookAtSamples>()[0].others, testing::Contains(2U));
  EXPECT_EQ(text("sample/name"), "images/fundus_003.tif");
  window.frames(5);
  EXPECT_EQ(window.requests<ui::LookAtSamples>().size(), 1U) << "once";
  window.click("sample/next");
  window.frame();
  EXPECT_EQ(text("sample/name"), "images/fundus_004.tif");
}

TEST_F(DataPanel, Filters_LeaveTheSamplesThatPass) {
  open();
  window.click("data/samples/side/Validation");
  window.frames(2);
  EXPECT_EQ(text("data/samples/count"), "9 of 45");
  window.click("data/samples/text");
  window.type("_005");
  window.frames(2);
  EXPECT_EQ(text("data/samples/count"), "1 of 45");
  EXPECT_NE(window.find("data/sample/4"), nullptr);
  EXPECT_EQ(window.find("data/sample/0"), nullptr);
  window.type("x");
  window.frames(2);
  EXPECT_EQ(text("data/samples/empty"), "No sample passes the filter");
}

TEST_F(DataPanel, Finding_LeadsToItsSample) {
  open({.findings = 3, .has_error = true});
  window.click("data/samples/side/Validation");
  window.frames(2);
  window.click("data/finding/0/show");
  window.frames(3);
  EXPECT_EQ(text("sample/name"), "images/fundus_004.tif");
  EXPECT_NE(window.find("data/sample/3"), nullptr) << "whatever the filter was";
}

TEST_F(DataPanel, Severities_AreHiddenAndCopied) {
  open({.findings = 4, .has_error = true});
  EXPECT_EQ(text("data/findings/errors"), "1 error");
  window.click("data/findings/warnings");
  window.frames(2);
  window.click("data/findings/notes");
  window.frames(2);
  EXPECT_NE(window.find("data/finding/0"), nullptr);
  EXPECT_EQ(window.find("data/finding/1"), nullptr);
  window.click("data/findings/copy");
  EXPECT_STREQ(ImGui::GetClipboardText(),
               "error  mask-size-differs  images/fundus_004.tif: the mask has 2560 x 1920 pixels, "
               "the image 3504 x 2336\n");
}

TEST_F(DataPanel, ErrorInTheData_KeepsTheRunFromStarting) {
  open({.has_error = true});
  EXPECT_FALSE(item("top/primary").enabled);
  EXPECT_EQ(text("top/primary"), "The data has 1 error, listed in Data.");
  open();
  EXPECT_TRUE(item("top/primary").enabled);
}

TEST_F(DataPanel, EditedMapping_IsAppliedByReadingTheDataAgain) {
  open();
  EXPECT_EQ(text("data/mapping/apply"), "Nothing was edited.");
  choose_class(5, "3");
  EXPECT_EQ(text("data/value/5"), "255: Class 3, lesion");
  EXPECT_FALSE(item("top/primary").enabled) << "the run would have the mapping before";
  window.click("data/mapping/apply");
  ASSERT_EQ(window.requests<ui::ReadData>().size(), 1U);
  const ui::ReadData asked = window.requests<ui::ReadData>()[0];
  ASSERT_NE(asked.mapping, nullptr);
  EXPECT_EQ(asked.mapping->ids.at({false, 255}), 3);
  EXPECT_EQ(asked.request.data_folder, "data/fundus");
}

TEST_F(DataPanel, ClassName_IsTyped) {
  open();
  window.click("data/value/2/name");
  window.press(ImGuiKey_A, ImGuiMod_Ctrl);
  window.type("artery");
  window.press(ImGuiKey_Enter);
  window.frames(2);
  EXPECT_EQ(text("data/value/2"), "64: Class 1, artery");
  window.click("data/mapping/undo");
  window.frames(2);
  EXPECT_EQ(text("data/value/2"), "64: Class 1, vessel");
  EXPECT_EQ(text("data/mapping/undo"), "There is no edit to undo.");
  window.click("data/mapping/redo");
  window.frames(2);
  EXPECT_EQ(text("data/value/2"), "64: Class 1, artery");
}

TEST_F(DataPanel, Keys_UndoAndRedo) {
  open();
  choose_class(1, "new");
  EXPECT_EQ(text("data/value/1"), "63: Class 4, class 4");
  window.click("data/fact/samples");
  window.press(ImGuiKey_Z, ImGuiMod_Ctrl);
  window.frames(2);
  EXPECT_EQ(text("data/value/1"), "63: Ignore");
  window.press(ImGuiKey_Y, ImGuiMod_Ctrl);
  window.frames(2);
  EXPECT_EQ(text("data/value/1"), "63: Class 4, class 4");
}

TEST_F(DataPanel, ReadingAgainWithEdits_AsksFirst) {
  open();
  choose_class(1, "1");
  window.click("data/scan");
  window.frames(3);
  EXPECT_TRUE(window.requests<ui::ReadData>().empty());
  window.click("held/keep");
  window.frames(3);
  EXPECT_TRUE(window.requests<ui::ReadData>().empty());
  EXPECT_EQ(text("data/value/1"), "63: Class 1, vessel");
  window.click("data/scan");
  window.frames(3);
  window.click("held/drop");
  ASSERT_EQ(window.requests<ui::ReadData>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ReadData>()[0].mapping, nullptr);
}

TEST_F(DataPanel, ProposingAgain_LeavesTheMappingOut) {
  open();
  run::RunSnapshot run = *window.run;
  run.request->settings.data.mapping = "mine.json";
  window.run = shared(std::move(run));
  window.settle();
  window.click("data/mapping/propose");
  ASSERT_EQ(window.requests<ui::ReadData>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ReadData>()[0].request.settings.data.mapping, "");
}

TEST_F(DataPanel, Saving_TakesThePathThatIsTyped) {
  window.shell.home_folder = "/home/ada";
  open();
  window.click("data/mapping/save");
  window.frames(3);
  EXPECT_EQ(text("data/mapping/file"), "/home/ada/fundus_classes.json");
  window.press(ImGuiKey_A, ImGuiMod_Ctrl);
  window.type("/tmp/mine.json");
  window.press(ImGuiKey_Enter);
  ASSERT_EQ(window.requests<ui::SaveMapping>().size(), 1U);
  EXPECT_EQ(window.requests<ui::SaveMapping>()[0].file, "/tmp/mine.json");
  EXPECT_EQ(*window.requests<ui::SaveMapping>()[0].mapping, window.shell.data->mapping);
}

TEST_F(DataPanel, ManyValues_AreTakenAsObjectsWithOneClick) {
  open({.mask_values = 300});
  window.click("data/mapping/objects");
  window.frames(2);
  EXPECT_EQ(text("data/value/0"), "0: Class 0, background");
  EXPECT_EQ(text("data/value/3"), "3: Class 1, object");
}

TEST_F(DataPanel, OtherSettingsThanItWasReadWith_AreTold) {
  open();
  run::RunSnapshot run = *window.run;
  run.request->settings.data.split = "0.5";
  window.run = shared(std::move(run));
  window.settle();
  EXPECT_EQ(text("data/understood"), "Read with other settings (split): scan again");
}

TEST_F(DataPanel, ClassThatIsHidden_NeedsOneNewPicture) {
  open();
  const std::size_t pictures = window.textures().pictures();
  window.click("sample/class/1");
  window.frames(4);
  EXPECT_EQ(window.textures().pictures(), pictures + 1);
}

TEST_F(DataPanel, SampleThatCannotBeShown_TellsWhy) {
  open();
  window.shell.pictures.chosen = ui::SampleView{.sample = 0, .problem = "a.tif is cut off"};
  window.frames(2);
  EXPECT_THAT(text("sample/problem"), HasSubstr("a.tif is cut off"));
}

TEST_F(DataPanel, RunThatThisWindowDidNotRead_OffersToRead) {
  run::RunSnapshot run = training_snapshot({.steps_done = 100});
  run.state = run::RunState::finished;
  run.outcome = run::Outcome::completed;
  window.run = shared(run);
  window.settle();
  window.press(ImGuiKey_1, ImGuiMod_Ctrl);
  window.settle();
  EXPECT_THAT(text("data/unread"), HasSubstr("Read the folder"));
  EXPECT_THAT(text("sample/empty"), HasSubstr("shown here"));
  window.click("data/scan");
  ASSERT_EQ(window.requests<ui::ReadData>().size(), 1U);
  EXPECT_EQ(window.requests<ui::ReadData>()[0].request.data_folder, "data/fundus");
}

TEST_F(DataPanel, SameFolderReadAgain_KeepsTheChosenSample) {
  open();
  window.click("data/sample/3");
  window.frames(2);
  window.shell.data = sample_folder({.samples = 44});
  window.frames(3);
  EXPECT_EQ(text("sample/name"), "images/fundus_004.tif");
}

TEST_F(DataPanel, Keyboard_ReachesTheSamples) {
  open();
  window.click("data/sample/0");
  window.press(ImGuiKey_RightArrow);
  window.press(ImGuiKey_RightArrow);
  window.press(ImGuiKey_Enter);
  window.frames(2);
  EXPECT_NE(text("sample/name"), "images/fundus_001.tif");
}

TEST_F(DataPanel, InSmallWindows_KeepsItsParts) {
  window.resize(1280, 720);
  open({.findings = 40, .has_error = true});
  for (const char* const name : {"data/scan", "data/mapping/apply", "data/value/0/class",
                                 "data/finding/0", "data/sample/0", "sample/image"})
    EXPECT_NE(window.find(name), nullptr) << name;
  for (const ui::ProbedItem& each : window.probe().items()) {
    if (each.name.starts_with("data/mapping/")) {
      EXPECT_LE(each.max.x, 1280) << each.name;
    }
  }
}

}  // namespace
}  // namespace headroom::tests
