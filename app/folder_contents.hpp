#pragma once
// What is in a folder, for the dialog that chooses one. Any thread.

#include <filesystem>

#include "core/run/jobs.hpp"
#include "ui/shell.hpp"

namespace headroom::app {

/// Whether a run was written there.
[[nodiscard]] bool is_run_folder(const std::filesystem::path& folder);

/// Folders by name, and how many files; hidden ones are left out. A folder that cannot be read is
/// told in the listing. Throws base::Error (interrupted) when the job is cancelled.
[[nodiscard]] ui::FolderListing list_folder(const std::filesystem::path& folder,
                                            const run::JobContext& context);

}  // namespace headroom::app
