#pragma once
// What a training run is about and what came of it, as text and as JSON. Pure.

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/run/snapshot.hpp"

namespace headroom::app {

/// Several lines: data, classes, network, device, precision, plan, budget, steps.
[[nodiscard]] std::string describe_preparation(const run::SessionFacts& facts);

/// One line: folder, layout, samples, sizes, channels.
[[nodiscard]] std::string describe_dataset(const base::DatasetSummary& summary);

/// The classes with their mask values and shares, as a table.
[[nodiscard]] std::string describe_classes(const base::DatasetSummary& summary);

/// Scores of the best validation by class (of the last one where none was the best since the run
/// was resumed), seconds by phase, peak, and where things are. `snapshot` is of a run that was
/// prepared.
[[nodiscard]] std::string describe_result(const run::RunSnapshot& snapshot);

/// The document of `train --json`: "run", "outcome", "steps", "best", "last", "seconds",
/// "peak_bytes", "peak_total_bytes", "reserved_bytes", "files".
[[nodiscard]] nlohmann::ordered_json result_to_json(const run::RunSnapshot& snapshot);

}  // namespace headroom::app
