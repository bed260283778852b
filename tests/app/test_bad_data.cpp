// Data that cannot be used: refused with exit code 3 (or told, where training can go on), and
// nothing half-written.
#include <gmock/gmock.h>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BadData : public CliTest {
 protected:
  /// `train` refuses `data` with code 3 and names all of `mentioned`; the run folder is not there
  /// afterwards. So does `check`.
  void expect_unusable(const std::string& data,
                       std::initializer_list<std::string> mentioned) const {
    expect_refusal(run(small_training(at(data), at("run"))), 3, mentioned);
    EXPECT_FALSE(fs::exists(at("run")));
    const auto checked = run({"check", at(data)});
    EXPECT_EQ(checked.exit_code, 3);
    for (const std::string& text : mentioned)
      EXPECT_THAT(checked.output + checked.errors, HasSubstr(text));
  }
};

TEST_F(BadData, NoSuchFolder_IsNamed) { expect_unusable("nowhere", {"nowhere"}); }

TEST_F(BadData, FolderWithoutMasks_IsRefused) {
  write_discs(at("data"), 4);
  fs::remove_all(at("data/masks"));
  expect_unusable("data", {"mask"});
}

TEST_F(BadData, NoMaskBelongsToAnImage_IsRefused) {
  write_discs(at("data"), 2);
  fs::rename(at("data/masks/100.png"), at("data/masks/x.png"));
  fs::rename(at("data/masks/101.png"), at("data/masks/y.png"));
  expect_unusable("data", {"mask"});
}

TEST_F(BadData, EmptyFolder_IsRefused) {
  fs::create_directories(at("data"));
  expect_unusable("data", {"data"});
}

TEST_F(BadData, MaskOfAnotherSize_NamesFileAndBothSizes) {
  write_discs(at("data"), 4);
  write_flat_mask(at("data/masks/102.png"), 63, 64, 1);
  expect_unusable("data", {"102.png", "63", "64"});
}

TEST_F(BadData, ValueOutsideTheMapping_NamesFileAndValue) {
  write_discs(at("data"), 4);
  write_flat_mask(at("data/masks/103.png"), 64, 64, 77);
  write_text(at("mapping.json"),
             R"({"0": {"class": 0, "name": "ground"}, "1": {"class": 1, "name": "disc"}})");
  const auto result = run(small_training(at("data"), at("run"), {"--mapping", at("mapping.json")}));
  expect_refusal(result, 3, {"103.png", "77"});
  EXPECT_FALSE(fs::exists(at("run")));
}

TEST_F(BadData, TruncatedImage_IsNamed) {
  write_discs(at("data"), 4);
  fs::resize_file(at("data/images/101.png"), fs::file_size(at("data/images/101.png")) / 2);
  expect_unusable("data", {"101.png"});
}

TEST_F(BadData, TruncatedMask_IsNamed) {
  write_discs(at("data"), 4);
  fs::resize_file(at("data/masks/101.png"), fs::file_size(at("data/masks/101.png")) / 2);
  expect_unusable("data", {"101.png"});
}

TEST_F(BadData, FileThatIsNoImage_IsNamed) {
  write_discs(at("data"), 4);
  write_text(at("data/images/102.png"), "not a picture");
  expect_unusable("data", {"102.png"});
}

TEST_F(BadData, ImagesWithoutMask_AreRefusedLeftOutOrTakenAsBackground) {
  write_discs(at("data"), 10);
  fs::remove(at("data/masks/103.png"));
  fs::remove(at("data/masks/107.png"));
  const auto refused = run({"check", at("data"), "--missing-masks", "error"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.output, HasSubstr("103.png"));
  EXPECT_THAT(refused.output, HasSubstr("2 of 10 images"));
  expect_refusal(run(small_training(at("data"), at("run"), {"--missing-masks", "error"})), 3,
                 {"103.png", "--missing-masks"});
  EXPECT_FALSE(fs::exists(at("run")));
  EXPECT_EQ(run_json({"check", at("data")}).at("samples"), 8);
  EXPECT_EQ(run_json({"check", at("data"), "--missing-masks", "skip"}).at("samples"), 8);
  EXPECT_EQ(run_json({"check", at("data"), "--missing-masks", "background"}).at("samples"), 10);
  EXPECT_EQ(run(small_training(at("data"), at("run"), {"--missing-masks", "background"})).exit_code,
            0);
}

TEST_F(BadData, OneImageOnly_IsWrongUseAndSaysWhatToDo) {
  write_discs(at("data"), 1);
  expect_refusal(run(small_training(at("data"), at("run"))), 2, {"one sample", "more images"});
  EXPECT_FALSE(fs::exists(at("run")));
}

TEST_F(BadData, ClassOnlyInValidation_IsAWarningAndTrains) {
  write_discs(at("data"), 4);
  write_flat_mask(at("data/masks/103.png"), 64, 64, 2);
  write_text(
      at("split.json"),
      R"({"train": ["images/100.png", "images/101.png", "images/102.png"], "val": ["images/103.png"]})");
  const auto result =
      run({"train", at("data"), "--out", at("run"), "--levels", "2", "--base-channels", "4",
           "--tile", "64", "--steps", "2", "--split", at("split.json")});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("warning"));
}

TEST_F(BadData, TilesWhosePixelsAreAllIgnored_CountAsZeroLoss) {
  write_discs(at("data"), 4);
  write_flat_mask(at("data/masks/100.png"), 64, 64, 255);
  write_text(
      at("split.json"),
      R"({"train": ["images/100.png", "images/101.png", "images/102.png"], "val": ["images/103.png"]})");
  const auto result =
      run({"train", at("data"), "--out", at("run"), "--levels", "2", "--base-channels", "4",
           "--tile", "64", "--batch", "1", "--steps", "6", "--split", at("split.json")});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string steps = read_text(at("run/steps.csv"));
  int without_loss = 0;
  std::istringstream lines(steps);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t second = line.find(',', line.find(',') + 1);
    without_loss += line.substr(second + 1, 2) == "0," ? 1 : 0;
  }
  EXPECT_EQ(without_loss, 2) << steps;  // one epoch of three tiles has one such tile
  EXPECT_THAT(steps, testing::Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace headroom::app
