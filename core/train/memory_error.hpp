#pragma once
// Out of memory as the person reads it.

#include <c10/core/Device.h>

#include <exception>
#include <string>

#include "core/base/error.hpp"
#include "core/plan/plan.hpp"

namespace headroom::train {

/// Kind out_of_memory: what was needed at least and what the budget is. `attempted` and `work` as
/// in "training", "step 3, tile 512x512, batch 2". `refusal` is what memory::is_out_of_memory said
/// yes to.
/// `remedy` is what can still be tried.
[[nodiscard]] base::Error memory_error(const std::string& attempted, const std::string& work,
                                       c10::Device device, const std::string& remedy,
                                       const std::exception& refusal);

/// What a step that did not fit can still try under this plan.
[[nodiscard]] std::string step_remedy(const plan::Plan& plan);

}  // namespace headroom::train
