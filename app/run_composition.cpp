#include "app/run_composition.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <utility>

#include "app/auto_plan.hpp"
#include "app/environment.hpp"
#include "app/overlay.hpp"
#include "app/training_data.hpp"
#include "core/base/build_info.hpp"
#include "core/formats/raster_writer.hpp"
#include "core/run/run_folder.hpp"
#include "core/run/run_record.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

std::string finding_text(const base::Finding& finding) {
  return finding.file.empty() ? finding.message
                              : fmt::format("{}: {}", finding.file, finding.message);
}

run::RunFolder open_folder(const run::RunRequest& request) {
  if (request.start == run::RunStart::resume) return run::RunFolder::open(request.run_folder);
  return run::RunFolder::create(request.run_folder, request.data_folder);
}

/// A resumed run keeps its record of what it was started on; the fingerprint is checked against the
/// data.
run::RunDescription describe_run(const run::RunRequest& request) {
  run::RunDescription description;
  if (request.start == run::RunStart::resume)
    description = run::read_run_description(request.run_folder);
  description.settings = request.settings;
  description.data_folder = request.data_folder;
  description.environment = describe_environment();
  description.build_commit = base::build_commit();
  return description;
}

train::TrainingOptions training_options(const run::RunRequest& request, const run::SessionLog& log,
                                        const CompositionOptions& options) {
  const LoadingCallbacks callbacks{.on_progress = options.on_progress,
                                   .on_finding = [log](const base::Finding& finding) {
                                     log(finding.severity, finding_text(finding));
                                   }};
  // Filled in when the data is loaded, which is before the first preview; both happen on the
  // worker.
  const auto colours = std::make_shared<Colours>();
  return {
      .settings = request.settings,
      .run_folder = request.run_folder,
      .resume = request.start == run::RunStart::resume,
      .plan_is_given = request.plan_is_given,
      .make_model = models::make_model,
      .load_data =
          [request, callbacks, colours](std::stop_token stop) {
            train::TrainingData data =
                load_training_data(request.data_folder, request.settings, callbacks, stop);
            *colours = formats::class_colours(data.mapping);
            return data;
          },
      .choose_plan =
          [log](const base::Settings& settings, std::int64_t budget_bytes, std::stop_token stop) {
            return choose_auto_plan(
                {.settings = settings,
                 .budget_bytes = budget_bytes,
                 .may_split_batch = settings.train.on_oom == base::OutOfMemoryAnswer::adapt,
                 .on_message = log},
                std::move(stop));
          },
      .on_preview =
          PreviewWriter(request.run_folder / "previews", colours,
                        options.with_previews ? PreviewUse::shown : PreviewUse::files_only),
      .timeline_interval = options.timeline_interval};
}

}  // namespace

run::SessionFactory make_session_factory(CompositionOptions options) {
  return [options = std::move(options)](const run::RunRequest& request, run::SessionLog log) {
    run::RunFolder folder = open_folder(request);
    run::RunParts parts;
    parts.session =
        std::make_unique<train::TrainingSession>(training_options(request, log, options));
    parts.sinks.push_back(std::make_unique<run::RunRecord>(std::move(folder), describe_run(request),
                                                           std::chrono::system_clock::now));
    return parts;
  };
}

}  // namespace headroom::app
