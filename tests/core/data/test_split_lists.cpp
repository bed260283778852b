#include "core/data/split_lists.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/data/split.hpp"
#include "tests/core/data/fake_reader.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::filesystem::path write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string refusal_of(const std::vector<Sample>& samples, const std::filesystem::path& lists) {
  const auto error =
      tests::thrown_error([&] { static_cast<void>(split_by_lists(samples, lists)); });
  if (!error) return {};
  EXPECT_EQ(error->exit_code(), 2);
  return error->what();
}

class SplitLists : public testing::Test {
 protected:
  [[nodiscard]] SplitResult split(const std::string& json) const {
    return split_by_lists(samples_, write(folder_ / "split.json", json));
  }
  [[nodiscard]] std::string refusal(const std::string& json) const {
    return refusal_of(samples_, write(folder_ / "split.json", json));
  }

  const tests::TemporaryFolder folder_;
  const std::vector<Sample> samples_ = tests::patterned_samples(4, 8, 8);
};

TEST_F(SplitLists, Lists_BecomeTheSides) {
  const SplitResult result = split(R"({"train": ["3", "0"], "val": ["1", "2"], "mapping": {}})");
  EXPECT_THAT(result.split.train, ElementsAre(0, 3));
  EXPECT_THAT(result.split.validation, ElementsAre(1, 2));
  EXPECT_TRUE(result.findings.empty());
}

TEST_F(SplitLists, SampleInNeitherList_IsLeftOutWithAFinding) {
  const SplitResult result = split(R"({"train": ["3"], "val": ["1"]})");
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].code, "samples-left-out");
  EXPECT_THAT(result.findings[0].message, HasSubstr("2 of 4"));
}

TEST_F(SplitLists, UnknownId_IsNamed) {
  EXPECT_THAT(refusal(R"({"train": ["3", "seven"], "val": ["1"]})"), HasSubstr("seven"));
}

TEST_F(SplitLists, SampleOnBothSides_IsNamed) {
  EXPECT_THAT(refusal(R"({"train": ["3"], "val": ["1", "3"]})"), HasSubstr("'3' is listed twice"));
}

TEST_F(SplitLists, EmptyOrMissingOrWrongList_IsNamed) {
  EXPECT_THAT(refusal(R"({"train": ["3"], "val": []})"), HasSubstr("\"val\""));
  EXPECT_THAT(refusal(R"({"val": ["1"]})"), HasSubstr("\"train\""));
  EXPECT_THAT(refusal(R"({"train": [3], "val": ["1"]})"), HasSubstr("no text: 3"));
  EXPECT_THAT(refusal("[]"), HasSubstr("split.json"));
}

TEST_F(SplitLists, NoSuchFile_IsAUsageErrorThatNamesIt) {
  EXPECT_THAT(refusal_of(samples_, folder_ / "none.json"), HasSubstr("none.json"));
}

/// As of a folder with images in two places, one of them a file of three pages.
std::vector<Sample> samples_of_folders() {
  std::vector<Sample> samples;
  for (const char* id :
       {"a/JPEGImages/2007_1.jpg", "a/JPEGImages/2007_2.jpg", "b/only.v2.png", "b/twice.png",
        "c/stack.tif#1", "c/stack.tif#2", "c/stack.tif#3", "c/twice.png"}) {
    const std::string text = id;
    samples.push_back({.id = text, .image = "/data/" + text.substr(0, text.find('#'))});
  }
  return samples;
}

TEST_F(SplitLists, TextListsOfStems_NameImagesAsVocDoes) {
  write(folder_ / "train.txt",
        "\xef\xbb\xbf"
        "2007_2\r\nonly.v2\r\n\r\n");
  write(folder_ / "val.txt", "2007_1");
  const SplitResult result = split_by_lists(samples_of_folders(), folder_.path());
  EXPECT_THAT(result.split.train, ElementsAre(1, 2));
  EXPECT_THAT(result.split.validation, ElementsAre(0));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].message, HasSubstr("5 of 8"));
}

TEST_F(SplitLists, TextLists_TakePathsPairsAndWholeFiles) {
  write(folder_ / "train.txt",
        "/a/JPEGImages/2007_1.jpg /a/SegmentationClass/2007_1.png\n./c/stack.tif\n");
  write(folder_ / "valid.txt", "c/twice\n  b/twice.png  \n");
  const SplitResult result = split_by_lists(samples_of_folders(), folder_.path());
  EXPECT_THAT(result.split.train, ElementsAre(0, 4, 5, 6));
  EXPECT_THAT(result.split.validation, ElementsAre(3, 7));
}

TEST_F(SplitLists, OnePageOfAFile_CanBeNamed) {
  write(folder_ / "train.txt", "c/stack.tif#1\nstack.tif#3\n");
  write(folder_ / "val.txt", "c/stack.tif#2\n");
  // Only ids tell pages apart.
  EXPECT_THAT(refusal_of(samples_of_folders(), folder_.path()), HasSubstr("'stack.tif#3'"));
  write(folder_ / "train.txt", "c/stack.tif#1\nc/stack.tif#3\n");
  EXPECT_THAT(split_by_lists(samples_of_folders(), folder_.path()).split.train, ElementsAre(4, 6));
}

TEST_F(SplitLists, NameOfTwoImages_IsRefusedWithBoth) {
  write(folder_ / "train.txt", "twice.png\n");
  write(folder_ / "val.txt", "2007_1\n");
  EXPECT_THAT(refusal_of(samples_of_folders(), folder_.path()),
              testing::AllOf(HasSubstr("b/twice.png"), HasSubstr("c/twice.png")));
}

TEST_F(SplitLists, PageAndItsWholeFile_AreListedTwice) {
  write(folder_ / "train.txt", "c/stack.tif\n");
  write(folder_ / "val.txt", "c/stack.tif#2\n");
  EXPECT_THAT(refusal_of(samples_of_folders(), folder_.path()),
              HasSubstr("'c/stack.tif#2' is listed twice"));
}

TEST_F(SplitLists, FolderWithoutAList_NamesWhatIsMissing) {
  write(folder_ / "train.txt", "2007_1\n");
  EXPECT_THAT(refusal_of(samples_of_folders(), folder_.path()), HasSubstr("has no val.txt"));
}

TEST_F(SplitLists, OneTextFile_AsksForTheFolder) {
  EXPECT_THAT(refusal_of(samples_of_folders(), write(folder_ / "train.txt", "2007_1\n")),
              HasSubstr("the folder that holds train.txt and val.txt"));
}

TEST_F(SplitLists, MakeSplit_ReadsThem) {
  write(folder_ / "lists.json", R"({"train": ["2"], "val": ["1"]})");
  const SplitResult result =
      make_split(samples_, {.from = (folder_ / "lists.json").string(), .seed = 9});
  EXPECT_THAT(result.split.train, ElementsAre(2));
}

}  // namespace
}  // namespace headroom::data
