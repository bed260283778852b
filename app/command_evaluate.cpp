#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/class_scores.hpp"
#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/dataset_split.hpp"
#include "app/model_use.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/text.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/log.hpp"
#include "core/run/run_folder.hpp"
#include "core/train/metrics.hpp"
#include "core/train/sample_score.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

/// What is evaluated on: samples, and which of them.
struct EvaluationData {
  fs::path folder;
  std::shared_ptr<data::SampleCache> samples;
  std::vector<std::int64_t> chosen;
};

struct ImageScore {
  std::string id;
  train::ConfusionMatrix confusion;
};

void require_channels(const formats::Dataset& dataset, const train::ModelDescription& model) {
  if (dataset.summary.channels == model.model.channels) return;
  throw base::Error(
      base::ErrorKind::unusable_data,
      {.attempted = "evaluating",
       .subject = fmt::format("{}: images of {} channels, the model reads {}", dataset.summary.root,
                              dataset.summary.channels, model.model.channels),
       .remedy = "Give data like that the model was trained on"});
}

/// The whole folder that was named, or the validation side of the run; masks are read through the
/// model's own mapping.
EvaluationData load_evaluation_data(const EvaluateCommand& command,
                                    const train::ModelDescription& model,
                                    const ScanProgressFunction& on_progress, base::Log& log,
                                    std::stop_token stop) {
  base::Settings settings = command.given.applied_to({});
  fs::path folder = command.data;
  std::string trained_on;
  if (folder.empty()) {
    const run::RunDescription run = run::read_run_description(command.model);
    settings = run.settings;
    folder = run.data_folder;
    trained_on = run.data_fingerprint;
  }
  formats::Dataset dataset = scan_folder(folder, settings.data, on_progress, stop);
  formats::require_usable(dataset.summary);
  require_channels(dataset, model);
  if (!trained_on.empty() && dataset.summary.fingerprint != trained_on)
    log.warning(fmt::format("{}: the data has changed since the run", dataset.summary.root));
  dataset.mapping = model.mapping;
  std::vector<std::int64_t> chosen;
  if (command.data.empty()) {
    chosen = split_dataset(dataset, settings, on_progress, stop).split.validation;
  } else {
    chosen.resize(dataset.samples.size());
    std::iota(chosen.begin(), chosen.end(), 0);
  }
  return {.folder = folder, .samples = make_cache(dataset, 0), .chosen = std::move(chosen)};
}

/// Every image on its own, and all pixels together.
struct Evaluation {
  train::ConfusionMatrix all;
  std::vector<ImageScore> images{};
};

Evaluation score_images(ModelInUse& model, const EvaluationData& evaluated,
                        ProgressDisplay& display, std::stop_token stop) {
  const std::int64_t classes = model.description().model.classes;
  Evaluation scores{.all = train::ConfusionMatrix(classes)};
  for (const std::int64_t index : evaluated.chosen) {
    train::SampleScore score =
        train::score_sample(model.predictor(), *evaluated.samples, index, {}, stop);
    scores.all += score.confusion;
    scores.images.push_back({evaluated.samples->samples().at(static_cast<std::size_t>(index)).id,
                             std::move(score.confusion)});
    display.update(make_progress("evaluating", static_cast<std::int64_t>(scores.images.size()),
                                 static_cast<std::int64_t>(evaluated.chosen.size())),
                   ProgressDisplay::Clock::now());
  }
  return scores;
}

ClassScores scores_of(const train::ConfusionMatrix& confusion,
                      const std::vector<std::string>& class_names) {
  const train::ClassMetrics mean = confusion.mean();
  ClassScores scores{.classes = {}, .mean_iou = mean.iou, .mean_dice = mean.dice};
  for (std::int64_t id = 0; id < confusion.classes(); ++id) {
    const train::ClassMetrics metrics = confusion.metrics(id);
    scores.classes.push_back({.name = class_names.at(static_cast<std::size_t>(id)),
                              .iou = metrics.iou,
                              .dice = metrics.dice});
  }
  return scores;
}

Json to_json(const train::ConfusionMatrix& confusion, const std::vector<std::string>& class_names) {
  Json document = to_json(scores_of(confusion, class_names));
  document["pixels"] = confusion.pixels();
  return document;
}

/// Worst first; images without a counted pixel last.
std::string image_table(std::vector<ImageScore> scores) {
  const auto rank = [](const ImageScore& score) {
    const double dice = score.confusion.mean().dice;
    return std::isnan(dice) ? 2.0 : dice;
  };
  std::stable_sort(scores.begin(), scores.end(),
                   [&rank](const ImageScore& a, const ImageScore& b) { return rank(a) < rank(b); });
  std::vector<std::vector<std::string>> rows = {{"image", "mean IoU", "mean Dice"}};
  for (const ImageScore& score : scores) {
    const train::ClassMetrics mean = score.confusion.mean();
    rows.push_back({base::display_path(score.id), format_score(mean.iou), format_score(mean.dice)});
  }
  return format_table(rows);
}

}  // namespace

int perform(const EvaluateCommand& command) {
  base::Log log(command.output.quiet ? base::LogVerbosity::quiet : base::LogVerbosity::normal);
  ProgressDisplay display(progress_style(command.output.quiet));
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  const fs::path model_file = find_model_file(command.model);
  ModelInUse model(model_file, command.given);
  const auto show = [&display](const formats::ScanProgress& scan) {
    display.update(progress_of(scan), ProgressDisplay::Clock::now());
  };
  const EvaluationData evaluated =
      load_evaluation_data(command, model.description(), show, log, stop.get_token());
  const Evaluation scores = score_images(model, evaluated, display, stop.get_token());
  display.clear();

  const std::vector<std::string>& names = model.description().mapping.class_names;
  if (!command.output.json) {
    write_output(score_table(scores_of(scores.all, names)) + '\n' + image_table(scores.images));
    return 0;
  }
  Json document = {{"model", base::display_path(model_file)},
                   {"data", base::display_path(evaluated.folder)},
                   {"step", model.description().step}};
  document.update(to_json(scores.all, names));
  document["images"] = Json::array();
  for (const ImageScore& score : scores.images) {
    Json image = {{"id", score.id}};
    image.update(to_json(score.confusion, names));
    document["images"].push_back(std::move(image));
  }
  write_output(base::dump_json(document, 2) + '\n');
  return 0;
}

}  // namespace headroom::app
