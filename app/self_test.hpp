#pragma once
// The proof at the program's start, in well under a second, that plans do not change results on
// this machine's processor. `headroom verify` is the thorough one. Worker thread.

#include <stop_token>

#include "core/run/self_test.hpp"

namespace headroom::app {

/// One step of a very small network under every combination of Keep and Full, compared bit by bit
/// with Keep; a Full stage that did not repeat counts as a difference. Throws base::Error
/// (interrupted on stop).
[[nodiscard]] run::SelfTestReport self_test(std::stop_token stop);

}  // namespace headroom::app
