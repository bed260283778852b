#include "core/formats/stored_values.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/data/pixel_dispatch.hpp"

namespace headroom::formats {

namespace {

template <typename Visitor>
decltype(auto) dispatch_stored_type(StoredType type, Visitor&& visit) {
  switch (type) {
    case StoredType::u8:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint8_t>{});
    case StoredType::i8:
      return std::forward<Visitor>(visit)(std::type_identity<std::int8_t>{});
    case StoredType::u16:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint16_t>{});
    case StoredType::i16:
      return std::forward<Visitor>(visit)(std::type_identity<std::int16_t>{});
    case StoredType::u32:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint32_t>{});
    case StoredType::i32:
      return std::forward<Visitor>(visit)(std::type_identity<std::int32_t>{});
    case StoredType::u64:
      return std::forward<Visitor>(visit)(std::type_identity<std::uint64_t>{});
    case StoredType::i64:
      return std::forward<Visitor>(visit)(std::type_identity<std::int64_t>{});
    case StoredType::f32:
      return std::forward<Visitor>(visit)(std::type_identity<float>{});
    case StoredType::f64:
      return std::forward<Visitor>(visit)(std::type_identity<double>{});
  }
  throw base::Error(base::ErrorKind::internal,
                    {"reading values", "unknown stored type", "report this"});
}

base::PixelType unscaled_type(StoredType type) {
  switch (type) {
    case StoredType::u8:
      return base::PixelType::u8;
    case StoredType::i8:
    case StoredType::i16:
      return base::PixelType::i16;
    case StoredType::u16:
      return base::PixelType::u16;
    case StoredType::u32:
    case StoredType::u64:
      return base::PixelType::u32;
    case StoredType::i32:
    case StoredType::i64:
      return base::PixelType::i32;
    case StoredType::f32:
      return base::PixelType::f32;
    case StoredType::f64:
      break;
  }
  return base::PixelType::f64;
}

bool is_integer(StoredType type) { return type != StoredType::f32 && type != StoredType::f64; }

bool is_whole(double number) { return std::isfinite(number) && number == std::floor(number); }

template <typename Held>
bool holds(double number) {
  return number >= static_cast<double>(std::numeric_limits<Held>::lowest()) &&
         number <= static_cast<double>(std::numeric_limits<Held>::max());
}

template <typename Stored>
Stored value_at(const StoredValues& values, std::int64_t index) {
  Stored value{};
  std::memcpy(&value,
              values.first + index * values.stride * static_cast<std::int64_t>(sizeof(Stored)),
              sizeof(Stored));
  return value;
}

template <typename Stored, typename Held>
bool convert(const StoredValues& from, const ValueScaling& scaling, std::int64_t count,
             const HeldValues& to) {
  const bool is_identity = scaling.is_identity();
  auto* held = reinterpret_cast<Held*>(to.first);
  bool fits = true;
  for (std::int64_t i = 0; i < count; ++i) {
    const Stored stored = value_at<Stored>(from, i);
    Held& value = held[i * to.stride];
    if constexpr (std::is_integral_v<Stored> && std::is_integral_v<Held>) {
      if (is_identity) {
        fits = fits && std::in_range<Held>(stored);
        value = static_cast<Held>(stored);
        continue;
      }
    }
    const double scaled = is_identity
                              ? static_cast<double>(stored)
                              : scaling.slope * static_cast<double>(stored) + scaling.intercept;
    if constexpr (std::is_integral_v<Held>) {
      if (!holds<Held>(scaled)) return false;
    }
    value = static_cast<Held>(scaled);
  }
  return fits;
}

}  // namespace

std::int64_t bytes_of(StoredType type) {
  return dispatch_stored_type(type, [](auto identity) {
    return static_cast<std::int64_t>(sizeof(typename decltype(identity)::type));
  });
}

ValueRange range_of(StoredType type) {
  return dispatch_stored_type(type, [](auto identity) {
    using Limits = std::numeric_limits<typename decltype(identity)::type>;
    return ValueRange{static_cast<double>(Limits::lowest()), static_cast<double>(Limits::max())};
  });
}

base::PixelType held_type(StoredType type, const ValueRange& range, const ValueScaling& scaling) {
  if (scaling.is_identity()) return unscaled_type(type);
  if (is_integer(type) && is_whole(scaling.slope) && is_whole(scaling.intercept)) {
    const double one = scaling.slope * range.lowest + scaling.intercept;
    const double other = scaling.slope * range.highest + scaling.intercept;
    for (const base::PixelType held :
         {base::PixelType::u8, base::PixelType::i16, base::PixelType::u16, base::PixelType::i32,
          base::PixelType::u32}) {
      const bool fits = data::dispatch_pixel_type(held, [&]<typename T>(std::type_identity<T>) {
        return holds<T>(one) && holds<T>(other);
      });
      if (fits) return held;
    }
  }
  return bytes_of(type) <= 2 || type == StoredType::f32 ? base::PixelType::f32
                                                        : base::PixelType::f64;
}

bool are_within(const StoredValues& values, std::int64_t count, const ValueRange& range) {
  if (!is_integer(values.type)) return true;
  return dispatch_stored_type(values.type, [&]<typename Stored>(std::type_identity<Stored>) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>(value_at<Stored>(values, i));
      if (value < range.lowest || value > range.highest) return false;
    }
    return true;
  });
}

bool convert_values(const StoredValues& from, const ValueScaling& scaling, std::int64_t count,
                    const HeldValues& to) {
  return dispatch_stored_type(from.type, [&]<typename Stored>(std::type_identity<Stored>) {
    return data::dispatch_pixel_type(to.type, [&]<typename Held>(std::type_identity<Held>) {
      return convert<Stored, Held>(from, scaling, count, to);
    });
  });
}

}  // namespace headroom::formats
