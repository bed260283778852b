#pragma once
// Costs of steps that nobody measured, for tests and timing. A function of the arguments alone.

#include <cstddef>
#include <cstdint>
#include <random>

#include "core/plan/step_costs.hpp"

namespace headroom::tests {

/// Anything that is_consistent allows: tables over up to three stages that may lie apart, envelopes
/// of up to three functions, of small whole numbers so that plans often tie, some of them missing.
[[nodiscard]] plan::StepCosts arbitrary_costs(std::size_t stages, std::size_t policies,
                                              std::mt19937_64& random);

/// Which stages decide together what one of them holds. With the skip, the other end of a decoder
/// stage's skip also decides what is at work there.
enum class HeldTogether { alone, with_next, with_skip };

struct UnetCostsOptions {
  std::int64_t levels = 5;
  std::size_t policies = 3;
  HeldTogether held = HeldTogether::alone;
  /// By how much of itself a number may be off, either way.
  double spread = 0.25;
  /// By how much what a stage holds may differ from moment to moment.
  double jitter = 0;
};

/// Shaped like what calibration measures of a U-Net of base 32 in fp32: a moment for forward and
/// backward of every stage, the loss and the update; each with a table over the stage and its
/// neighbours for what is at work, and one for each other stage for what that holds.
[[nodiscard]] plan::StepCosts unet_costs(const UnetCostsOptions& options, std::mt19937_64& random);

}  // namespace headroom::tests
