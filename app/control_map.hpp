#pragma once
// The rectangles of the dashboard's controls as a JSON file, for programs that click. Any one
// thread.

#include <filesystem>
#include <string>
#include <vector>

#include "ui/probe.hpp"

namespace headroom::app {

class ControlMap final : public ui::Probe {
 public:
  explicit ControlMap(std::filesystem::path file) : file_(std::move(file)) {}

  void begin_frame() { items_.clear(); }
  /// Writes the file where its content changed: {"controls": [{"name", "x", "y", "width", "height",
  /// "enabled", "text"}], "state"}. Throws base::Error (io).
  void end_frame(const std::string& state);

 private:
  void do_record(ui::ProbedItem item) override { items_.push_back(std::move(item)); }

  std::filesystem::path file_;
  std::vector<ui::ProbedItem> items_{};
  std::string written_{};
};

}  // namespace headroom::app
