#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <system_error>
#include <vector>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/data/display_image.hpp"
#include "app/model_use.hpp"
#include "app/overlay.hpp"
#include "app/prediction_jobs.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "core/base/error.hpp"
#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/formats/raster_writer.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_out(const fs::path& out, const char* reason) {
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "choosing the folder for predictions",
                     .subject = fmt::format("--out {}: {}", base::display_path(out), reason),
                     .remedy = "Name a new or empty folder outside the input"});
}

/// Results in an input folder would be the next call's input.
void check_out(const PredictCommand& command) {
  if (fs::exists(command.out) && !fs::is_directory(command.out))
    refuse_out(command.out, "is a file");
  if (fs::exists(command.out) && !fs::is_empty(command.out))
    refuse_out(command.out, "is not empty");
  for (const fs::path& input : command.inputs) {
    if (fs::is_directory(input) && base::is_inside(command.out, input))
      refuse_out(command.out, "is inside an input folder");
  }
}

void make_folder(const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw base::io_error("making the folder for predictions", folder, failure.value());
}

Json pixels_by_class(const base::LabelImage& labels, const std::vector<std::string>& class_names) {
  std::vector<std::int64_t> counts(class_names.size());
  for (const std::uint8_t label : labels.labels) ++counts.at(label);
  Json pixels = Json::object();
  for (std::size_t id = 0; id < counts.size(); ++id) pixels[class_names[id]] = counts[id];
  return pixels;
}

/// Predicts one image, writes its files and returns its part of the JSON document.
Json perform_job(ModelInUse& model, const PredictionJob& job, bool with_overlay,
                 std::stop_token stop) {
  base::Image image = formats::read_image(job.input, {.alpha = job.alpha});
  const base::LabelImage labels = model.predictor().predict(image, std::move(stop));
  const base::ClassMapping& mapping = model.description().mapping;
  const Colours colours = formats::class_colours(mapping);
  make_folder(job.labels.parent_path());
  if (job.labels.extension() == ".tif") {
    formats::write_label_geotiff(job.labels, labels, *job.raster.geo, colours);
  } else {
    formats::write_label_png(job.labels, labels, colours);
  }
  if (with_overlay)
    formats::write_png(job.overlay, draw_classes(displayable(image), labels, colours));
  return {{"input", base::display_path(job.input)},
          {"labels", base::display_path(job.labels)},
          {"overlay", with_overlay ? Json(base::display_path(job.overlay)) : Json()},
          {"height", labels.height},
          {"width", labels.width},
          {"pixels", pixels_by_class(labels, mapping.class_names)}};
}

}  // namespace

int perform(const PredictCommand& command) {
  check_out(command);
  const fs::path model_file = find_model_file(command.model);
  ModelInUse model(model_file, command.given);
  const std::vector<PredictionJob> jobs =
      plan_predictions(command.inputs, command.out, model.description().model.channels);

  ProgressDisplay display(progress_style(command.output.quiet));
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  Json images = Json::array();
  for (const PredictionJob& job : jobs) {
    images.push_back(perform_job(model, job, command.overlays, stop.get_token()));
    display.update(make_progress("predicting", static_cast<std::int64_t>(images.size()),
                                 static_cast<std::int64_t>(jobs.size())),
                   ProgressDisplay::Clock::now());
  }
  display.clear();
  if (command.output.json) {
    const Json document = {{"model", base::display_path(model_file)},
                           {"out", base::display_path(command.out)},
                           {"classes", model.description().mapping.class_names},
                           {"images", std::move(images)}};
    write_output(base::dump_json(document, 2) + '\n');
  } else {
    write_output(
        fmt::format("{} images predicted into {}\n", jobs.size(), base::display_path(command.out)));
  }
  return 0;
}

}  // namespace headroom::app
