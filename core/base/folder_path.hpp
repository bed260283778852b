#pragma once
// Where folders lie to each other, and their names. Any thread.

#include <filesystem>
#include <string>

namespace headroom::base {

/// Absolute, without "." and "..", and without a separator at its end.
[[nodiscard]] std::filesystem::path absolute_folder(const std::filesystem::path& folder);

/// For people: the last part of the path, whether or not a separator ends it; empty for "" and "/".
/// Does not ask the file system.
[[nodiscard]] std::string name_of_folder(const std::filesystem::path& folder);

/// Asks the file system. Symbolic links count as what they lead to, as far as the paths exist. A
/// folder is inside itself. Throws Error (io).
[[nodiscard]] bool is_inside(const std::filesystem::path& inner,
                             const std::filesystem::path& outer);

}  // namespace headroom::base
