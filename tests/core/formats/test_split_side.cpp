#include "core/formats/split_side.hpp"

#include <gtest/gtest.h>

namespace headroom::formats {
namespace {

using data::SplitSide;

struct PathSide {
  const char* path;
  SplitSide side;
};
class SideOfPath : public testing::TestWithParam<PathSide> {};

TEST_P(SideOfPath, FolderNames_TellIt) {
  EXPECT_EQ(side_of_path(GetParam().path), GetParam().side);
}

INSTANTIATE_TEST_SUITE_P(Paths, SideOfPath,
                         testing::Values(PathSide{"train/images/a.png", SplitSide::train},
                                         PathSide{"images/val/a.png", SplitSide::validation},
                                         PathSide{"Training/image/1.png", SplitSide::train},
                                         PathSide{"valid_images/a.png", SplitSide::validation},
                                         PathSide{"val2017/a.jpg", SplitSide::validation},
                                         PathSide{"dev/images/a.png", SplitSide::validation},
                                         PathSide{"leftImg8bit/test/berlin/b.png", SplitSide::test},
                                         PathSide{"imagesTr/case_0000.nii.gz", SplitSide::train},
                                         PathSide{"imagesTs/case_0000.nii.gz", SplitSide::test},
                                         PathSide{"train/test_site/a.png", SplitSide::train},
                                         PathSide{"stress_test/images/a.png", SplitSide::none},
                                         PathSide{"train_val/images/a.png", SplitSide::none},
                                         PathSide{"Tile 1/images/train.png", SplitSide::none},
                                         PathSide{"a.png", SplitSide::none}));

}  // namespace
}  // namespace headroom::formats
