#include "core/formats/page_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stop_token>

#include "core/base/error.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/byte_writer.hpp"
#include "tests/core/formats/image_values.hpp"
#include "tests/core/formats/nifti_files.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::formats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class PagePairsTest : public testing::Test {
 protected:
  void write_pages(const char* name, const std::vector<std::vector<double>>& pages) const {
    const auto file = tests::in_folder(folder_ / name);
    for (std::size_t i = 0; i < pages.size(); ++i) {
      tests::write_raster(file,
                          {.width = 2,
                           .values = pages[i],
                           .driver = "GTiff",
                           .options = i == 0 ? std::vector<std::string>{}
                                             : std::vector<std::string>{"APPEND_SUBDATASET=YES"}});
    }
  }

  const tests::TemporaryFolder folder_;
};

TEST_F(PagePairsTest, EqualNumbers_GiveASampleForEachPage) {
  write_pages("images/a.tif", {{1, 2}, {3, 4}, {5, 6}});
  write_pages("masks/a.tif", {{0, 0}, {0, 1}, {1, 1}});
  const Dataset dataset = scan_dataset({.folder = folder_.path()});
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_EQ(dataset.samples[2].id, "images/a.tif#3");
  const auto decoded = make_sample_reader(dataset)->read(dataset.samples[1]);
  EXPECT_THAT(tests::values_in(decoded.image), ElementsAre(3, 4));
  EXPECT_THAT(decoded.labels.labels, ElementsAre(0, 1));
  EXPECT_THAT(dataset.summary.findings, IsEmpty());
}

TEST_F(PagePairsTest, OtherNumbers_KeepTheFirstPagesAndSaySo) {
  write_pages("a.tif", {{1, 2}, {3, 4}});
  write_pages("b.tif", {{0, 1}});
  const PagePairs pages = pair_pages(folder_.path(), {{.image = "a.tif", .mask = "b.tif"}});
  ASSERT_EQ(pages.pairs.size(), 1U);
  EXPECT_FALSE(pages.pairs[0].page);
  ASSERT_EQ(pages.findings.size(), 1U);
  EXPECT_EQ(pages.findings[0].code, "pages-differ");
}

TEST_F(PagePairsTest, UnreadableFile_StaysForTheScanToReport) {
  tests::write_text(folder_ / "a.tif", "no image");
  write_pages("b.tif", {{0, 1}});
  const PagePairs pages = pair_pages(folder_.path(), {{.image = "a.tif", .mask = "b.tif"}});
  EXPECT_EQ(pages.pairs.size(), 1U);
  EXPECT_THAT(pages.findings, IsEmpty());
}

TEST_F(PagePairsTest, HostileNumberOfPages_IsAnError) {
  const std::string bytes = tests::nifti_1({.sizes = {2, 1, 20000, 20}, .datatype = 2, .bits = 8},
                                           std::string(800000, '\0'));
  for (const char* const name : {"a.nii", "b.nii"}) tests::write_bytes(folder_ / name, bytes);
  const PagePairs pages = pair_pages(folder_.path(), {{.image = "a.nii", .mask = "b.nii"}});
  EXPECT_THAT(pages.pairs, IsEmpty());
  ASSERT_EQ(pages.findings.size(), 1U);
  EXPECT_EQ(pages.findings[0].code, "too-many-pages");
  EXPECT_EQ(pages.findings[0].severity, base::Severity::error);
}

TEST_F(PagePairsTest, Stop_IsHeeded) {
  std::stop_source stop;
  stop.request_stop();
  const auto error = tests::thrown_error([&] {
    static_cast<void>(
        pair_pages(folder_.path(), {{.image = "a.tif", .mask = "b.tif"}}, stop.get_token()));
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind(), base::ErrorKind::interrupted);
}

TEST_F(PagePairsTest, GzippedVolumes_AreSlices) {
  const auto real = tests::real_data("ct_totalseg");
  if (!real) GTEST_SKIP() << "no ct_totalseg in $HEADROOM_TEST_DATA or shared/data";
  const auto absolute = std::filesystem::absolute(*real);
  std::filesystem::create_symlink(absolute / "example_ct_sm.nii.gz",
                                  tests::in_folder(folder_ / "images/a.nii.gz"));
  std::filesystem::create_symlink(absolute / "example_seg.nii.gz",
                                  tests::in_folder(folder_ / "labels/a.nii.gz"));
  const Dataset dataset = scan_dataset({.folder = folder_.path()});
  EXPECT_EQ(dataset.summary.samples, 30);
  EXPECT_EQ(dataset.summary.max_width, 122);
  EXPECT_EQ(dataset.summary.max_height, 101);
  // As nibabel and NumPy count and add them up.
  EXPECT_EQ(dataset.summary.classes.at(0).pixels, 259435);
  const auto values =
      tests::values_in(make_sample_reader(dataset)->read(dataset.samples.at(7)).image);
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0.), -4356310);
}

}  // namespace
}  // namespace headroom::formats
