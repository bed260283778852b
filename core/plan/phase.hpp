#pragma once
// The phases of a training step, named alike in every file, chart and report.

#include <array>
#include <cstddef>
#include <cstdint>

namespace headroom::plan {

enum class Phase { data, forward, loss, backward, recompute, optimizer, validation, save };
inline constexpr std::size_t kPhases = 8;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {
    "data", "forward", "loss", "backward", "recompute", "optimizer", "validation", "save"};

[[nodiscard]] constexpr const char* name_of(Phase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

/// Seconds spent in each phase; `recompute` is not contained in `backward`.
using PhaseSeconds = std::array<double, kPhases>;

}  // namespace headroom::plan
