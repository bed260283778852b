#include "app/preferences_file.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/base/json_text.hpp"

namespace headroom::app {
namespace {

template <typename Value>
void take(const nlohmann::json& object, const char* key, Value& value) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  if constexpr (std::is_same_v<Value, bool>) {
    if (found->is_boolean()) value = found->template get<bool>();
  } else {
    if (found->is_number()) value = found->template get<Value>();
  }
}

}  // namespace

ui::Preferences load_preferences(const std::filesystem::path& file) {
  ui::Preferences preferences;
  std::ifstream stream(file);
  const nlohmann::json object = nlohmann::json::parse(stream, nullptr, false);
  if (!object.is_object()) return preferences;
  if (object.value("theme", nlohmann::json()) == "light") preferences.theme = ui::ThemeKind::light;
  take(object, "smoothing", preferences.smoothing);
  take(object, "loss_is_log", preferences.loss_is_log);
  take(object, "overlay_opacity", preferences.overlay_opacity);
  take(object, "reduce_motion", preferences.reduce_motion);
  take(object, "size", preferences.size);
  preferences.smoothing = std::clamp(preferences.smoothing, 0.0F, 0.99F);
  preferences.overlay_opacity = std::clamp(preferences.overlay_opacity, 0.0F, 1.0F);
  preferences.size =
      std::clamp(preferences.size, ui::Preferences::kLeastSize, ui::Preferences::kMostSize);
  return preferences;
}

void save_preferences(const std::filesystem::path& file, const ui::Preferences& preferences) {
  const nlohmann::ordered_json object = {
      {"theme", preferences.theme == ui::ThemeKind::dark ? "dark" : "light"},
      {"smoothing", preferences.smoothing},
      {"loss_is_log", preferences.loss_is_log},
      {"overlay_opacity", preferences.overlay_opacity},
      {"reduce_motion", preferences.reduce_motion},
      {"size", preferences.size}};
  base::write_file_atomically(file, base::dump_json(object, 2) + '\n');
}

}  // namespace headroom::app
