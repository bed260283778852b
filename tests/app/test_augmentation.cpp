// How tiles are scaled, drawn and changed, through the program.
#include <gmock/gmock.h>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

class Augmentation : public CliTest {
 protected:
  Augmentation() { write_discs(at("data"), 6); }

  void expect_sheet(std::initializer_list<std::string> more) {
    std::vector<std::string> arguments = {"check",         at("data"), "--augmented",
                                          at("sheet.png"), "--tile",   "64"};
    arguments.insert(arguments.end(), more);
    EXPECT_EQ(run_json(arguments)["samples"], 6);
    const auto sheet = run_json({"check", at("sheet.png")});
    // Four by four pairs of tiles, with four pixels between them.
    EXPECT_EQ(sheet["width"], 4 * (2 * 64 + 4) - 4);
    EXPECT_EQ(sheet["height"], 4 * (64 + 4) - 4);
    std::filesystem::remove(at("sheet.png"));
  }
};

TEST_F(Augmentation, Augmented_DrawsTilesOfEveryKind) {
  expect_sheet({});
  expect_sheet({"--no-augment", "--coverage"});
  expect_sheet({"--augment", "--foreground", "0.5"});
  expect_sheet({"--augment", "medical", "--normalise", "ct-window", "--window", "128:256"});
  expect_sheet({"--augment=true", "--normalise", "none"});
}

TEST_F(Augmentation, AugmentedOfOneFile_IsRefused) {
  expect_refusal(run({"check", at("data/images/100.png"), "--augmented", at("sheet.png")}), 2,
                 {"100.png", "is one file"});
}

TEST_F(Augmentation, Training_StoresWhatItWasAskedFor) {
  run_json(small_training(at("data"), at("run"),
                          {"--augment", "microscopy", "--foreground", "0.33", "--normalise",
                           "ct-window", "--window", "128:256"}));
  const auto settings = nlohmann::json::parse(read_text(at("run/run.json")))["settings"];
  EXPECT_EQ(settings["augment"], "microscopy");
  EXPECT_EQ(settings["foreground"], 0.33);
  EXPECT_EQ(settings["normalise"], "ct-window");
  EXPECT_EQ(settings["window"], "128:256");
  EXPECT_EQ(run({"predict", at("run"), at("data/images"), "--out", at("predicted")}).exit_code, 0);
}

TEST_F(Augmentation, SettingsThatExcludeEachOther_AreRefused) {
  expect_refusal(run(small_training(at("data"), at("run"), {"--window", "lung"})), 2,
                 {"--window lung"});
  expect_refusal(run(small_training(at("data"), at("run"), {"--coverage", "--augment", "aerial"})),
                 2, {"--coverage"});
}

}  // namespace
}  // namespace headroom::app
