#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/dashboard_session.hpp"
#include "app/dashboard_window.hpp"
#include "app/home_folder.hpp"
#include "app/preferences_file.hpp"
#include "app/run_training.hpp"
#include "app/script_player.hpp"
#include "app/signal_watch.hpp"
#include "app/training_printer.hpp"
#include "app/window/news_bell.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_writer.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

constexpr double kScriptTurnSeconds = 0.02;

[[noreturn]] void refuse(const char* subject, const char* remedy) {
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "opening the dashboard", .subject = subject, .remedy = remedy});
}

ui::Preferences preferences_for(const GuiCommand& command, const fs::path& home) {
  ui::Preferences preferences = load_preferences(home / "preferences.json");
  if (!command.theme.empty())
    preferences.theme = command.theme == "light" ? ui::ThemeKind::light : ui::ThemeKind::dark;
  // A picture shows values where they are, not on their way.
  if (!command.screenshot.empty()) preferences.reduce_motion = true;
  return preferences;
}

/// A folder that cannot be written costs the preferences, not the program.
void keep_preferences(const fs::path& home, const ui::Preferences& preferences) {
  try {
    fs::create_directories(home);
    save_preferences(home / "preferences.json", preferences);
  } catch (const std::exception& problem) {
    write_errors(fmt::format("headroom: the preferences were not saved: {}\n", problem.what()));
  }
}

std::optional<ScriptPlayer> player_for(const GuiCommand& command, ui::Dashboard* dashboard,
                                       std::function<void(const fs::path&)> take_picture) {
  if (command.script.empty()) return std::nullopt;
  return ScriptPlayer(read_script(command.script), {.source = base::display_path(command.script),
                                                    .dashboard = dashboard,
                                                    .take_picture = std::move(take_picture)});
}

void open_folder(const GuiCommand& command, DashboardSession& session) {
  if (!command.folder.empty())
    session.perform({.commands = {}, .requests = {ui::OpenFolder{fs::absolute(command.folder)}}});
}

/// What became of the run, for the terminal.
int report_end(const run::RunSnapshot& snapshot, bool quiet) {
  if (snapshot.error) {
    write_errors(fmt::format("headroom: {}\n",
                             base::Error(snapshot.error->kind, snapshot.error->error).what()));
    return static_cast<int>(snapshot.error->kind);
  }
  if (!quiet && snapshot.outcome == run::Outcome::stopped && snapshot.steps_done > 0)
    write_errors(fmt::format("headroom: the run is saved after step {}. {}\n", snapshot.steps_done,
                             continue_hint(snapshot.request->run_folder)));
  return 0;
}

// ---------------------------------------------------------------- without a window

int play_headless(const GuiCommand& command) {
  if (command.script.empty()) refuse("--headless without --script", "Name a script: --script FILE");
  if (!command.screenshot.empty()) refuse("--headless together with --screenshot", "Leave one out");
  NewsBell bell;
  std::atomic<bool> interrupted = false;
  base::Log log(command.output.quiet ? base::LogVerbosity::quiet : base::LogVerbosity::normal);
  SessionOptions options;
  options.home = home_folder();
  options.on_news = [&bell] { bell.ring(); };
  options.for_people = false;
  options.sinks.push_back(
      std::make_unique<TrainingPrinter>(log, progress_style(command.output.quiet)));
  DashboardSession session(std::move(options));
  std::optional<ScriptPlayer> player = player_for(command, nullptr, {});
  const SignalWatch watch([&] {
    interrupted = true;
    bell.ring();
  });
  open_folder(command, session);
  while (!session.may_end()) {
    session.poll();
    if (interrupted || (player->is_done() && !session.is_busy())) session.begin_closing();
    if (!session.is_closing()) player->advance(session);
    bell.wait(kScriptTurnSeconds);
  }
  const int code = report_end(*session.snapshot(), command.output.quiet);
  return interrupted ? static_cast<int>(base::ErrorKind::interrupted) : code;
}

// ---------------------------------------------------------------- with a window

DashboardWindowOptions window_options(const GuiCommand& command, const fs::path& home) {
  const bool is_picture = !command.screenshot.empty();
  DashboardWindowOptions options;
  options.window.kind = is_picture ? WindowKind::offscreen : WindowKind::on_screen;
  options.window.width = static_cast<int>(command.width);
  options.window.height = static_cast<int>(command.height);
  if (!is_picture) options.window.layout_file = home / "layout.ini";
  options.preferences = preferences_for(command, home);
  options.controls_file = command.controls;
  return options;
}

void tell_about(const DashboardWindow& window, bool quiet) {
  if (quiet) return;
  if (window.window().renders_in_software())
    write_errors(
        fmt::format("The window is drawn in software ({}): while training, drawing keeps "
                    "to a tenth of a core.\n",
                    window.window().renderer()));
  for (const std::string& font : window.missing_fonts())
    write_errors(fmt::format("Font not found: {}. Another one stands in for it.\n", font));
}

void save_picture(DashboardWindow& window, DashboardSession& session, const fs::path& file) {
  formats::write_png(file, window.settled_picture(session));
}

/// A picture without a script shows the start screen with its self-test done, or the folder opened.
bool is_ready_for_picture(const DashboardSession& session) {
  return session.snapshot()->self_test && !session.is_busy() &&
         session.shell().machine.memory_total_bytes > 0;
}

int run_window(const GuiCommand& command) {
  const fs::path home = home_folder();
  std::error_code ignored;
  fs::create_directories(home, ignored);
  DashboardWindow window(window_options(command, home));
  tell_about(window, command.output.quiet);
  std::atomic<bool> interrupted = false;
  SessionOptions options;
  options.home = home;
  options.on_news = [&window] { window.wake(); };
  options.renderer = window.window().renderer();
  options.renders_in_software = window.window().renders_in_software();
  DashboardSession session(std::move(options));
  std::optional<ScriptPlayer> player =
      player_for(command, &window.dashboard(),
                 [&](const fs::path& file) { save_picture(window, session, file); });
  const SignalWatch watch([&] {
    interrupted = true;
    window.wake();
  });
  open_folder(command, session);
  const bool is_picture = !command.screenshot.empty();
  bool has_picture = false;
  while (!session.may_end()) {
    const bool is_playing = player && !player->is_done();
    window.turn(session, is_playing || is_picture ? kScriptTurnSeconds : 1.0);
    if (interrupted) session.begin_closing();
    if (player && !session.is_closing()) player->advance(session);
    const bool is_played = !player || player->is_done();
    if (is_picture && !has_picture && is_played && is_ready_for_picture(session)) {
      save_picture(window, session, command.screenshot);
      has_picture = true;
      session.begin_closing();
    }
  }
  if (!is_picture) keep_preferences(home, window.preferences());
  const int code = report_end(*session.snapshot(), command.output.quiet);
  return interrupted ? static_cast<int>(base::ErrorKind::interrupted) : code;
}

}  // namespace

int perform(const GuiCommand& command) {
  if (command.output.json) refuse("--json", "The dashboard prints no document; leave it out");
  return command.headless ? play_headless(command) : run_window(command);
}

}  // namespace headroom::app
