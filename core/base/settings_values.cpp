// Settings as text and JSON, driven by the schema's rows.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/byte_size.hpp"
#include "core/base/duration.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/settings_schema.hpp"
#include "core/base/text_number.hpp"

namespace headroom::base {
namespace {

using nlohmann::json;

/// Tiles are cut larger before they are turned and scaled, and OpenCV's images to resample have
/// sides below 32768.
constexpr std::int64_t kMostResampledSide = 8192;

std::optional<TileSize> parse_tile(std::string_view text) {
  const std::size_t cross = text.find('x');
  const std::optional<std::int64_t> height = parse_integer(text.substr(0, cross));
  const std::optional<std::int64_t> width =
      cross == std::string_view::npos ? height : parse_integer(text.substr(cross + 1));
  if (!height || !width) return std::nullopt;
  return TileSize{*height, *width};
}

std::optional<bool> parse_flag(std::string_view text) {
  for (const std::string_view yes : {"true", "on", "yes", "1"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"false", "off", "no", "0"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

template <typename Value>
std::optional<SettingValue> widened(std::optional<Value> value) {
  if (!value) return std::nullopt;
  return SettingValue(std::move(*value));
}

std::string_view without_alias(const SettingRow& row, std::string_view word) {
  const auto alias = std::ranges::find(row.aliases, word, &ChoiceAlias::word);
  return alias == row.aliases.end() ? word : alias->choice;
}

/// Nothing where the text is not of the row's kind. The range is not looked at.
std::optional<SettingValue> value_from_text(const SettingRow& row, std::string_view text) {
  if (row.special && text == row.special->word) return row.special->value;
  switch (row.kind) {
    case SettingKind::integer:
      return widened(parse_integer(text));
    case SettingKind::real:
      return widened(parse_real(text));
    case SettingKind::flag:
      return widened(parse_flag(text));
    case SettingKind::bytes:
      return widened(parse_byte_size(text));
    case SettingKind::duration:
      return widened(parse_duration(text));
    case SettingKind::tile:
      return widened(parse_tile(text));
    case SettingKind::choice:
      return std::string(without_alias(row, text));
    case SettingKind::text:
      return std::string(text);
  }
  return std::nullopt;
}

std::optional<std::int64_t> integer_in(const json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
    return std::nullopt;
  }
  return value.get<std::int64_t>();
}

std::optional<TileSize> tile_in(const json& value) {
  if (!value.is_array()) {
    const std::optional<std::int64_t> side = integer_in(value);
    return side ? std::optional(TileSize{*side, *side}) : std::nullopt;
  }
  if (value.size() != 2) return std::nullopt;
  const std::optional<std::int64_t> height = integer_in(value[0]);
  const std::optional<std::int64_t> width = integer_in(value[1]);
  if (!height || !width) return std::nullopt;
  return TileSize{*height, *width};
}

std::optional<SettingValue> value_from_json(const SettingRow& row, const json& value) {
  if (value.is_string()) return value_from_text(row, value.get_ref<const std::string&>());
  switch (row.kind) {
    case SettingKind::integer:
    case SettingKind::bytes:
    case SettingKind::duration:
      return widened(integer_in(value));
    case SettingKind::real:
      return value.is_number() ? std::optional<SettingValue>(value.get<double>()) : std::nullopt;
    case SettingKind::flag:
      return value.is_boolean() ? std::optional<SettingValue>(value.get<bool>()) : std::nullopt;
    case SettingKind::tile:
      return widened(tile_in(value));
    case SettingKind::choice:
      return value.is_boolean() ? value_from_text(row, value.get<bool>() ? "true" : "false")
                                : std::nullopt;
    case SettingKind::text:
      return std::nullopt;
  }
  return std::nullopt;
}

bool is_within(const IntegerRange& range, std::int64_t value) {
  return value >= range.low && value <= range.high;
}

bool is_within(const RealRange& range, double value) {
  return (range.low_excluded ? value > range.low : value >= range.low) &&
         (range.high_excluded ? value < range.high : value <= range.high);
}

bool is_allowed(const SettingRow& row, const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (row.kind == SettingKind::choice) {
      return std::find(row.choices.begin(), row.choices.end(), *text) != row.choices.end();
    }
    return row.accepts == nullptr || row.accepts(*text);
  }
  if (const auto* integers = std::get_if<IntegerRange>(&row.range)) {
    if (const auto* tile = std::get_if<TileSize>(&value)) {
      return is_within(*integers, tile->height) && is_within(*integers, tile->width);
    }
    return is_within(*integers, std::get<std::int64_t>(value));
  }
  if (const auto* reals = std::get_if<RealRange>(&row.range)) {
    return is_within(*reals, std::get<double>(value));
  }
  return true;
}

/// Only the word stands for the special value: "0" is no way to write "auto".
bool is_special(const SettingRow& row, std::string_view text) {
  return row.special && text == row.special->word;
}

[[noreturn]] void refuse(const SettingRow& row, const std::string& attempted,
                         const std::string& given) {
  throw Error(ErrorKind::usage,
              {.attempted = attempted,
               .subject = fmt::format("{} cannot be {}", row.flag, display_text(given)),
               .remedy = fmt::format("Allowed: {}", range_text(row))});
}

std::string number_text(const SettingRow& row, std::int64_t value) {
  if (row.kind == SettingKind::bytes) return exact_byte_size(value);
  if (row.kind == SettingKind::duration) return exact_duration(value);
  return fmt::format("{}", value);
}

std::string range_words(const SettingRow& row, const IntegerRange& range) {
  const std::string low = number_text(row, range.low);
  std::string words = range.high == std::numeric_limits<std::int64_t>::max()
                          ? fmt::format("at least {}", low)
                          : fmt::format("{} to {}", low, number_text(row, range.high));
  if (row.kind == SettingKind::tile) words += " pixels, as SIDE or HEIGHTxWIDTH";
  return words;
}

std::string range_words(const RealRange& range) {
  if (!range.low_excluded && !range.high_excluded) {
    return fmt::format("{} to {}", range.low, range.high);
  }
  return fmt::format("{} {}, {} {}", range.low_excluded ? "above" : "at least", range.low,
                     range.high_excluded ? "below" : "at most", range.high);
}

/// Levenshtein's distance: insertions, deletions and replacements that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

std::string_view nearest_key(std::string_view unknown) {
  const std::span<const SettingRow> rows = settings_schema();
  return std::min_element(rows.begin(), rows.end(),
                          [&](const SettingRow& a, const SettingRow& b) {
                            return edit_distance(a.key, unknown) < edit_distance(b.key, unknown);
                          })
      ->key;
}

nlohmann::ordered_json json_of(const Settings& settings, const SettingRow& row) {
  const SettingValue value = row.get(settings);
  if (const auto* tile = std::get_if<TileSize>(&value)) return {tile->height, tile->width};
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (row.special && *number == row.special->value) return std::string(row.special->word);
    return *number;
  }
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  return std::get<std::string>(value);
}

[[noreturn]] void refuse_together(std::string subject, std::string remedy) {
  throw Error(ErrorKind::usage, {.attempted = "checking the settings",
                                 .subject = std::move(subject),
                                 .remedy = std::move(remedy)});
}

void check_length(const TrainSettings& train) {
  if (train.steps > 0 && train.epochs > 0) {
    refuse_together(
        fmt::format("--steps {} and --epochs {} are both given", train.steps, train.epochs),
        "Give one of them");
  }
}

void check_folds(const DataSettings& data) {
  if (data.folds > 0 && data.split != DataSettings{}.split) {
    refuse_together(fmt::format("--folds {} and --split {} are both given", data.folds,
                                display_text(data.split)),
                    "Give one of them: the folds say which share validates");
  }
  if (data.fold > 0 && data.fold >= data.folds) {
    refuse_together(fmt::format("--fold {} with --folds {}", data.fold, data.folds),
                    "Folds are counted from 0: give a --fold below --folds");
  }
}

void check_window(const DataSettings& data) {
  if (data.normalise != Normalise::ct_window && data.window != DataSettings{}.window) {
    refuse_together(fmt::format("--window {} is given, but values are not scaled by a window",
                                display_text(data.window)),
                    "Give --normalise ct-window as well, or leave --window out");
  }
}

void check_tiles(const Settings& settings) {
  const TrainSettings& train = settings.train;
  const bool resamples = train.augment != Augment::none && train.augment != Augment::flips;
  if (train.coverage && train.foreground > 0) {
    refuse_together(
        fmt::format("--coverage and --foreground {} exclude each other", train.foreground),
        "Give one of them");
  }
  if (train.coverage && resamples) {
    refuse_together("--coverage takes tiles as they are, and this --augment scales and turns them",
                    "Give --augment none or flips, or leave --coverage out");
  }
  const std::int64_t side = std::max(settings.step.tile_height, settings.step.tile_width);
  if (resamples && side > kMostResampledSide) {
    refuse_together(fmt::format("--tile {} is more than this --augment can turn and scale", side),
                    fmt::format("Give --augment none or flips, or a tile of at most {} pixels",
                                kMostResampledSide));
  }
}

}  // namespace

std::string text_of(const Settings& settings, const SettingRow& row) {
  const SettingValue value = row.get(settings);
  if (const auto* tile = std::get_if<TileSize>(&value)) {
    return tile->height == tile->width ? fmt::format("{}", tile->height)
                                       : fmt::format("{}x{}", tile->height, tile->width);
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (row.special && *number == row.special->value) return std::string(row.special->word);
    return number_text(row, *number);
  }
  if (const auto* real = std::get_if<double>(&value)) return format_real(*real);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return std::get<std::string>(value);
}

std::string default_text(const SettingRow& row) { return text_of(Settings{}, row); }

std::string range_text(const SettingRow& row) {
  std::string words;
  if (row.kind == SettingKind::choice) {
    words = fmt::format("{}", fmt::join(row.choices, ", "));
  } else if (row.kind == SettingKind::flag) {
    words = "true, false";
  } else if (const auto* integers = std::get_if<IntegerRange>(&row.range)) {
    words = range_words(row, *integers);
  } else if (const auto* reals = std::get_if<RealRange>(&row.range)) {
    words = range_words(*reals);
  } else {
    words = row.form;
  }
  return row.special ? fmt::format("{}, or {}", words, row.special->word) : words;
}

void apply_text(Settings& settings, const SettingRow& row, std::string_view text) {
  const std::optional<SettingValue> value = value_from_text(row, text);
  if (!value || !(is_special(row, text) || is_allowed(row, *value))) {
    refuse(row, "reading the settings", fmt::format("\"{}\"", text));
  }
  row.set(settings, *value);
}

void apply_json(Settings& settings, std::string_view text, const std::string& source) {
  apply_json_object(settings, parse_json_object(text, "reading the settings", source), source);
}

void apply_json_object(Settings& settings, const json& object, const std::string& source) {
  const std::string attempted = fmt::format("reading the settings in {}", source);
  Settings changed = settings;
  for (const auto& [key, value] : object.items()) {
    const SettingRow* const row = find_setting(key);
    if (row == nullptr) {
      throw Error(ErrorKind::usage,
                  {.attempted = attempted,
                   .subject = fmt::format("there is no setting \"{}\"", display_text(key)),
                   .remedy = fmt::format("Did you mean \"{}\"?", nearest_key(key))});
    }
    const std::optional<SettingValue> parsed = value_from_json(*row, value);
    const bool special = value.is_string() && is_special(*row, value.get_ref<const std::string&>());
    if (!parsed || !(special || is_allowed(*row, *parsed))) {
      refuse(*row, attempted, dump_json(nlohmann::ordered_json(value)));
    }
    row->set(changed, *parsed);
  }
  settings = std::move(changed);
}

Settings settings_from_json(std::string_view text, const std::string& source) {
  Settings settings;
  apply_json(settings, text, source);
  return settings;
}

nlohmann::ordered_json settings_object(const Settings& settings) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const SettingRow& row : settings_schema()) {
    object[std::string(row.key)] = json_of(settings, row);
  }
  return object;
}

std::string settings_to_json(const Settings& settings) {
  return dump_json(settings_object(settings), 2);
}

void check_settings(const Settings& settings) {
  check_length(settings.train);
  check_window(settings.data);
  check_tiles(settings);
  check_folds(settings.data);
}

}  // namespace headroom::base
