#pragma once
// The states of the dashboard that pictures are made of.

#include <memory>
#include <string>
#include <vector>

#include "app/window/window.hpp"
#include "core/base/image.hpp"
#include "core/run/snapshot.hpp"
#include "ui/frame.hpp"
#include "ui/shell.hpp"

namespace headroom::tests {

struct Scene {
  std::string name{};
  std::shared_ptr<const run::RunSnapshot> run{};
  ui::Shell shell{};
  const char* front_panel = nullptr;  ///< the ID of the panel that is brought to the front
};

[[nodiscard]] std::vector<Scene> dashboard_scenes();

/// After the layout has settled: u8, 3 channels.
[[nodiscard]] base::Image draw_scene(app::Window& window, const Scene& scene, ui::ThemeKind theme);

}  // namespace headroom::tests
