#pragma once
// The version of LibTorch. Any thread.

#include <string>

namespace headroom::train {

/// "2.15.0", as compiled against.
[[nodiscard]] std::string torch_version();

}  // namespace headroom::train
