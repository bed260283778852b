#pragma once
// Names and columns of the tables in a run's folder; RunRecord writes them, read_record reads them.

#include <cstddef>

#include "core/plan/phase.hpp"

namespace headroom::run {

inline constexpr const char* kStepsFile = "steps.csv";
inline constexpr const char* kResultsFile = "results.csv";
inline constexpr const char* kPlansFile = "plans.csv";
inline constexpr const char* kEventsFile = "events.jsonl";

namespace steps_column {
inline constexpr std::size_t kStep = 0, kEpoch = 1, kLoss = 2, kLearningRate = 3, kSeconds = 4,
                             kPeak = kSeconds + plan::kPhases, kPeakTotal = kPeak + 1,
                             kPlan = kPeak + 2, kCount = kPeak + 3;
}  // namespace steps_column

/// Two columns for each class follow these.
namespace results_column {
inline constexpr std::size_t kStep = 0, kEpoch = 1, kLoss = 2, kMeanIou = 3, kMeanDice = 4,
                             kImages = 5, kSeconds = 6, kPeakTotal = 7, kIsBest = 8, kClasses = 9;
}  // namespace results_column

namespace plans_column {
inline constexpr std::size_t kId = 0, kStep = 1, kPlan = 2, kTilesAtOnce = 3, kCause = 4,
                             kCount = 5;
}  // namespace plans_column

}  // namespace headroom::run
