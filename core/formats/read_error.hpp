#pragma once
// What readers of image files say when a file cannot be used. Pure; any thread.

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom::formats {

/// Throws Error (unusable_data) with "FILE: problem" as its subject.
[[noreturn]] void fail_reading(const std::filesystem::path& file, const std::string& problem,
                               std::string remedy, std::string detail = {});

/// The file ends early or cannot be decoded; `detail` is the library's own message.
[[noreturn]] void fail_damaged(const std::filesystem::path& file, std::string detail = {});

/// Throws Error (io) when the file cannot be opened for reading.
void require_readable(const std::filesystem::path& file);

/// height * width * pixel_bytes. Throws Error (unusable_data) when so many bytes do not fit into
/// the memory that is available.
[[nodiscard]] std::int64_t require_memory(const std::filesystem::path& file, std::int64_t height,
                                          std::int64_t width, std::int64_t pixel_bytes);

}  // namespace headroom::formats
