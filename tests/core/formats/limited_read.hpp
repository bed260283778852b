#pragma once
// One file read in a process of its own, with little memory and little time, so that a crash or a
// hang of a decoder is an outcome like any other.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::tests {

enum class ReadVerdict {
  read,
  refused,  ///< with an Error of the kind unusable_data
  crashed,  ///< ended by a signal, another exception or another kind of error
  hung,     ///< out of time
};

[[nodiscard]] const char* name_of(ReadVerdict verdict);

struct ReadLimits {
  std::int64_t address_space_bytes = std::int64_t{2} << 30;  ///< not under the address sanitizer
  unsigned seconds = 10;
};

/// What was read: sizes and type of the first page, and a sum that tells other values apart.
struct ReadFacts {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::string type{};
  std::uint32_t crc = 0;  ///< CRC-32 of the values as little-endian doubles, [h, w, c]
  double mean = 0;        ///< of the finite values; 0 without any
};

struct LimitedRead {
  ReadVerdict verdict = ReadVerdict::crashed;
  ReadFacts facts{};      ///< of a file that was read
  std::string message{};  ///< of the error, or what ended the process
};

/// Palette indices count as values. The caller has no other threads.
[[nodiscard]] LimitedRead read_within_limits(const std::filesystem::path& file,
                                             const ReadLimits& limits = {});

/// Regular files below a folder, by path.
[[nodiscard]] std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

/// "128x96, 3 bands, uint8, CRC 0011aabb, mean 12.5"
[[nodiscard]] std::string text_of(const ReadFacts& facts);

}  // namespace headroom::tests
