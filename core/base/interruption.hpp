#pragma once
// Work that a person stops. Pure; any thread.

#include <stop_token>

namespace headroom::base {

/// Throws Error (interrupted) where `stop` was requested. `attempted` as in ErrorParts: "counting
/// pages"; that it can be started again is said.
void throw_if_stopped(const std::stop_token& stop, const char* attempted);

}  // namespace headroom::base
