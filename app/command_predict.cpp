#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <system_error>
#include <utility>
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
#include "core/data/image_parts.hpp"
#include "core/formats/label_geotiff.hpp"
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

/// Reads one image for the predictor, all of it at once where it is small.
class ImageInput {
 public:
  explicit ImageInput(const PredictionJob& job) : job_(job), reader_(job.input, 0) {
    if (!job.is_large()) whole_ = as_image(reader_.read());
  }

  [[nodiscard]] train::PredictorInput input() {
    return {.height = job_.raster.height,
            .width = job_.raster.width,
            .read = [this](const base::PixelWindow& window) { return read(window); }};
  }
  /// Empty of a large image.
  [[nodiscard]] const base::Image& whole() const { return whole_; }

 private:
  [[nodiscard]] base::Image as_image(formats::RasterPixels raster) const {
    return formats::as_image(std::move(raster), {.alpha = job_.alpha});
  }

  [[nodiscard]] data::DecodedSample read(const base::PixelWindow& window) {
    return {job_.is_large() ? as_image(reader_.read(window)) : data::crop(whole_, window), {}};
  }

  const PredictionJob& job_;
  formats::PageReader reader_;
  base::Image whole_{};
};

/// Takes the labels of one image: into a GeoTIFF as they come, or into memory, and counts them.
/// Tells of a large image what share of it is done.
class LabelOutput {
 public:
  LabelOutput(const PredictionJob& job, const base::ClassMapping& mapping,
              std::function<void(double)> on_share)
      : job_(job),
        on_share_(std::move(on_share)),
        class_names_(mapping.class_names),
        colours_(formats::class_colours(mapping)),
        whole_{.height = job.raster.height, .width = job.raster.width} {}

  [[nodiscard]] train::PredictorOutput output() {
    return {.begin = [this] { begin(); },
            .put = [this](const base::PixelWindow& place, const base::LabelImage& piece,
                          const base::LabelImage&) { put(place, piece); }};
  }

  void write() {
    if (geotiff_) {
      geotiff_->commit();
    } else {
      formats::write_label_png(job_.labels, whole_, colours_);
    }
  }

  void write_overlay(const base::Image& image) const {
    formats::write_png(job_.overlay, draw_classes(displayable(image), whole_, colours_));
  }

  [[nodiscard]] Json pixels_by_class() const {
    Json pixels = Json::object();
    for (std::size_t id = 0; id < counts_.size(); ++id) pixels[class_names_[id]] = counts_[id];
    return pixels;
  }

 private:
  void begin() {
    counts_.assign(class_names_.size(), 0);
    geotiff_.reset();
    make_folder(job_.labels.parent_path());
    if (job_.labels.extension() == ".tif") {
      geotiff_.emplace(job_.labels, formats::LabelGeotiffOptions{.height = whole_.height,
                                                                 .width = whole_.width,
                                                                 .geo = job_.raster.geo,
                                                                 .colours = colours_});
    }
    if (!job_.is_large())
      whole_.labels.resize(static_cast<std::size_t>(whole_.height * whole_.width));
  }

  void put(const base::PixelWindow& place, const base::LabelImage& piece) {
    for (const std::uint8_t label : piece.labels) ++counts_.at(label);
    if (geotiff_) geotiff_->put(place, piece);
    if (job_.is_large()) {
      on_share_(static_cast<double>(place.bottom()) / static_cast<double>(whole_.height));
      return;
    }
    data::copy_overlap(piece, place, whole_, {.width = whole_.width, .height = whole_.height});
  }

  const PredictionJob& job_;
  const std::function<void(double)> on_share_;
  const std::vector<std::string>& class_names_;
  const Colours colours_;
  base::LabelImage whole_;  ///< without labels of a large image
  std::optional<formats::LabelGeotiff> geotiff_{};
  std::vector<std::int64_t> counts_{};
};

/// Writes the files of one image and returns its part of the JSON document.
Json write_results(const PredictionJob& job, const ImageInput& image, LabelOutput& labels,
                   bool with_overlay) {
  labels.write();
  const bool is_drawn = with_overlay && !job.is_large();
  if (is_drawn) labels.write_overlay(image.whole());
  return {{"input", base::display_path(job.input)},
          {"labels", base::display_path(job.labels)},
          {"overlay", is_drawn ? Json(base::display_path(job.overlay)) : Json()},
          {"height", job.raster.height},
          {"width", job.raster.width},
          {"pixels", labels.pixels_by_class()}};
}

/// Large images have no overlay, which would have to be drawn in one piece.
void tell_of_missing_overlays(const std::vector<PredictionJob>& jobs) {
  for (const PredictionJob& job : jobs) {
    if (!job.is_large()) continue;
    write_errors(fmt::format("note: {}: it is too large for an overlay; its label map is {}\n",
                             base::display_path(job.input), base::display_path(job.labels)));
  }
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
  const auto show = [&](double share_of_next) {
    display.update(make_progress("predicting", static_cast<std::int64_t>(images.size()),
                                 static_cast<std::int64_t>(jobs.size()), share_of_next),
                   ProgressDisplay::Clock::now());
  };
  for (const PredictionJob& job : jobs) {
    ImageInput image(job);
    LabelOutput labels(job, model.description().mapping, show);
    model.predictor().predict(image.input(), labels.output(), stop.get_token());
    images.push_back(write_results(job, image, labels, command.overlays));
    show(0);
  }
  display.clear();
  if (command.overlays && !command.output.quiet) tell_of_missing_overlays(jobs);
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
