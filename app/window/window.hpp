#pragma once
// A window with an OpenGL context and the ImGui and ImPlot contexts in it, on a screen or without
// one. One at a time; the thread that made it, but for wake().

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/image.hpp"
#include "ui/texture_source.hpp"

namespace headroom::app {

/// Offscreen: drawn in software into memory; needs no display.
enum class WindowKind { on_screen, offscreen };

struct WindowOptions {
  WindowKind kind = WindowKind::on_screen;
  int width = 1600, height = 900;  ///< pixels of the content
  std::string title = "Headroom";
  std::filesystem::path layout_file{};  ///< where ImGui keeps the docking; empty: nowhere
  float scale = 0;                      ///< 0: the monitor's
};

/// True where a window could be opened on a screen: an X11 or Wayland display is named.
[[nodiscard]] bool has_display();

class Window {
 public:
  /// Throws base::Error (usage) where there is no display or no OpenGL 3, saying what was missing.
  explicit Window(const WindowOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Waits for input, wake() or the time, and takes what came.
  void wait(double seconds);
  /// Any thread: ends a wait.
  void wake();
  /// Input since the last call, or some that no frame has taken yet.
  [[nodiscard]] bool take_input();
  /// The person asked to close; asked again only after another such wish.
  [[nodiscard]] bool take_close();
  /// Files and folders that were dropped on the window.
  [[nodiscard]] std::vector<std::filesystem::path> take_drops();
  /// Nothing of it can be seen: minimised, or of no size.
  [[nodiscard]] bool is_hidden() const;

  /// Pixels per design pixel.
  [[nodiscard]] float scale() const;
  [[nodiscard]] ui::TextureSource& textures();
  [[nodiscard]] const std::string& renderer() const;
  [[nodiscard]] bool renders_in_software() const;

  void begin_frame();
  /// Renders what was drawn since begin_frame() and shows it.
  void end_frame();
  /// While on, each end_frame() keeps what it shows for picture().
  void keep_picture(bool on);
  /// What was kept last: u8, 3 channels.
  [[nodiscard]] base::Image picture() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace headroom::app
