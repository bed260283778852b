#include "core/base/build_info.hpp"

#include "build_commit.inc"

namespace headroom::base {

std::string_view build_commit() { return HEADROOM_BUILD_COMMIT; }

}  // namespace headroom::base
