#include "core/train/torch_version.hpp"

#include <torch/version.h>

namespace headroom::train {

std::string torch_version() { return TORCH_VERSION; }

}  // namespace headroom::train
