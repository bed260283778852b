#pragma once
// Settings as a person gave them on the command line, before they are put on top of defaults or of
// a run's own. A value; filled while the command line is parsed.

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/settings_schema.hpp"

namespace headroom::app {

class GivenSettings {
 public:
  void set_config(std::filesystem::path file) { config_ = std::move(file); }
  void add(const base::SettingRow& row, std::string value) {
    flags_.emplace_back(&row, std::move(value));
  }

  [[nodiscard]] bool has_flag(std::string_view key) const;
  /// `settings` with the config file's values on top and the flags on top of these; paths made
  /// absolute. Throws base::Error: usage naming the setting and value, or the config file; io when
  /// that cannot be read.
  [[nodiscard]] base::Settings applied_to(base::Settings settings) const;
  /// Throws base::Error (usage) naming the first setting that a resumed run takes from its record
  /// only.
  void require_changeable_on_resume() const;

 private:
  std::filesystem::path config_{};
  std::vector<std::pair<const base::SettingRow*, std::string>> flags_{};
};

}  // namespace headroom::app
