#pragma once
// Errors of the operating system as base::Error. Pure; any thread.

#include <filesystem>
#include <string>

#include "core/base/error.hpp"

namespace headroom::base {

/// Kind io; names the file and the reason, with the remedy that fits `error_number` (an errno
/// value: disk full, no permission, read-only, …). `attempted` as in ErrorParts: "writing the
/// model".
[[nodiscard]] Error io_error(std::string attempted, const std::filesystem::path& file,
                             int error_number);

/// For messages and JSON: valid UTF-8 whatever the bytes are; what is invalid becomes U+FFFD.
[[nodiscard]] std::string display_path(const std::filesystem::path& path);
[[nodiscard]] std::string display_text(const std::string& bytes);

}  // namespace headroom::base
