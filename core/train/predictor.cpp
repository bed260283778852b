#include "core/train/predictor.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"
#include "core/data/image_parts.hpp"
#include "core/data/tile_builder.hpp"
#include "core/memory/meter.hpp"
#include "core/train/host_tensors.hpp"
#include "core/train/memory_error.hpp"
#include "core/train/precision.hpp"

namespace headroom::train {
namespace {

/// Evaluation mode and no graph for the life of the scope.
class EvaluationScope {
 public:
  explicit EvaluationScope(StagedModel& model) : model_(model), was_training_(model.is_training()) {
    model_.eval();
  }
  ~EvaluationScope() { model_.train(was_training_); }
  EvaluationScope(const EvaluationScope&) = delete;
  EvaluationScope& operator=(const EvaluationScope&) = delete;

 private:
  StagedModel& model_;
  bool was_training_;
  at::NoGradGuard no_graph_;
};

using Span = WindowSpan;

base::PixelWindow window_of(const Span& down, const Span& across) {
  return {.left = across.begin,
          .top = down.begin,
          .width = across.end - across.begin,
          .height = down.end - down.begin};
}

/// Of a window, what counts of its result.
base::PixelWindow kept_of(const Span& down, const Span& across) {
  return {.left = across.keep_begin,
          .top = down.keep_begin,
          .width = across.keep_end - across.keep_begin,
          .height = down.keep_end - down.keep_begin};
}

void check_image(const base::Image& image, const StagedModel& model) {
  if (image.channels == model.input_channels() && image.height >= 1 && image.width >= 1) return;
  throw base::Error(
      base::ErrorKind::usage,
      {"predicting an image",
       fmt::format("{}x{} with {} channels", image.width, image.height, image.channels),
       fmt::format("Give an image with the {} channels that the model was trained "
                   "on",
                   model.input_channels())});
}

/// The labels of a window where `kept` is; empty where there are none.
base::LabelImage kept_labels(const base::LabelImage& labels, const base::PixelWindow& window,
                             base::PixelWindow kept) {
  if (labels.labels.empty()) return {};
  kept.left -= window.left;
  kept.top -= window.top;
  return data::crop(labels, kept);
}

/// `logits` [1, k, h, w].
base::LabelImage most_likely(const at::Tensor& logits) {
  const at::Tensor classes = logits.argmax(1).to(at::kByte).cpu().contiguous();
  const auto* first = classes.const_data_ptr<std::uint8_t>();
  base::LabelImage labels{.height = classes.size(1), .width = classes.size(2)};
  labels.labels.assign(first, first + classes.numel());
  return labels;
}

}  // namespace

std::vector<WindowSpan> cut_into_windows(std::int64_t length, std::int64_t window,
                                         std::int64_t margin, std::int64_t stride) {
  std::vector<WindowSpan> spans;
  std::int64_t begin = 0, kept = 0;
  while (begin + window < length) {
    const std::int64_t keep_end = begin + window - margin;
    spans.push_back({begin, begin + window, kept, keep_end});
    kept = keep_end;
    begin = std::min(begin + window - 2 * margin, base::round_up(length - window, stride));
  }
  spans.push_back({begin, length, kept, length});
  return spans;
}

/// One image on its way through the network.
struct Predictor::Pass {
  const PredictorInput& input;
  const PredictorOutput& output;
  std::stop_token stop;
  LossSums sums;
};

Predictor::Predictor(StagedModel& model, PredictorOptions options)
    : model_(model), options_(std::move(options)) {}

base::LabelImage Predictor::predict(const base::Image& image, std::stop_token stop) {
  check_image(image, model_);
  base::LabelImage prediction{.height = image.height, .width = image.width};
  const base::PixelWindow whole{.width = image.width, .height = image.height};
  const PredictorInput input{.height = image.height,
                             .width = image.width,
                             .read = [&image](const base::PixelWindow& window) {
                               return data::DecodedSample{data::crop(image, window), {}};
                             }};
  const PredictorOutput output{
      .begin =
          [&prediction] {
            prediction.labels.resize(
                static_cast<std::size_t>(prediction.height * prediction.width));
          },
      .put = [&](const base::PixelWindow& place, const base::LabelImage& piece,
                 const base::LabelImage&) { data::copy_overlap(piece, place, prediction, whole); }};
  predict(input, output, std::move(stop));
  return prediction;
}

LossSums Predictor::predict(const PredictorInput& input, const PredictorOutput& output,
                            std::stop_token stop) {
  const EvaluationScope evaluation(model_);
  for (;;) {
    const Window window = window_for(input, options_.window_pixels);
    try {
      Pass pass{input, output, stop, LossSums(model_.classes())};
      output.begin();
      run_windows(pass, window);
      return pass.sums;
    } catch (const base::Error&) {
      throw;
    } catch (const std::exception& problem) {
      const std::int64_t fewer_pixels = window.height * window.width / 2;
      if (!memory::is_out_of_memory(problem)) {
        throw;
      }
      if (window_for(input, fewer_pixels) == window) {
        throw memory_error(
            "predicting an image", fmt::format("a window of {}x{}", window.height, window.width),
            options_.device, "Try a larger --budget, or close other programs", problem);
      }
      options_.window_pixels = fewer_pixels;
    }
    memory::meter_of(options_.device).release_cached();
  }
}

Predictor::Window Predictor::window_for(const PredictorInput& input, std::int64_t pixels) const {
  if (input.height * input.width <= pixels) {
    return {input.height, input.width};
  }
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(pixels)));
  const auto fit = [&](std::int64_t length, std::int64_t tile, std::int64_t wanted) {
    return std::min(length, base::round_up(std::max(tile, wanted), model_.stride()));
  };
  // A side that the image is too short for leaves its pixels to the other.
  const std::int64_t width =
      fit(input.width, options_.tile_width, std::max(side, pixels / input.height));
  const std::int64_t height =
      fit(input.height, options_.tile_height, std::max(side, pixels / input.width));
  return {height, width};
}

void Predictor::run_windows(Pass& pass, const Window& window) {
  const auto stride = model_.stride();
  const auto margin_of = [&](std::int64_t side) {
    return std::min(options_.margin, side / 4) / stride * stride;
  };
  const auto rows =
      cut_into_windows(pass.input.height, window.height, margin_of(window.height), stride);
  const auto columns =
      cut_into_windows(pass.input.width, window.width, margin_of(window.width), stride);
  for (const Span& down : rows) {
    for (const Span& across : columns) {
      if (pass.stop.stop_requested()) {
        throw base::Error(base::ErrorKind::interrupted,
                          {"predicting an image", "stop was requested", "Start it again"});
      }
      run_window(pass, down, across);
    }
  }
}

at::Tensor Predictor::logits_of(const base::Image& window) {
  data::HostBatch batch{1, window.height, window.width, window.channels};
  batch.pixels.resize(static_cast<std::size_t>(window.height * window.width * window.channels));
  data::normalise_image(window, options_.normalisation, batch.pixels);
  DeviceBatch on_device =
      to_device(batch, model_.classes(), options_.device, options_.memory_format);
  batch.pixels = {};
  const AutocastScope autocast(options_.device.type(), options_.precision);
  return model_.forward(std::move(on_device.image));
}

void Predictor::run_window(Pass& pass, const Span& down, const Span& across) {
  const base::PixelWindow window = window_of(down, across), kept = kept_of(down, across);
  const data::DecodedSample read = pass.input.read(window);
  check_image(read.image, model_);
  base::LabelImage truth = kept_labels(read.labels, window, kept);
  const at::Tensor logits = logits_of(read.image)
                                .narrow(2, kept.top - window.top, kept.height)
                                .narrow(3, kept.left - window.left, kept.width);
  if (!truth.labels.empty()) {
    const at::Tensor labels =
        at::from_blob(truth.labels.data(), {1, kept.height, kept.width}, at::kByte);
    pass.sums += loss_sums(logits, labels.to(options_.device));
  }
  pass.output.put(kept, most_likely(logits), truth);
}

}  // namespace headroom::train
