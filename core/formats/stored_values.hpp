#pragma once
// Numbers as files store them, with the linear scale that medical formats give, and the pixel types
// that hold them without loss. Pure; any thread.

#include <cstddef>
#include <cstdint>

#include "core/base/image.hpp"

namespace headroom::formats {

enum class StoredType { u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 };

/// Bytes of one value: 1, 2, 4 or 8.
[[nodiscard]] std::int64_t bytes_of(StoredType type);

/// value = slope * stored + intercept, in real numbers.
struct ValueScaling {
  double slope = 1;
  double intercept = 0;
  [[nodiscard]] bool is_identity() const { return slope == 1 && intercept == 0; }
};

/// What stored numbers can be.
struct ValueRange {
  double lowest = 0;
  double highest = 0;
};
[[nodiscard]] ValueRange range_of(StoredType type);

/// The pixel type for scaled values. Without a scale: the stored type, or a wider one; 64-bit
/// integers get 32 bits. Whole slope and intercept keep integers integers: the first of uint8,
/// int16, uint16, int32 and uint32 that holds all of `range`. Else float32 for stored values of up
/// to 16 bits and for float32, float64 for others.
[[nodiscard]] base::PixelType held_type(StoredType type, const ValueRange& range,
                                        const ValueScaling& scaling);

/// Little-endian values in memory, `stride` values apart.
struct StoredValues {
  const char* first = nullptr;
  StoredType type = StoredType::u8;
  std::int64_t stride = 1;
};

struct HeldValues {
  std::byte* first = nullptr;
  base::PixelType type = base::PixelType::u8;
  std::int64_t stride = 1;
};

/// Whether all of `count` integers lie in a range; real numbers always do.
[[nodiscard]] bool are_within(const StoredValues& values, std::int64_t count,
                              const ValueRange& range);

/// Scales and copies. False when a value does not fit the integer type that is to hold it.
[[nodiscard]] bool convert_values(const StoredValues& from, const ValueScaling& scaling,
                                  std::int64_t count, const HeldValues& to);

}  // namespace headroom::formats
