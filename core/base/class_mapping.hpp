#pragma once
// How mask values, colours or the names of annotations become class ids. Proposed by the scan or
// given with --mapping; stored with the run and in every model file.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::base {

/// A mask value (grey, id), a colour (RGB) or the name that annotations give. Colours are written
/// "#RRGGBB", values "17", names as they are, or "name:17" where they would mean something else.
struct MaskKey {
  bool is_colour = false;
  std::int64_t value = 0;  ///< the grey value, or 0xRRGGBB; 0 for a name
  std::string name{};      ///< empty for values and colours

  friend auto operator<=>(const MaskKey&, const MaskKey&) = default;
};

[[nodiscard]] std::string to_string(const MaskKey& key);
/// Nothing for "" and for what begins with '#' and is no colour.
[[nodiscard]] std::optional<MaskKey> parse_mask_key(const std::string& text);

struct ClassMapping {
  /// Key -> class id, or kIgnoreLabel.
  std::map<MaskKey, std::uint8_t> ids{};
  /// What a key that is not listed becomes: nothing (an error), kIgnoreLabel or a class, as where
  /// masks number objects.
  std::optional<std::uint8_t> other{};
  std::vector<std::string> class_names{};  ///< by class id

  [[nodiscard]] std::int64_t classes() const {
    return static_cast<std::int64_t>(class_names.size());
  }
  friend bool operator==(const ClassMapping&, const ClassMapping&) = default;
};

/// JSON as `--mapping` reads and a run stores it: {"#3C1098": {"class": 0, "name": "building"},
/// "0": "ignore", "tree": "ignore", "other": "ignore"}; an object that holds this under "mapping"
/// is accepted too. Throws Error (usage) naming `source` and the entry.
[[nodiscard]] ClassMapping parse_class_mapping(const std::string& json, const std::string& source);
[[nodiscard]] std::string to_json(const ClassMapping& mapping);

}  // namespace headroom::base
