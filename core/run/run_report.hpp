#pragma once
// What a run's folder has to tell, as plain values: read once, written as a report in any form. Any
// thread.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/plan/memory_ladder.hpp"
#include "core/run/event.hpp"
#include "core/run/event_reader.hpp"
#include "core/run/run_folder.hpp"
#include "core/run/session.hpp"

namespace headroom::run {

/// What of a run's files is missing or could not be read.
struct RecordGap {
  std::string file{};
  std::string problem{};  ///< and what a report lacks because of it
};

/// All steps that ran with one plan and equally many tiles at once. The first step after a change
/// counts for nothing but the peak: it pays for what the allocators have to rearrange.
struct PlanSteps {
  plan::StepForm form{};
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
  std::int64_t peak_bytes = 0, peak_total_bytes = 0;  ///< highest
  double step_seconds = 0;       ///< median without waiting for data; NaN where no step counts
  double recompute_seconds = 0;  ///< median; the same
  std::optional<double>
      of_keep;  ///< times the median of Keep, where Keep ran as many tiles at once
};

/// Consecutive steps of a chart.
struct HistoryPoint {
  std::int64_t first_step = 0, last_step = 0;
  double loss = 0, lowest_loss = 0, highest_loss = 0;  ///< mean; NaN where no loss was finite
  std::int64_t peak_total_bytes = 0;                   ///< highest
  plan::PhaseSeconds seconds{};                        ///< means
};

/// A sample prediction as the run saved it, made ready for a report by whoever reads pictures.
struct ReportPicture {
  std::string file{};  ///< in the run's folder: "previews/…"
  std::string jpeg{};  ///< bytes of a JPEG file
  std::int64_t height = 0, width = 0;
};

struct RunReport {
  static constexpr std::size_t kHistoryPoints = 512;

  std::string name{};  ///< of the folder; valid UTF-8, as all text here
  std::string folder{};
  RunDescription description{};
  SessionFacts facts{};                       ///< of the last start, as far as they are recorded
  std::string began{}, ended{};               ///< UTC; of the first and last event
  std::vector<std::int64_t> resumed_after{};  ///< steps
  RunEnd end = RunEnd::unfinished;
  std::optional<base::ErrorParts> error{};  ///< of a failed run
  std::int64_t steps_done = 0;
  double last_loss = 0;          ///< NaN where no step was done
  double step_seconds = 0;       ///< median without waiting for data; NaN where no step was done
  plan::PhaseSeconds seconds{};  ///< of all steps
  std::int64_t peak_bytes = 0, peak_total_bytes = 0;
  std::vector<HistoryPoint> history{};  ///< at most kHistoryPoints
  std::vector<ValidationReport> validations{};
  std::vector<PlanApplied> changes{};  ///< the plan that the run began with, then changes
  std::vector<PlanSteps> plans{};      ///< in the order in which they were first used
  std::vector<ReportPicture> pictures{};
  std::vector<RecordGap> gaps{};

  /// Null where nothing was validated.
  [[nodiscard]] const ValidationReport* best_validation() const;
};

/// Without pictures. Throws Error: usage when the folder is no run or its run.json is damaged; io.
/// Whatever else is missing or damaged is a gap.
[[nodiscard]] RunReport read_run_report(const std::filesystem::path& run_folder);

}  // namespace headroom::run
