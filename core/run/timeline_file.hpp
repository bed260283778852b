#pragma once
// Timelines of steps as files: JSON with everything, CSV with a row a point. Pure, but for
// write_timeline.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "core/plan/step_timeline.hpp"

namespace headroom::run {

using SharedTimeline = std::shared_ptr<const plan::StepTimeline>;  ///< never null here

enum class TimelineFormat { json, csv };

/// By the file's extension, in any case. Throws Error (usage) for another one.
[[nodiscard]] TimelineFormat timeline_format(const std::filesystem::path& file);

/// JSON: {"steps":[{"step", "plan", "seconds", "owners":[names], "peak":{"seconds", "bytes",
/// "phase", "stage", "bytes_by_owner":{…}, "bytes_by_phase":{…}, "tensors":[{"bytes", "role",
/// "shape", "dtype", "stage", "phase"}], "unnamed":{"bytes", "blocks"}}, "spans":[{"begin_seconds",
/// "end_seconds", "phase", "stage"}], "points":[{"seconds", "phase", "stage", "bytes":[by owner],
/// "total_bytes"}]}]}. Phase and stage of a point are what was at work then, those of a tensor who
/// allocated it; a stage is an owner's name, or null. CSV: plan, step, seconds, phase, stage,
/// OWNER_bytes for each owner of the first timeline, total_bytes, is_peak.
[[nodiscard]] std::string timelines_text(std::span<const SharedTimeline> timelines,
                                         TimelineFormat format);

/// Atomically, folders included. Throws Error: usage (extension), io.
void write_timeline(const std::filesystem::path& file, const SharedTimeline& timeline);

/// Whether a run that keeps the timeline of every `every`-th step (0: of none) keeps this one.
[[nodiscard]] constexpr bool is_kept_timeline(std::int64_t every, std::int64_t step) {
  return every > 0 && step % every == 0;
}

/// Where a run keeps what was recorded of a step: RUN/timelines/step_000120.json.
[[nodiscard]] std::filesystem::path timeline_file(const std::filesystem::path& run_folder,
                                                  std::int64_t step);

}  // namespace headroom::run
