#pragma once
// The dashboard without a window or a graphics card: frames are built as in the program, the mouse
// and the keys come from the test, and the probe tells where the controls are.

#include <imgui.h>
#include <implot.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/snapshot.hpp"
#include "ui/dashboard.hpp"

namespace headroom::tests {

/// Remembers the controls of the latest frame.
class RecordingProbe final : public ui::Probe {
 public:
  void begin_frame() { items_.clear(); }
  [[nodiscard]] const ui::ProbedItem* find(std::string_view name) const;
  [[nodiscard]] const std::vector<ui::ProbedItem>& items() const { return items_; }

 private:
  void do_record(ui::ProbedItem item) override { items_.push_back(std::move(item)); }

  std::vector<ui::ProbedItem> items_{};
};

/// Gives every picture a number and uploads nothing.
class CountingTextures final : public ui::TextureSource {
 public:
  [[nodiscard]] std::size_t pictures() const { return numbers_.size(); }

 private:
  [[nodiscard]] ImTextureID do_texture_of(const ui::SharedPicture& picture,
                                          ui::Enlarge enlarge) override;

  std::map<const ui::Picture*, ImTextureID> numbers_{};
};

class HeadlessDashboard {
 public:
  /// `width`, `height`: of the window, in pixels.
  explicit HeadlessDashboard(float width = 1920, float height = 1080,
                             ui::Preferences preferences = {}, float scale = 1);
  ~HeadlessDashboard();
  HeadlessDashboard(const HeadlessDashboard&) = delete;
  HeadlessDashboard& operator=(const HeadlessDashboard&) = delete;

  /// One frame, 1/60 s after the one before; what it asked for is added to `asked`.
  void frame();
  void frames(int count);
  /// Frames until the layout has settled.
  void settle() { frames(6); }
  /// A run with what is predicted for it, until the layout has settled.
  void show(const run::RunSnapshot& shown, const ui::Outlook& outlook) {
    run = std::make_shared<const run::RunSnapshot>(shown);
    shell.outlook = outlook;
    settle();
  }

  void move_to(std::string_view name);
  void move_to(const ImVec2& point);
  /// Moves, presses and releases, each in a frame of its own. Throws std::runtime_error naming the
  /// control when it is not there.
  void click(std::string_view name, ImGuiMouseButton button = ImGuiMouseButton_Left);
  void double_click(std::string_view name);
  void drag(std::string_view from, std::string_view to);
  void scroll(float lines);
  void press(ImGuiKey key, ImGuiKey modifier = ImGuiKey_None);
  void type(std::string_view text);
  void resize(float width, float height);

  /// Middle of a control of the latest frame. Throws std::runtime_error when it is not there.
  [[nodiscard]] ImVec2 middle_of(std::string_view name) const;
  [[nodiscard]] const ui::ProbedItem* find(std::string_view name) const {
    return probe_.find(name);
  }
  [[nodiscard]] const RecordingProbe& probe() const { return probe_; }
  [[nodiscard]] ui::Dashboard& dashboard() { return *dashboard_; }
  [[nodiscard]] const CountingTextures& textures() const { return textures_; }
  /// Seconds of CPU that building the latest frame took.
  [[nodiscard]] double last_frame_seconds() const { return last_frame_seconds_; }
  /// From now on the seconds of every frame are added to `kept`, which outlives this.
  void keep_frame_seconds(std::vector<double>& kept) { kept_seconds_ = &kept; }
  /// Commands asked for of one type.
  template <typename Command>
  [[nodiscard]] std::vector<Command> commands() const {
    std::vector<Command> found;
    for (const run::Command& command : asked.commands) {
      if (const auto* const wanted = std::get_if<Command>(&command)) found.push_back(*wanted);
    }
    return found;
  }
  template <typename Request>
  [[nodiscard]] std::vector<Request> requests() const {
    std::vector<Request> found;
    for (const ui::Request& request : asked.requests) {
      if (const auto* const wanted = std::get_if<Request>(&request)) found.push_back(*wanted);
    }
    return found;
  }

  std::shared_ptr<const run::RunSnapshot> run = std::make_shared<const run::RunSnapshot>();
  ui::Shell shell{};
  ui::Asked asked{};

 private:
  ImGuiContext* imgui_ = nullptr;
  ImPlotContext* implot_ = nullptr;
  RecordingProbe probe_{};
  CountingTextures textures_{};
  std::unique_ptr<ui::Dashboard> dashboard_{};
  float scale_ = 1;
  double seconds_ = 0;
  double last_frame_seconds_ = 0;
  std::vector<double>* kept_seconds_ = nullptr;
};

}  // namespace headroom::tests
