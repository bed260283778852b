#include "app/folder_reading.hpp"

#include <iterator>
#include <utility>

#include "app/data/folder_description.hpp"
#include "app/data/mapping_store.hpp"
#include "app/dataset_split.hpp"
#include "core/base/error.hpp"

namespace headroom::app {
namespace {

double share_of(const formats::ScanProgress& scan) {
  return scan.samples > 0
             ? static_cast<double>(scan.samples_done) / static_cast<double>(scan.samples)
             : -1;
}

/// Adds the findings of the split to the data set's own.
void split(formats::Dataset& dataset, FolderReading& reading,
           const ScanProgressFunction& on_progress, std::stop_token stop) {
  if (dataset.samples.empty()) return;
  try {
    data::SplitResult result =
        split_dataset(dataset, reading.settings, on_progress, std::move(stop));
    reading.split = std::move(result.split);
    auto& findings = dataset.summary.findings;
    findings.insert(findings.end(), std::make_move_iterator(result.findings.begin()),
                    std::make_move_iterator(result.findings.end()));
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    const base::ErrorParts& parts = error.parts();
    reading.split_problem = parts.subject + (parts.remedy.empty() ? "" : ". " + parts.remedy);
  }
}

}  // namespace

std::shared_ptr<const ReadableFolder> read_data_folder(const run::RunRequest& request,
                                                       const std::filesystem::path& home,
                                                       run::JobContext& context) {
  const ScanProgressFunction on_progress = [&context](const formats::ScanProgress& progress) {
    context.report({.share = share_of(progress)});
  };
  formats::Dataset dataset =
      scan_folder(request.data_folder, request.settings.data, on_progress, context.stop());
  FolderReading reading{.folder = request.data_folder,
                        .settings = request.settings,
                        .mapping_is_edited = is_kept_mapping(home, request.settings.data.mapping)};
  split(dataset, reading, on_progress, context.stop());
  auto readable = std::make_shared<ReadableFolder>();
  readable->folder =
      std::make_shared<const ui::DataFolder>(describe_folder(dataset, std::move(reading)));
  readable->reader = formats::make_sample_reader(dataset);
  readable->samples = std::move(dataset.samples);
  return readable;
}

}  // namespace headroom::app
