#pragma once
// From a data folder to what the dashboard shows of it and reads its samples with. On a job thread.

#include <filesystem>
#include <memory>

#include "app/data/sample_picture_loader.hpp"
#include "core/run/jobs.hpp"
#include "core/run/run_request.hpp"

namespace headroom::app {

/// Scans the data folder of `request` and splits it, with its settings; a data set with errors, and
/// a split that cannot be made, are described too. `home`: where mappings of the dashboard are
/// kept. Reports to `context`. Throws base::Error: unusable_data where there is nothing to list,
/// usage for a wrong mapping, interrupted on stop.
[[nodiscard]] std::shared_ptr<const ReadableFolder> read_data_folder(
    const run::RunRequest& request, const std::filesystem::path& home, run::JobContext& context);

}  // namespace headroom::app
