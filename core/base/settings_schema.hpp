#pragma once
// The one schema of all settings: flag, JSON key, group, help, range and default, one row per
// setting. Command line, --config files, run.json, `--help` and the dashboard's fields all go
// through it. Constant data and pure functions; any thread.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/settings.hpp"

namespace headroom::base {

enum class SettingGroup { model, step, data, train };
enum class SettingKind { integer, real, choice, flag, text, bytes, duration, tile };
/// Whether `train --resume` may be given the setting anew.
enum class OnResume { keeps, may_change };

[[nodiscard]] const char* name_of(SettingGroup group);

struct TileSize {
  std::int64_t height = 0;
  std::int64_t width = 0;
  friend bool operator==(const TileSize&, const TileSize&) = default;
};

/// integer, bytes, duration: int64; real: double; flag: bool; choice, text: string; tile: TileSize.
using SettingValue = std::variant<std::int64_t, double, bool, std::string, TileSize>;

/// low … high, both included. For tile: of each side.
struct IntegerRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
/// low … high; either end may be excluded.
struct RealRange {
  double low = 0;
  double high = 0;
  bool low_excluded = false;
  bool high_excluded = false;
};

/// A word that stands for a number outside the range: "auto" for 0, "none" for -1.
struct SpecialWord {
  std::string_view word{};
  std::int64_t value = 0;
};

/// Another word for a choice: "false" for "none".
struct ChoiceAlias {
  std::string_view word{};
  std::string_view choice{};
};

struct SettingRow {
  std::string_view key{};   ///< in JSON: "base_channels"
  std::string_view flag{};  ///< on the command line: "--base-channels"
  SettingGroup group = SettingGroup::model;
  SettingKind kind = SettingKind::integer;
  std::string_view help{};
  std::variant<std::monostate, IntegerRange, RealRange> range{};
  std::span<const std::string_view> choices{};
  std::span<const ChoiceAlias> aliases{};  ///< true and false in JSON are "true" and "false" here
  std::optional<SpecialWord> special{};
  OnResume on_resume = OnResume::keeps;
  /// For text that must have a form, with the form in words.
  bool (*accepts)(std::string_view text) = nullptr;
  std::string_view form{};
  SettingValue (*get)(const Settings&) = nullptr;
  /// Sets without checking; apply_text and the JSON readers check first.
  void (*set)(Settings&, const SettingValue&) = nullptr;
};

/// In the order in which help shows them: by group.
[[nodiscard]] std::span<const SettingRow> settings_schema();
/// By JSON key; null where there is none. `setting_of_flag` the same by flag ("--batch").
[[nodiscard]] const SettingRow* find_setting(std::string_view key);
[[nodiscard]] const SettingRow* setting_of_flag(std::string_view flag);

/// As apply_text would read it back: "32", "0.001", "auto", "6GiB", "5min", "384x512", "true".
[[nodiscard]] std::string text_of(const Settings& settings, const SettingRow& row);
/// The struct's own default as text.
[[nodiscard]] std::string default_text(const SettingRow& row);
/// "1 to 4096, or auto", "fp32, bf16, …", "at least 0 and below 1": for help and messages; empty
/// where any text will do.
[[nodiscard]] std::string range_text(const SettingRow& row);

/// Sets one setting from text as given to its flag. Throws Error (usage) naming setting, value and
/// range; then nothing was changed.
void apply_text(Settings& settings, const SettingRow& row, std::string_view text);

/// Sets what the object `text` has ({"base_channels": 16, "tile": [384, 512], "cache": "1GiB"});
/// the rest stays. Throws Error (usage) naming `source`, and the unknown key with the nearest known
/// one, or the value and range.
void apply_json(Settings& settings, std::string_view text, const std::string& source);
/// The same for an object that is parsed already.
void apply_json_object(Settings& settings, const nlohmann::json& object, const std::string& source);
/// Defaults, and what the object says.
[[nodiscard]] Settings settings_from_json(std::string_view text, const std::string& source);

/// All settings, one key each, in the schema's order.
[[nodiscard]] nlohmann::ordered_json settings_object(const Settings& settings);
[[nodiscard]] std::string settings_to_json(const Settings& settings);

/// What no single row can tell. Throws Error (usage): steps and epochs both given, a window that is
/// not used, ways to draw tiles that exclude each other, folds and a split both given, a fold that
/// is none of the folds.
void check_settings(const Settings& settings);

}  // namespace headroom::base
