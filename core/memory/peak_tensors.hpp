#pragma once
// Which tensors held the peak of a recorded step: the meter's events joined with what was seen of
// tensors. Pure; any thread.

#include "core/memory/cpu_meter.hpp"
#include "core/memory/tensor_log.hpp"
#include "core/plan/step_timeline.hpp"

namespace headroom::memory {

/// Fills in peak_tensors, peak_unnamed_bytes and peak_unnamed_blocks; `timeline` has its owners.
/// A block is called by what the trainer named it; else by the outermost operation that made and
/// returned it; else, as made in the operation that asked for it.
void add_peak_tensors(plan::StepTimeline& timeline, const MeterRecording& recording,
                      const TensorLog& log);

}  // namespace headroom::memory
