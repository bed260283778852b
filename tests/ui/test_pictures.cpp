// Key states of the dashboard against pictures that were looked at and kept. A change of look is
// taken over with: dashboard_pictures tests/ui/pictures NAME…
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "core/formats/raster_reader.hpp"
#include "core/formats/raster_writer.hpp"
#include "tests/ui/dashboard_scenes.hpp"

namespace headroom::tests {
namespace {

namespace fs = std::filesystem;

struct Difference {
  double mean = 0;            ///< of all values, 0 … 255
  double share_of_large = 0;  ///< of pixels with a channel that differs by more than 32
};

Difference difference_of(const base::Image& a, const base::Image& b) {
  Difference difference;
  const std::size_t pixels = a.pixels.size() / 3;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    int largest = 0;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const auto value = [&](const base::Image& image) {
        return std::to_integer<int>(image.pixels[pixel * 3 + channel]);
      };
      const int apart = std::abs(value(a) - value(b));
      difference.mean += apart;
      largest = std::max(largest, apart);
    }
    if (largest > 32) difference.share_of_large += 1;
  }
  difference.mean /= static_cast<double>(a.pixels.size());
  difference.share_of_large /= static_cast<double>(pixels);
  return difference;
}

Scene scene_named(const std::string& name) {
  for (const Scene& scene : dashboard_scenes()) {
    if (scene.name == name) return scene;
  }
  throw std::runtime_error("no scene " + name);
}

struct KeptPicture {
  const char* scene;
  ui::ThemeKind theme;
  int width = 1280, height = 720;
};

class Pictures : public testing::TestWithParam<KeptPicture> {};

TEST_P(Pictures, KeyState_LooksAsItDidWhenItWasLookedAt) {
  const KeptPicture& kept = GetParam();
  const std::string name = std::string(kept.scene) +
                           (kept.theme == ui::ThemeKind::dark ? "_dark" : "_light") + "_" +
                           std::to_string(kept.width) + "x" + std::to_string(kept.height) + ".png";
  const base::Image before =
      formats::read_image(fs::path(HEADROOM_SOURCE_DIR) / "tests/ui/pictures" / name, {});
  app::Window window(
      {.kind = app::WindowKind::offscreen, .width = kept.width, .height = kept.height});
  const base::Image now = draw_scene(window, scene_named(kept.scene), kept.theme);
  ASSERT_EQ(now.pixels.size(), before.pixels.size());
  const Difference difference = difference_of(now, before);
  const bool is_alike = difference.mean < 0.5 && difference.share_of_large < 0.003;
  EXPECT_TRUE(is_alike) << name << ": mean difference " << difference.mean << ", "
                        << difference.share_of_large * 100 << " % of the pixels differ much";
  if (is_alike) return;
  const fs::path seen = fs::temp_directory_path() / ("headroom-" + name);
  formats::write_png(seen, now);
  std::fprintf(stderr, "what was drawn: %s\n", seen.c_str());
}

TEST(PictureComparison, OneControlThatMoved_IsSeen) {
  app::Window window({.kind = app::WindowKind::offscreen, .width = 1280, .height = 720});
  Scene scene = scene_named("first_start");
  const base::Image before = draw_scene(window, scene, ui::ThemeKind::dark);
  scene.shell.recent_runs.clear();
  const base::Image after = draw_scene(window, scene, ui::ThemeKind::dark);
  EXPECT_GT(difference_of(before, after).share_of_large, 0.0005);
}

INSTANTIATE_TEST_SUITE_P(KeyStates, Pictures,
                         testing::Values(KeptPicture{"first_start", ui::ThemeKind::dark},
                                         KeptPicture{"training", ui::ThemeKind::dark},
                                         KeptPicture{"training", ui::ThemeKind::light},
                                         KeptPicture{"paused", ui::ThemeKind::light},
                                         KeptPicture{"failed", ui::ThemeKind::dark},
                                         KeptPicture{"finished", ui::ThemeKind::light},
                                         KeptPicture{"fits", ui::ThemeKind::dark},
                                         KeptPicture{"fits", ui::ThemeKind::light},
                                         KeptPicture{"fits", ui::ThemeKind::dark, 1920, 1080},
                                         KeptPicture{"fits", ui::ThemeKind::light, 1920, 1080},
                                         KeptPicture{"needs_calibration", ui::ThemeKind::dark},
                                         KeptPicture{"data", ui::ThemeKind::dark},
                                         KeptPicture{"data", ui::ThemeKind::light, 1920, 1080}));

}  // namespace
}  // namespace headroom::tests
