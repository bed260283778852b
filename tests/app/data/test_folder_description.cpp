#include "app/data/folder_description.hpp"

#include <gmock/gmock.h>

namespace headroom::app {
namespace {

using testing::ElementsAre;

struct FolderDescription : testing::Test {
  FolderDescription() {
    dataset.summary.root = "/data/fundus";
    dataset.mapping.class_names = {"background", "vessel"};
    for (const char* const stem : {"a", "b", "c"}) {
      const std::string name(stem);
      dataset.samples.push_back({.id = "images/" + name + ".tif" + (name == "c" ? "#2" : ""),
                                 .image = "/data/fundus/images/" + name + ".tif",
                                 .mask = "/data/fundus/masks/" + name + ".png",
                                 .height = 20,
                                 .width = 30});
    }
    dataset.class_pixels = {{500, 100}, {600, 0}, {1, 599}};
  }

  formats::Dataset dataset{};
  FolderReading reading{.folder = "/data/fundus"};
};

TEST_F(FolderDescription, Samples_HaveTheirSideAndPixels) {
  reading.split = {.train = {0, 2}, .validation = {1}};
  const ui::DataFolder data = describe_folder(dataset, reading);
  ASSERT_EQ(data.samples.size(), 3U);
  EXPECT_EQ(data.samples[0].side, ui::SplitSide::training);
  EXPECT_EQ(data.samples[1].side, ui::SplitSide::validation);
  EXPECT_EQ(data.samples[1].mask, "masks/b.png");
  EXPECT_EQ(data.samples[2].width, 30);
  EXPECT_THAT(data.samples[2].class_pixels, ElementsAre(1, 599));
}

TEST_F(FolderDescription, Labels_AreWhatTellsSamplesApart) {
  dataset.samples.pop_back();
  EXPECT_EQ(describe_folder(dataset, reading).samples[1].label, "b");
  dataset.samples[0].id = "Tile 1/images/part_1.jpg";
  dataset.samples[1].id = "Tile 2/images/part_1.png";
  const ui::DataFolder data = describe_folder(dataset, reading);
  EXPECT_EQ(data.samples[0].label, "Tile 1/part_1.jpg");
  EXPECT_EQ(data.samples[1].label, "Tile 2/part_1.png");
  dataset.samples[0].id = "part_1.jpg";
  EXPECT_EQ(describe_folder(dataset, reading).samples[1].label, "Tile 2/images/part_1.png");
}

TEST_F(FolderDescription, WithoutASplit_NoSampleHasASide) {
  reading.split_problem = "one sample cannot be split";
  const ui::DataFolder data = describe_folder(dataset, reading);
  EXPECT_EQ(data.samples[0].side, ui::SplitSide::none);
  EXPECT_EQ(data.split_problem, "one sample cannot be split");
}

TEST_F(FolderDescription, Findings_LeadToTheirSamplesByImageMaskOrPage) {
  using base::Severity;
  dataset.summary.findings = {{Severity::info, "x", "images/a.tif", ""},
                              {Severity::warning, "x", "masks/a.png", ""},
                              {Severity::info, "x", "images/c.tif", ""},
                              {Severity::error, "x", "images/gone.tif", ""},
                              {Severity::warning, "x", "", ""}};
  const ui::DataFolder data = describe_folder(dataset, reading);
  EXPECT_THAT(data.sample_of_finding, ElementsAre(0, 0, 2, std::nullopt, std::nullopt));
  EXPECT_EQ(data.samples[0].worst, Severity::warning);
  EXPECT_EQ(data.samples[1].worst, std::nullopt);
  EXPECT_EQ(data.samples[2].worst, Severity::info);
}

TEST_F(FolderDescription, SourceOfTheMapping_IsNamed) {
  EXPECT_EQ(describe_folder(dataset, reading).mapping_source, "proposed");
  dataset.summary.findings = {{.code = "mapping-from-folder", .file = "classes.json"}};
  EXPECT_EQ(describe_folder(dataset, reading).mapping_source, "classes.json");
  reading.settings.data.mapping = "/home/ada/mine.json";
  EXPECT_EQ(describe_folder(dataset, reading).mapping_source, "given");
  reading.mapping_is_edited = true;
  EXPECT_EQ(describe_folder(dataset, reading).mapping_source, "as edited");
}

}  // namespace
}  // namespace headroom::app
