#include "app/data/sample_picture_loader.hpp"

#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>

#include "app/data/folder_description.hpp"
#include "core/base/error.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace headroom::app {
namespace {

/// Three images of 2 x 3 pixels with masks of 0 and 255; the last image is cut off after the scan.
struct SamplePictures : testing::Test {
  SamplePictures() {
    for (const char* const name : {"a", "b", "c"}) {
      const std::string stem(name);
      tests::write_grey(folder / ("images/" + stem + ".png"), 2, 3, 90);
      tests::write_grey(folder / ("masks/" + stem + ".png"), 2, 3,
                        std::vector<double>{0, 0, 0, 255, 255, 255});
    }
  }

  [[nodiscard]] std::shared_ptr<const ReadableFolder> open() {
    formats::Dataset dataset = formats::scan_dataset({.folder = folder.path()});
    auto readable = std::make_shared<ReadableFolder>();
    readable->folder =
        std::make_shared<const ui::DataFolder>(describe_folder(dataset, {.folder = folder.path()}));
    readable->reader = formats::make_sample_reader(dataset);
    readable->samples = std::move(dataset.samples);
    loader.open(readable);
    return readable;
  }

  /// Polls at each news until nothing is being read; false where that never comes.
  [[nodiscard]] bool read_all() {
    while (loader.is_reading()) {
      std::unique_lock lock(mutex);
      if (!bell.wait_for(lock, std::chrono::seconds(20), [&] { return news > 0; })) return false;
      news = 0;
      lock.unlock();
      static_cast<void>(loader.poll());
    }
    return true;
  }

  tests::TemporaryFolder folder{};
  std::mutex mutex{};
  std::condition_variable bell{};
  int news = 0;
  SamplePictureLoader loader{[this] {
    const std::lock_guard lock(mutex);
    ++news;
    bell.notify_all();
  }};
};

TEST_F(SamplePictures, ChosenAndOthers_AreRead) {
  const auto opened = open();
  loader.look_at({.chosen = 1, .others = {0, 1, 2}});
  EXPECT_TRUE(loader.is_reading());
  ASSERT_TRUE(read_all());
  const ui::SamplePictures& pictures = loader.pictures();
  EXPECT_EQ(pictures.of, opened->folder);
  ASSERT_TRUE(pictures.chosen);
  EXPECT_EQ(pictures.chosen->sample, 1U);
  ASSERT_NE(pictures.chosen->picture, nullptr);
  EXPECT_EQ(pictures.chosen->picture->sample_id, "images/b.png");
  EXPECT_EQ(pictures.chosen->picture->full_width, 3);
  EXPECT_THAT(pictures.chosen->picture->truth.labels, testing::ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_EQ(std::to_integer<int>(pictures.chosen->picture->image.pixels[0]), 90);
  ASSERT_EQ(pictures.thumbnails.size(), 3U);
  EXPECT_EQ(pictures.thumbnails.at(2)->at(1, 2), IM_COL32(90, 90, 90, 255));
}

TEST_F(SamplePictures, SampleThatIsBroken_TellsWhy) {
  static_cast<void>(open());
  tests::truncate_file(folder / "images/c.png", 40);
  loader.look_at({.chosen = 2});
  ASSERT_TRUE(read_all());
  ASSERT_TRUE(loader.pictures().chosen);
  EXPECT_EQ(loader.pictures().chosen->picture, nullptr);
  EXPECT_THAT(loader.pictures().chosen->problem, testing::HasSubstr("c.png"));
  EXPECT_EQ(loader.pictures().thumbnails.at(2), nullptr);
}

TEST_F(SamplePictures, AnotherFolder_DropsWhatWasReadAndWhatIsBeingRead) {
  static_cast<void>(open());
  loader.look_at({.chosen = 0, .others = {0, 1, 2}});
  loader.open(nullptr);
  EXPECT_EQ(loader.pictures().of, nullptr);
  ASSERT_TRUE(read_all());
  EXPECT_FALSE(loader.pictures().chosen);
  EXPECT_TRUE(loader.pictures().thumbnails.empty());
}

TEST_F(SamplePictures, IndexBeyondTheFolder_IsPassedOver) {
  static_cast<void>(open());
  loader.look_at({.chosen = 99, .others = {50}});
  EXPECT_FALSE(loader.is_reading());
}

TEST(SamplePicture, LargerThanIsLookedAt_IsNotDecoded) {
  class NeverReader final : public data::SampleReader {
    [[nodiscard]] data::DecodedSample do_read(const data::Sample&) const override {
      throw base::Error(base::ErrorKind::internal, {"reading", "it was read", ""});
    }
  };
  const SamplePicture picture =
      read_sample_picture(NeverReader(), {.id = "vast.tif", .height = 40'000, .width = 40'000}, 5);
  EXPECT_EQ(picture.view.sample, 5U);
  EXPECT_THAT(picture.view.problem, testing::HasSubstr("40000"));
}

TEST(SamplePicture, OfRealAerialImages_IsReadInItsColours) {
  const auto data = tests::real_data("aerial_dubai");
  if (!data) GTEST_SKIP() << "no aerial_dubai in $HEADROOM_TEST_DATA or shared/data";
  const formats::Dataset dataset =
      formats::scan_dataset({.folder = *data / "Tile 1", .threads = 2});
  ASSERT_FALSE(dataset.samples.empty());
  const auto reader = formats::make_sample_reader(dataset);
  const SamplePicture picture = read_sample_picture(*reader, dataset.samples[0], 0);
  ASSERT_NE(picture.view.picture, nullptr) << picture.view.problem;
  EXPECT_EQ(picture.view.picture->full_width, 797);
  EXPECT_EQ(picture.view.picture->image.channels, 3);
  EXPECT_EQ(picture.thumbnail->width, 256);
}

}  // namespace
}  // namespace headroom::app
