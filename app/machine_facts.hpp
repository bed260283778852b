#pragma once
// What the dashboard tells about the machine. Any thread.

#include <filesystem>

#include "ui/shell.hpp"

namespace headroom::app {

/// `home`: where runs are written; it need not be there yet. The renderer is left empty.
[[nodiscard]] ui::MachineFacts read_machine_facts(const std::filesystem::path& home);

}  // namespace headroom::app
