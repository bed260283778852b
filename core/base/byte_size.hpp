#pragma once
// Byte counts from and to text, the same in every locale. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::base {

/// "6GiB", "512 MiB", "1.5GB", "1073741824": a number and a unit (B, KB, MB, GB, TB by 1000; KiB,
/// MiB, GiB, TiB by 1024; in any case; no unit: bytes), rounded to whole bytes. Nothing where the
/// text is something else, negative, or beyond 2^63 - 1.
[[nodiscard]] std::optional<std::int64_t> parse_byte_size(std::string_view text);

/// For people, three digits or one decimal: "640 B", "1.50 GiB", "359.5 MiB". Negative counts have
/// a sign.
[[nodiscard]] std::string format_bytes(std::int64_t bytes);

/// For files and settings: the largest binary unit that divides it, so that it reads back exactly:
/// "6GiB", "1234567".
[[nodiscard]] std::string exact_byte_size(std::int64_t bytes);

}  // namespace headroom::base
