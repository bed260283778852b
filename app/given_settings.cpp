#include "app/given_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"

namespace headroom::app {
namespace {

/// A run may be resumed from another folder.
void make_paths_absolute(base::DataSettings& data) {
  if (!data.mapping.empty()) data.mapping = std::filesystem::absolute(data.mapping).string();
  if (data.split != "auto" && !base::parse_real(data.split))
    data.split = std::filesystem::absolute(data.split).string();
}

}  // namespace

bool GivenSettings::has_flag(std::string_view key) const {
  return std::any_of(flags_.begin(), flags_.end(),
                     [key](const auto& flag) { return flag.first->key == key; });
}

base::Settings GivenSettings::applied_to(base::Settings settings) const {
  if (!config_.empty())
    base::apply_json(settings, base::read_file(config_), base::display_path(config_));
  for (const auto& [row, value] : flags_) base::apply_text(settings, *row, value);
  base::check_settings(settings);
  make_paths_absolute(settings.data);
  return settings;
}

void GivenSettings::require_changeable_on_resume() const {
  std::string allowed;
  for (const base::SettingRow& row : base::settings_schema()) {
    if (row.on_resume == base::OnResume::may_change)
      allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", row.flag);
  }
  const auto refuse = [&allowed](std::string_view given) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "resuming a run",
                       .subject = fmt::format("{} cannot be given anew", given),
                       .remedy = fmt::format(
                           "Leave it out, the run keeps its own; only {} may change", allowed)});
  };
  if (!config_.empty()) refuse("--config");
  for (const auto& [row, value] : flags_) {
    if (row->on_resume == base::OnResume::keeps) refuse(row->flag);
  }
}

}  // namespace headroom::app
