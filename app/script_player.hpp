#pragma once
// A script plays what a person would ask for in the dashboard: the same commands and requests,
// through the same session, with or without a window. Any one thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/dashboard_session.hpp"
#include "app/script_text.hpp"
#include "ui/dashboard.hpp"

namespace headroom::app {

class ScriptPlayer {
 public:
  struct Options {
    std::string source{};                ///< for messages
    ui::Dashboard* dashboard = nullptr;  ///< outlives the player; null: there is no window
    /// Takes a picture of the window; never empty where there is one.
    std::function<void(const std::filesystem::path&)> take_picture{};
  };

  ScriptPlayer(std::vector<ScriptLine> lines, Options options);

  /// Plays lines until one has to wait. Throws base::Error (usage) naming the line when the
  /// controller refused it or it cannot be played; what a failed run failed with, when a line waits
  /// for that run.
  void advance(DashboardSession& session);
  [[nodiscard]] bool is_done() const { return next_ >= lines_.size(); }

 private:
  /// False: it waits.
  [[nodiscard]] bool play(const ScriptLine& line, DashboardSession& session);
  [[nodiscard]] bool is_there(const ScriptLine& line, const run::RunSnapshot& now) const;
  [[nodiscard]] bool wait(const ScriptLine& line, const DashboardSession& session) const;
  void set_plan(const ScriptLine& line, DashboardSession& session);
  void calibrate(const ScriptLine& line, DashboardSession& session);
  void require_window(const ScriptLine& line) const;
  void show_workspace(const ScriptLine& line) const;
  void show_sample(const ScriptLine& line, const DashboardSession& session) const;
  void set_setting(const ScriptLine& line, DashboardSession& session);
  [[noreturn]] void refuse(const ScriptLine& line, const std::string& subject,
                           const std::string& remedy) const;
  void check_refusals(DashboardSession& session) const;

  std::vector<ScriptLine> lines_;
  Options options_;
  std::size_t next_ = 0;
  int played_line_ = 0;  ///< the last one that was handed on
  /// True once the controller has dealt with that line; empty: it has.
  std::function<bool(const run::RunSnapshot&)> is_taken_{};
};

}  // namespace headroom::app
