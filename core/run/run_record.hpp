#pragma once
// Writes what happens in a run into its folder: run.json, steps.csv, results.csv, plans.csv,
// events.jsonl. Used on the worker thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/duration.hpp"
#include "core/run/event.hpp"
#include "core/run/run_folder.hpp"

namespace headroom::run {

/// Files are opened when the run is prepared. For a resumed run, rows of steps that are to be done
/// again are dropped first, so that every step is there once; events.jsonl keeps the whole story
/// (all events but StepDone, which steps.csv has).
class RunRecord : public EventSink {
 public:
  /// `description`: as run.json shall have it; the fingerprint comes from the session when it is
  /// prepared. When the description has one already (resume) and the data's is another, handling
  /// Prepared throws Error (unusable_data).
  RunRecord(RunFolder folder, RunDescription description, base::WallClock clock);

 private:
  void do_handle(const Event& event) override;
  void begin(const SessionFacts& facts);
  void read_last_plan();
  void write_step(const StepReport& report);
  void write_validation(const ValidationReport& report);
  void write_plan(const PlanApplied& applied);
  void write_relief(const MemoryRelief& relief);
  void write_event(const Event& event);
  void sync();

  RunFolder folder_;
  RunDescription description_;
  base::WallClock clock_;
  std::vector<std::string> stages_{};
  std::int64_t plan_id_ = 0;  ///< of the plan that steps run with; 0: none yet
  std::string plan_text_{};
  std::int64_t tiles_at_once_ = 0;  ///< the same
  std::optional<base::LineFile> steps_{};
  std::optional<base::LineFile> results_{};
  std::optional<base::LineFile> plans_{};
  std::optional<base::LineFile> events_{};
};

}  // namespace headroom::run
