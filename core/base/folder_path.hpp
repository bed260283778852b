#pragma once
// Where folders lie to each other. Asks the file system; any thread.

#include <filesystem>

namespace headroom::base {

/// Absolute, without "." and "..", and without a separator at its end.
[[nodiscard]] std::filesystem::path absolute_folder(const std::filesystem::path& folder);

/// Symbolic links count as what they lead to, as far as the paths exist. A folder is inside itself.
/// Throws Error (io).
[[nodiscard]] bool is_inside(const std::filesystem::path& inner,
                             const std::filesystem::path& outer);

}  // namespace headroom::base
