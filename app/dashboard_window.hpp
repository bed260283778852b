#pragma once
// The dashboard in its window: waits, draws when something is to be seen, and hands on what the
// person asked for. The main thread.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/control_map.hpp"
#include "app/dashboard_session.hpp"
#include "app/window/draw_pacer.hpp"
#include "app/window/window.hpp"
#include "ui/dashboard.hpp"

namespace headroom::app {

struct DashboardWindowOptions {
  WindowOptions window{};
  ui::Preferences preferences{};
  std::filesystem::path controls_file{};  ///< see ControlMap; empty: none
};

class DashboardWindow {
 public:
  /// Throws base::Error (usage) where no window can be opened.
  explicit DashboardWindow(const DashboardWindowOptions& options);

  /// Waits until something happens or `most_seconds` have passed, and draws a frame if one is due.
  void turn(DashboardSession& session, double most_seconds);
  /// Draws as many frames as the layout and the samples looked at need, and returns what they show.
  [[nodiscard]] base::Image settled_picture(DashboardSession& session);

  [[nodiscard]] const ui::Preferences& preferences() const { return dashboard_->preferences(); }
  [[nodiscard]] const Window& window() const { return window_; }
  [[nodiscard]] ui::Dashboard& dashboard() { return *dashboard_; }
  /// Any thread: something changed that a frame would show.
  void wake() { window_.wake(); }
  /// Fonts that were not found, for the log.
  [[nodiscard]] const std::vector<std::string>& missing_fonts() const { return missing_fonts_; }

 private:
  void take_events(DashboardSession& session);
  void draw(DashboardSession& session);

  Window window_;
  std::vector<std::string> missing_fonts_{};
  std::unique_ptr<ui::Dashboard> dashboard_;
  std::optional<ControlMap> controls_{};
  DrawPacer pacer_;
  std::int64_t drawn_run_revision_ = -1;
  std::int64_t drawn_shell_revision_ = -1;
};

}  // namespace headroom::app
