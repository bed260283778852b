#pragma once
// All that resume needs, as one file in the run's folder: RUN/state_last/state.safetensors. One
// file, so that it is replaced as a whole: a kill at any moment leaves the old state or the new
// one. Worker thread.

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/train/optimizer.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

inline constexpr std::int64_t kRunStateVersion = 2;

/// What is not a tensor.
struct RunProgress {
  std::int64_t step = 0;                 ///< optimizer steps done
  std::int64_t micro_batch = 0;          ///< index of the next one
  double best_mean_dice = -1;            ///< below 0: no validation yet
  double peak_rate = 0;                  ///< of the learning rate, as set last
  std::string plan{};                    ///< in effect, as plan::to_string writes it
  std::string plan_setting{};            ///< that the run was started with: "auto", "full", …
  std::int64_t tiles_at_once = 0;        ///< in effect; 0: the whole micro-batch
  std::string fingerprint{};             ///< of the data, its mapping and its split
  std::int64_t last_validated_step = 0;  ///< 0: none was validated
};

/// Writes parameters, buffers, optimizer state, generators and progress; tensors are streamed, not
/// copied. Returns the bytes written. Throws base::Error (io).
std::int64_t save_run_state(const std::filesystem::path& run_folder, const RunProgress& progress,
                            const StagedModel& model, const Optimizer& optimizer,
                            c10::Device device);

/// Puts a state back into a network and an optimizer made with the same settings, bit by bit, and
/// the generators with them. Throws base::Error: usage when there is no state, it is damaged, of a
/// newer version or of another network; io. Then nothing was changed.
[[nodiscard]] RunProgress load_run_state(const std::filesystem::path& run_folder,
                                         StagedModel& model, Optimizer& optimizer,
                                         c10::Device device);

}  // namespace headroom::train
