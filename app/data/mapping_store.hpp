#pragma once
// Class mappings as files: those that a person made in the dashboard, which runs refer to, and
// those that a person wants to have. Any one thread.

#include <filesystem>
#include <string>

#include "core/base/class_mapping.hpp"

namespace headroom::app {

/// Writes `mapping` into home/mappings, as `--mapping` reads it. The name says which folder it is
/// for and what is in it, so that a file that a run refers to never changes. Throws base::Error
/// (io).
[[nodiscard]] std::filesystem::path keep_mapping(const std::filesystem::path& home,
                                                 const std::string& folder_name,
                                                 const base::ClassMapping& mapping);

/// Whether `file` is one of those.
[[nodiscard]] bool is_kept_mapping(const std::filesystem::path& home,
                                   const std::filesystem::path& file);

/// Throws base::Error: usage where the file is there already, io.
void save_mapping(const std::filesystem::path& file, const base::ClassMapping& mapping);

}  // namespace headroom::app
