#pragma once
// Proves on the person's own machine that plans do not change results: the same steps under many
// plans, compared bit by bit with Keep.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/settings.hpp"
#include "core/plan/plan.hpp"
#include "core/train/model_factory.hpp"

namespace headroom::train {

struct VerifyOptions {
  base::Settings settings{};  ///< model and step; input is generated
  std::vector<plan::Policy> policies = {plan::Policy::keep, plan::Policy::full};
  std::int64_t random_plans =
      0;  ///< so many drawn with the seed; 0: every combination of the policies
  std::int64_t steps = 3;
  std::function<void(std::int64_t done, std::int64_t plans)> on_progress{};
};

struct VerifyFailure {
  std::string plan{};
  std::int64_t step = 0;
  std::string
      what{};  ///< "gradient of dec1.conv_a.weight differs by up to 1e-7", "enc1 never recomputed"
};

/// Highest absolute difference to Keep over all plans and steps.
struct MaxDifferences {
  double loss = 0, gradients = 0, buffers = 0, weights = 0;
};

struct VerifyReport {
  std::int64_t plans = 0;
  std::int64_t equal = 0;  ///< plans without a failure
  std::int64_t steps = 0;
  std::vector<std::string> stages{};
  std::vector<std::int64_t> recomputed_regions{};  ///< by stage, over all plans
  MaxDifferences max_abs_diff{};
  bool generators_equal = true;
  std::vector<VerifyFailure> failures{};
  double seconds = 0;
};

/// Compares loss, gradients, buffers, generator state and weights after every step; a stage whose
/// policy is not Keep and that did not repeat each of its regions is a failure too. Throws
/// base::Error: usage when there are more than 65 536 combinations, interrupted.
[[nodiscard]] VerifyReport verify_plans(const VerifyOptions& options,
                                        const ModelFactory& make_model, std::stop_token stop);

/// As `verify --json` prints it.
[[nodiscard]] std::string to_json(const VerifyReport& report);

}  // namespace headroom::train
