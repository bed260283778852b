#pragma once
// What a step of one network costs on one device, as functions of every stage's policy and of the
// pixels of a batch. Measured by calibration; a value.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/plan/phase.hpp"
#include "core/plan/plan.hpp"

namespace headroom::plan {

/// What the costs of a step depend on, of the input padded to the stride.
struct StepPixels {
  std::int64_t step = 0;   ///< of a micro-batch: n * h * w
  std::int64_t image = 0;  ///< of one of its images: h * w; a validation tile has as many
};

/// Bytes or seconds over pixels.
struct Affine {
  double constant = 0;
  double per_pixel = 0;        ///< of the whole batch
  double per_image_pixel = 0;  ///< of one image: kernels that take image after image

  [[nodiscard]] double at(const StepPixels& pixels) const {
    return constant + per_pixel * static_cast<double>(pixels.step) +
           per_image_pixel * static_cast<double>(pixels.image);
  }
  friend bool operator==(const Affine&, const Affine&) = default;
};

/// The highest of the functions; minus infinity where there are none.
[[nodiscard]] double highest(const std::vector<Affine>& functions, const StepPixels& pixels);

/// The place of a combination in tables over `stages`: index_of(stage) is its policy's among so
/// many `policies`.
template <typename IndexOf>
[[nodiscard]] std::size_t combination_of(std::span<const std::size_t> stages, std::size_t policies,
                                         const IndexOf& index_of) {
  std::size_t combination = 0;
  for (const std::size_t stage : stages) combination = combination * policies + index_of(stage);
  return combination;
}

/// A cost that is decided by the policies of a few stages.
struct CostTable {
  std::vector<std::size_t> stages{};  ///< ascending; none: the same for every plan
  /// By the combination of the stages' policies: the first stage's policy counts most, each as its
  /// index in StepCosts::policies. Of one combination the highest of its functions holds (a peak
  /// can be at several moments, each with its own growth); none: never measured, such a plan is
  /// not chosen.
  std::vector<std::vector<Affine>> by_combination{};

  friend bool operator==(const CostTable&, const CostTable&) = default;
};

/// A stretch of a step during which only some stages' bytes change: forward of a stage, the loss,
/// backward of a stage, the update.
struct StepMoment {
  Phase phase = Phase::forward;
  int owner = -1;  ///< stage at work, the head behind the last; -1: none
  /// Their sum is the highest number of bytes live at once in it.
  std::vector<CostTable> bytes{};

  friend bool operator==(const StepMoment&, const StepMoment&) = default;
};

struct StepCosts {
  std::vector<std::string> stages{};
  std::vector<Policy> policies{};     ///< that the device offers, keep first
  std::vector<StepMoment> moments{};  ///< in the order of the step
  std::vector<CostTable> seconds{};   ///< their sum is the step's
  /// Highest live bytes of validation, the same for every plan: the highest of these functions of
  /// the pixels of one validation tile. None: validation is not counted.
  std::vector<Affine> validation_bytes{};
  std::int64_t stride = 1;  ///< sides are padded to multiples of it

  friend bool operator==(const StepCosts&, const StepCosts&) = default;
};

inline constexpr std::size_t kMaxCostStages = 32;
inline constexpr std::size_t kMaxCostTables = 64;  ///< of one moment, and of the seconds

/// Whether it can be computed with: Keep is the first of the policies and none stands there twice,
/// every table has stages that exist, ascending, and as many combinations as they have, owners are
/// stages, the head or none, numbers are finite, the stride is at least 1, and there are no more
/// stages and tables than the two numbers above.
[[nodiscard]] bool is_consistent(const StepCosts& costs);

/// Whether every combination of its tables was measured.
[[nodiscard]] bool is_complete(const StepMoment& moment);

}  // namespace headroom::plan
