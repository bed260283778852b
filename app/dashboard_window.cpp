#include "app/dashboard_window.hpp"

#include <algorithm>
#include <utility>

#include "core/base/elapsed.hpp"

namespace headroom::app {
namespace {

using Clock = std::chrono::steady_clock;

double steady_seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

/// Where the same processor trains and draws.
bool must_save_cores(const Window& window, run::RunState state) {
  return window.renders_in_software() && !run::is_at_rest(state) && state != run::RunState::paused;
}

}  // namespace

DashboardWindow::DashboardWindow(const DashboardWindowOptions& options)
    : window_(options.window), pacer_(Clock::now()) {
  dashboard_ = std::make_unique<ui::Dashboard>(
      ui::load_fonts(ui::system_font_files(), missing_fonts_), options.preferences);
  if (!options.controls_file.empty()) controls_.emplace(options.controls_file);
}

void DashboardWindow::turn(DashboardSession& session, double most_seconds) {
  const auto state = session.snapshot()->state;
  pacer_.set_limit(Clock::now(),
                   must_save_cores(window_, state) ? DrawLimit::tenth_of_a_core : DrawLimit::none);
  // Nothing of a hidden window is due, whatever happens.
  const double due = window_.is_hidden() ? most_seconds : pacer_.wait_seconds(Clock::now());
  window_.wait(std::min(most_seconds, due));
  take_events(session);
  session.poll();
  if (session.snapshot()->revision != drawn_run_revision_ ||
      session.shell_revision() != drawn_shell_revision_) {
    pacer_.note_news();
  }
  if (!window_.is_hidden() && pacer_.is_due(Clock::now())) draw(session);
}

void DashboardWindow::take_events(DashboardSession& session) {
  if (window_.take_input()) pacer_.note_input(Clock::now());
  if (window_.take_close()) session.begin_closing();
  for (std::filesystem::path& path : window_.take_drops()) {
    session.perform({.commands = {}, .requests = {ui::OpenFolder{std::move(path)}}});
  }
}

void DashboardWindow::draw(DashboardSession& session) {
  const double begin = base::thread_cpu_seconds();
  const auto snapshot = session.snapshot();
  drawn_run_revision_ = snapshot->revision;
  drawn_shell_revision_ = session.shell_revision();
  if (controls_) controls_->begin_frame();
  window_.begin_frame();
  const ui::Asked asked = dashboard_->draw({.run = snapshot,
                                            .shell = session.shell(),
                                            .textures = window_.textures(),
                                            .probe = controls_ ? &*controls_ : nullptr,
                                            .scale = window_.scale(),
                                            .seconds = steady_seconds()});
  window_.end_frame();
  if (controls_) controls_->end_frame(run::name_of(snapshot->state));
  session.perform(asked);
  pacer_.note_drawn(Clock::now(), base::thread_cpu_seconds() - begin);
  if (dashboard_->is_animating()) pacer_.note_motion();
}

base::Image DashboardWindow::settled_picture(DashboardSession& session) {
  constexpr int kFramesToSettle = 8;
  constexpr int kMostFrames = 400;
  constexpr double kTurnSeconds = 0.02;
  window_.keep_picture(true);
  int settled = 0;
  for (int frame = 0; frame < kMostFrames && settled < kFramesToSettle; ++frame) {
    session.poll();
    draw(session);
    // What is read or made for the frame is still to come.
    const bool is_reading = session.is_reading_samples();
    if (is_reading) window_.wait(kTurnSeconds);
    settled = is_reading || dashboard_->is_animating() ? 0 : settled + 1;
  }
  window_.keep_picture(false);
  return window_.picture();
}

}  // namespace headroom::app
