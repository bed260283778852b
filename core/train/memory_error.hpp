#pragma once
// Out of memory as the person reads it.

#include <c10/core/Device.h>

#include <exception>
#include <string>

#include "core/base/error.hpp"

namespace headroom::train {

/// Kind out_of_memory: what was needed at least and what the budget is. `attempted` and `work` as
/// in "training", "step 3, tile 512x512, batch 2". `refusal` is what memory::is_out_of_memory said
/// yes to.
[[nodiscard]] base::Error memory_error(const std::string& attempted, const std::string& work,
                                       c10::Device device, const std::exception& refusal);

}  // namespace headroom::train
