// Draws key states of the dashboard without a display, as PNG files: to be looked at, to be
// compared with those of another build, and for the README.
//
//   dashboard_pictures OUT [NAME…]      names: as listed without any
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/window/window.hpp"
#include "core/formats/raster_writer.hpp"
#include "tests/ui/dashboard_scenes.hpp"

namespace headroom::tests {
namespace {

namespace fs = std::filesystem;

struct Size {
  const char* name;
  int width, height;
  float scale;
};

constexpr Size kSizes[] = {
    {"1280x720", 1280, 720, 1}, {"1920x1080", 1920, 1080, 1}, {"3840x2160", 3840, 2160, 2}};

bool is_wanted(const std::vector<std::string>& wanted, const std::string& name) {
  if (wanted.empty()) return true;
  for (const std::string& part : wanted) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

int draw_all(const fs::path& folder, const std::vector<std::string>& wanted) {
  fs::create_directories(folder);
  for (const Scene& scene : dashboard_scenes()) {
    for (const Size& size : kSizes) {
      for (const ui::ThemeKind theme : {ui::ThemeKind::dark, ui::ThemeKind::light}) {
        const std::string name = fmt::format(
            "{}_{}_{}", scene.name, theme == ui::ThemeKind::dark ? "dark" : "light", size.name);
        if (!is_wanted(wanted, name)) continue;
        app::Window window({.kind = app::WindowKind::offscreen,
                            .width = size.width,
                            .height = size.height,
                            .scale = size.scale});
        formats::write_png(folder / (name + ".png"), draw_scene(window, scene, theme));
        fmt::print("{}\n", name);
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace headroom::tests

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: dashboard_pictures OUT [NAME…]\n");
    return 2;
  }
  try {
    return headroom::tests::draw_all(arguments[1], {arguments + 2, arguments + count});
  } catch (const std::exception& problem) {
    fmt::print(stderr, "dashboard_pictures: {}\n", problem.what());
    return 1;
  }
}
