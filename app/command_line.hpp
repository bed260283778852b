#pragma once
// From the words of the command line to a command. Settings come from the schema; nothing here
// knows one by name that the schema has.

#include "app/commands.hpp"

namespace headroom::app {

/// Throws base::Error (usage) for what cannot be understood.
[[nodiscard]] Invocation parse_command_line(int argument_count, const char* const* arguments);

}  // namespace headroom::app
