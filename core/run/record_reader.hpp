#pragma once
// What a run's folder tells of its steps: the tables of RunRecord, read back, for a run that is
// continued and for reports. Any thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/run/event.hpp"
#include "core/run/history.hpp"

namespace headroom::run {

/// The rows of a table that could be read, and how many could not.
template <typename Row>
struct RecordedRows {
  std::vector<Row> rows{};
  std::int64_t unreadable = 0;
};

/// Calls `take` with each step in the order of the file; of a report only what the table has is
/// set. Returns how many rows could not be read. A missing file has no rows, here and below. All
/// throw Error (io).
std::int64_t read_steps(const std::filesystem::path& run_folder,
                        const std::function<void(const StepReport&)>& take);
/// Names of the classes that the table of validations has scores of.
[[nodiscard]] std::vector<std::string> recorded_classes(const std::filesystem::path& run_folder);
[[nodiscard]] RecordedRows<ValidationReport> read_validations(
    const std::filesystem::path& run_folder, const std::vector<std::string>& class_names);
[[nodiscard]] RecordedRows<PlanApplied> read_plans(const std::filesystem::path& run_folder,
                                                   const std::vector<std::string>& stages);

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
