#pragma once
// What a training tries next when a step does not fit: other plans first, then fewer tiles at once.
// Pure values and functions; any thread.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/plan/plan.hpp"

namespace headroom::plan {

/// How a step is computed. Its samples, its effective batch and the schedule do not depend on it.
struct StepForm {
  Plan plan{};
  /// A micro-batch with more tiles is computed in parts whose gradients are added up.
  std::int64_t tiles_at_once = 0;

  friend bool operator==(const StepForm&, const StepForm&) = default;
};

struct FormBytes {
  StepForm form{};
  std::int64_t bytes = 0;  ///< live at once, weights and optimizer state included; 0: not known
};

/// What a training knows of its memory.
struct MemoryRecord {
  Plan wanted{};                      ///< the plan that was asked for last
  std::int64_t batch = 1;             ///< tiles of a micro-batch
  std::int64_t least_part = 1;        ///< fewest tiles that the network can be trained on at once
  std::vector<Policy> policies{};     ///< that every stage can have
  std::vector<FormBytes> refused{};   ///< with what they need at least; the last one is to be left
  std::vector<FormBytes> measured{};  ///< highest peaks of steps that were done
};

/// Makes the form the last one; of two values for its bytes the higher one stays.
void put_last(std::vector<FormBytes>& known, FormBytes entry);

/// The form to try after the last refusal; nothing when none is left. Called again and again until
/// a step fits: a form that was refused is never named again.
using NextForm = std::function<std::optional<StepForm>(const MemoryRecord&)>;

/// A NextForm that needs no predictions. With as many tiles at once: the wanted plan with every
/// stage at least Light, at least Full but for the last stage, at least Full; stages that save more
/// already stay. A plan whose measured steps needed as much as those of the refused one is passed
/// over. When no plan is left: half the tiles at once, beginning with the wanted plan.
[[nodiscard]] std::optional<StepForm> next_on_ladder(const MemoryRecord& record);

}  // namespace headroom::plan
