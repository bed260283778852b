#include "app/prediction_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(base::ErrorKind kind, std::string subject, std::string remedy) {
  throw base::Error(kind, {.attempted = "collecting the images to predict",
                           .subject = std::move(subject),
                           .remedy = std::move(remedy)});
}

struct Input {
  fs::path file;
  fs::path name;  ///< place under the output folder, with the extension
};

bool is_hidden(const fs::path& path) { return path.filename().native().starts_with('.'); }

std::vector<Input> images_in(const fs::path& folder) {
  std::vector<Input> found;
  auto entry = fs::recursive_directory_iterator(folder);
  for (; entry != fs::recursive_directory_iterator(); ++entry) {
    if (is_hidden(entry->path())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file() && formats::has_raster_extension(entry->path())) {
      found.push_back({entry->path(), entry->path().lexically_relative(folder)});
    }
  }
  if (found.empty())
    refuse(base::ErrorKind::unusable_data,
           base::display_path(folder) + ": no images in this folder",
           "Give image files, or a folder that has some");
  std::sort(found.begin(), found.end(),
            [](const Input& a, const Input& b) { return a.name < b.name; });
  return found;
}

std::vector<Input> collect(const std::vector<fs::path>& inputs) {
  std::vector<Input> all;
  for (const fs::path& input : inputs) {
    if (fs::is_directory(input)) {
      std::vector<Input> found = images_in(input);
      all.insert(all.end(), found.begin(), found.end());
    } else if (fs::exists(input)) {
      all.push_back({input, input.filename()});
    } else {
      refuse(base::ErrorKind::unusable_data, base::display_path(input) + ": no such file or folder",
             "Check the path");
    }
  }
  return all;
}

formats::AlphaBand alpha_for(const Input& input, const formats::RasterInfo& raster,
                             std::int64_t channels) {
  const std::int64_t bands = raster.kind == formats::RasterKind::palette ? 3 : raster.channels;
  if (bands == channels) return formats::AlphaBand::keep;
  if (raster.has_alpha && bands - 1 == channels) return formats::AlphaBand::drop;
  refuse(base::ErrorKind::unusable_data,
         fmt::format("{}: {} channels, the model reads {}", base::display_path(input.file), bands,
                     channels),
         "Give images like those the model was trained on");
}

/// True for stems that more than one input has.
std::map<fs::path, std::int64_t> count_stems(const std::vector<Input>& inputs) {
  std::map<fs::path, std::int64_t> counts;
  for (const Input& input : inputs) ++counts[fs::path(input.name).replace_extension()];
  return counts;
}

}  // namespace

std::vector<PredictionJob> plan_predictions(const std::vector<fs::path>& inputs,
                                            const fs::path& out, std::int64_t channels) {
  const std::vector<Input> collected = collect(inputs);
  const auto stems = count_stems(collected);
  std::set<fs::path> targets;
  std::vector<PredictionJob> jobs;
  for (const Input& input : collected) {
    fs::path name = fs::path(input.name).replace_extension();
    if (stems.at(name) > 1) name = input.name;
    PredictionJob job{.input = input.file};
    job.raster = formats::read_raster_info(input.file);
    if (job.raster.pages > 1) {
      refuse(base::ErrorKind::unusable_data,
             fmt::format("{}: it holds {} pages", base::display_path(input.file), job.raster.pages),
             "Give each page as a file of its own");
    }
    job.alpha = alpha_for(input, job.raster, channels);
    const bool as_geotiff = job.raster.geo && job.raster.format == "GTiff";
    const fs::path target = out / name;
    job.labels = fs::path(target) += as_geotiff || job.is_large() ? ".tif" : ".png";
    job.overlay = fs::path(target) += "_overlay.png";
    for (const fs::path& written : {job.labels, job.overlay}) {
      if (!targets.insert(written).second)
        refuse(base::ErrorKind::usage,
               fmt::format("{}: its result {} is another input's too",
                           base::display_path(input.file), base::display_path(written)),
               "Predict them into two folders");
    }
    jobs.push_back(std::move(job));
  }
  return jobs;
}

}  // namespace headroom::app
