#pragma once
// What a run's folder tells of the steps that were done before the run is continued: the files of
// RunRecord, read back. Any thread.

#include <filesystem>
#include <vector>

#include "core/run/event.hpp"
#include "core/run/history.hpp"

namespace headroom::run {

struct RecordedRun {
  StepHistory history{};                        ///< without reserved bytes, which are not recorded
  std::vector<ValidationReport> validations{};  ///< without previews
  std::vector<PlanApplied> plans{};             ///< the one that the run began with, then changes
};

/// Up to `facts.first_step`, for the stages and classes of `facts`. Rows that are not such are
/// passed over; empty where there is no record. Throws Error (io).
[[nodiscard]] RecordedRun read_record(const std::filesystem::path& run_folder,
                                      const SessionFacts& facts);

}  // namespace headroom::run
