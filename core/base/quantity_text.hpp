#pragma once
// Reading "number unit" texts, shared by byte sizes and durations. Pure; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headroom::base {

struct NamedUnit {
  std::string_view name;  ///< lower case
  std::int64_t factor = 1;
};

/// A number of at least 0, spaces or none, and the name of a unit in any case, with the product
/// rounded to a whole; nothing where the text is something else or the product is above `most`.
[[nodiscard]] std::optional<std::int64_t> parse_quantity(std::string_view text,
                                                         std::span<const NamedUnit> units,
                                                         std::int64_t most);

/// The unit of the largest factor that divides `value`; `units` in rising order, the first with
/// factor 1.
[[nodiscard]] const NamedUnit& largest_exact_unit(std::int64_t value,
                                                  std::span<const NamedUnit> units);

}  // namespace headroom::base
