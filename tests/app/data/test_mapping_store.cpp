#include "app/data/mapping_store.hpp"

#include <gmock/gmock.h>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::app {
namespace {

struct MappingStore : testing::Test {
  tests::TemporaryFolder folder{};
  base::ClassMapping mapping{.ids = {{{false, 0}, 0}, {{true, 0x3C1098}, 1}},
                             .class_names = {"land", "building"}};
};

TEST_F(MappingStore, KeptMapping_IsReadAsItWas) {
  const auto file = keep_mapping(folder.path(), "aerial", mapping);
  EXPECT_THAT(file.filename().string(), testing::StartsWith("aerial-"));
  EXPECT_TRUE(is_kept_mapping(folder.path(), file));
  EXPECT_FALSE(is_kept_mapping(folder.path(), "mine.json"));
  EXPECT_FALSE(is_kept_mapping(folder.path(), ""));
  EXPECT_EQ(base::parse_class_mapping(base::read_file(file), "test"), mapping);
}

TEST_F(MappingStore, AnotherMapping_LeavesTheFileOfTheOneBefore) {
  const auto first = keep_mapping(folder.path(), "aerial", mapping);
  mapping.class_names[1] = "house";
  const auto second = keep_mapping(folder.path(), "aerial", mapping);
  EXPECT_NE(first, second);
  EXPECT_THAT(base::read_file(first), testing::HasSubstr("building"));
  EXPECT_EQ(keep_mapping(folder.path(), "aerial", mapping), second);
}

TEST_F(MappingStore, SavedMapping_NeverReplacesAFile) {
  const auto file = folder.path() / "new/mine.json";
  save_mapping(file, mapping);
  EXPECT_EQ(base::parse_class_mapping(base::read_file(file), "test"), mapping);
  const auto error = tests::thrown_error([&] { save_mapping(file, mapping); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::usage);
  EXPECT_THAT(error->parts().subject, testing::HasSubstr("mine.json"));
}

}  // namespace
}  // namespace headroom::app
