#pragma once
// Snapshots as a training leaves them, made through the reducer from events with invented but
// consistent values.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/run/snapshot.hpp"

namespace headroom::tests {

struct SampleRun {
  std::int64_t levels = 5;
  std::int64_t steps = 2000;  ///< of the whole run
  std::int64_t steps_done = 1712;
  std::int64_t tile = 1024;
  std::int64_t batch = 2;
  std::int64_t budget_bytes = std::int64_t{8} << 30;
  std::vector<std::string> classes = {"background", "disc", "vessel", "lesion"};
  /// At these steps, in this order: enc3 Full, dec2 Full, enc3 Keep.
  std::vector<std::int64_t> plan_changes = {230, 770, 1190};
  std::int64_t validate_every = 60;
  bool with_timeline = true;
  bool with_previews = true;
};

/// While training, after `steps_done` steps.
[[nodiscard]] run::RunSnapshot training_snapshot(const SampleRun& sample = {});
/// What the network keeps in a stage: Keep, or Full (a fifth of it).
[[nodiscard]] std::int64_t kept_bytes_of(const SampleRun& sample, std::size_t stage,
                                         plan::Policy policy);

/// What a step spends in a stage under Keep.
[[nodiscard]] double seconds_of_stage(const SampleRun& sample, std::size_t stage);

[[nodiscard]] inline std::shared_ptr<const run::RunSnapshot> shared(run::RunSnapshot snapshot) {
  return std::make_shared<const run::RunSnapshot>(std::move(snapshot));
}

}  // namespace headroom::tests
