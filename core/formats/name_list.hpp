#pragma once
// Text files with a name a line, as layouts keep them for classes and for the sides of a split. Any
// thread.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::formats {

/// The lines without blanks around them; empty ones are left out, a byte order mark too. Nothing
/// where there is no such file. Throws Error (io) when it cannot be read.
[[nodiscard]] std::optional<std::vector<std::string>> read_name_list(
    const std::filesystem::path& file);

}  // namespace headroom::formats
