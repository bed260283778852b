// The commit that this program was built from. Fixed at build time; any thread may ask.
#pragma once

#include <string_view>

namespace headroom::base {

/// The commit's short hash, with "-dirty" behind it when files differed from it; "unknown" for a
/// tree without git.
[[nodiscard]] std::string_view build_commit();

}  // namespace headroom::base
