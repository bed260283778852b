#include "core/base/folder_path.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace headroom::base {
namespace {

namespace fs = std::filesystem;

class IsInside : public testing::Test {
 protected:
  IsInside() {
    fs::create_directories(data_ / "images");
    fs::create_directory_symlink(data_, folder_ / "link");
  }
  tests::TemporaryFolder folder_{};
  fs::path data_ = folder_ / "data";
};

TEST_F(IsInside, PathsBelowHoweverWritten_AreInside) {
  for (const fs::path& inner :
       {data_, data_ / "", data_ / "images", data_ / "not" / "there", data_ / ".." / "data" / "x",
        folder_ / "link" / "images", folder_ / "link" / "new"}) {
    EXPECT_TRUE(is_inside(inner, data_)) << inner;
    EXPECT_TRUE(is_inside(inner, folder_ / "link" / "")) << inner;
  }
}

TEST_F(IsInside, PathsBesideOrAbove_AreNot) {
  for (const fs::path& inner :
       {folder_.path(), folder_ / "data2", folder_ / "dat", data_ / "..", fs::path("/")}) {
    EXPECT_FALSE(is_inside(inner, data_)) << inner;
  }
}

TEST(NameOfFolder, WithOrWithoutASeparatorAtItsEnd_IsItsLastPart) {
  EXPECT_EQ(name_of_folder("data/fundus"), "fundus");
  EXPECT_EQ(name_of_folder("data/fundus/"), "fundus");
  EXPECT_EQ(name_of_folder("fundus"), "fundus");
  EXPECT_EQ(name_of_folder(""), "");
  EXPECT_EQ(name_of_folder("/"), "");
}

TEST_F(IsInside, RelativeNameThatIsNotThere_LiesInTheWorkingFolder) {
  EXPECT_TRUE(is_inside("not_there_yet", fs::current_path()));
  EXPECT_TRUE(is_inside("not_there_yet", "."));
}

}  // namespace
}  // namespace headroom::base
