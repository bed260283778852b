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

template <typename T>
std::vector<T> crop_rows(const std::vector<T>& rows, std::int64_t row_values, const Span& down,
                         std::int64_t first, std::int64_t count) {
  std::vector<T> cropped(static_cast<std::size_t>((down.end - down.begin) * count));
  for (std::int64_t y = down.begin; y < down.end; ++y) {
    std::copy_n(rows.begin() + y * row_values + first, count,
                cropped.begin() + (y - down.begin) * count);
  }
  return cropped;
}

base::Image crop(const base::Image& image, const Span& down, const Span& across) {
  const std::int64_t pixel_bytes = image.channels * base::bytes_of(image.type);
  base::Image cropped{down.end - down.begin, across.end - across.begin, image.channels, image.type};
  cropped.nodata = image.nodata;
  cropped.pixels = crop_rows(image.pixels, image.width * pixel_bytes, down,
                             across.begin * pixel_bytes, cropped.width * pixel_bytes);
  return cropped;
}

void check_sizes(const base::Image& image, const base::LabelImage* truth,
                 const StagedModel& model) {
  if (image.channels != model.input_channels() || image.height < 1 || image.width < 1) {
    throw base::Error(
        base::ErrorKind::usage,
        {"predicting an image",
         fmt::format("{}x{} with {} channels", image.width, image.height, image.channels),
         fmt::format("Give an image with the {} channels that the model was trained "
                     "on",
                     model.input_channels())});
  }
  if (truth != nullptr && (truth->height != image.height || truth->width != image.width)) {
    throw base::Error(base::ErrorKind::internal,
                      {"predicting an image", "image and truth differ in size", "report this"});
  }
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
  const base::Image& image;
  const base::LabelImage* truth;
  std::stop_token stop;
  base::LabelImage prediction{};
  LossSums sums;

  Pass(const base::Image& image_, const base::LabelImage* truth_, std::stop_token stop_,
       std::int64_t classes)
      : image(image_), truth(truth_), stop(std::move(stop_)), sums(classes) {
    prediction.height = image.height;
    prediction.width = image.width;
    prediction.labels.resize(static_cast<std::size_t>(image.height * image.width));
  }
};

Predictor::Predictor(StagedModel& model, PredictorOptions options)
    : model_(model), options_(std::move(options)) {}

base::LabelImage Predictor::predict(const base::Image& image, std::stop_token stop) {
  return run(image, nullptr, std::move(stop)).prediction;
}

base::LabelImage Predictor::predict(const base::Image& image, const base::LabelImage& truth,
                                    LossSums& sums, std::stop_token stop) {
  Pass pass = run(image, &truth, std::move(stop));
  sums += pass.sums;
  return std::move(pass.prediction);
}

Predictor::Pass Predictor::run(const base::Image& image, const base::LabelImage* truth,
                               std::stop_token stop) {
  check_sizes(image, truth, model_);
  const EvaluationScope evaluation(model_);
  for (;;) {
    const Window window = window_for(image, options_.window_pixels);
    try {
      Pass pass(image, truth, stop, model_.classes());
      run_windows(pass, window);
      return pass;
    } catch (const base::Error&) {
      throw;
    } catch (const std::exception& problem) {
      const std::int64_t fewer_pixels = window.height * window.width / 2;
      if (!memory::is_out_of_memory(problem)) {
        throw;
      }
      if (window_for(image, fewer_pixels) == window) {
        throw memory_error(
            "predicting an image", fmt::format("a window of {}x{}", window.height, window.width),
            options_.device, "Try a larger --budget, or close other programs", problem);
      }
      options_.window_pixels = fewer_pixels;
    }
    memory::meter_of(options_.device).release_cached();
  }
}

Predictor::Window Predictor::window_for(const base::Image& image, std::int64_t pixels) const {
  if (image.height * image.width <= pixels) {
    return {image.height, image.width};
  }
  const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(pixels)));
  const auto fit = [&](std::int64_t length, std::int64_t tile, std::int64_t wanted) {
    return std::min(length, base::round_up(std::max(tile, wanted), model_.stride()));
  };
  // A side that the image is too short for leaves its pixels to the other.
  const std::int64_t width =
      fit(image.width, options_.tile_width, std::max(side, pixels / image.height));
  const std::int64_t height =
      fit(image.height, options_.tile_height, std::max(side, pixels / image.width));
  return {height, width};
}

void Predictor::run_windows(Pass& pass, const Window& window) {
  const auto stride = model_.stride();
  const auto margin_of = [&](std::int64_t side) {
    return std::min(options_.margin, side / 4) / stride * stride;
  };
  const auto rows =
      cut_into_windows(pass.image.height, window.height, margin_of(window.height), stride);
  const auto columns =
      cut_into_windows(pass.image.width, window.width, margin_of(window.width), stride);
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
  const std::int64_t rows = down.keep_end - down.keep_begin;
  const std::int64_t columns = across.keep_end - across.keep_begin;
  const at::Tensor logits = logits_of(crop(pass.image, down, across))
                                .narrow(2, down.keep_begin - down.begin, rows)
                                .narrow(3, across.keep_begin - across.begin, columns);
  const Span kept{down.keep_begin, down.keep_end};
  if (pass.truth != nullptr) {
    std::vector<std::uint8_t> truth =
        crop_rows(pass.truth->labels, pass.truth->width, kept, across.keep_begin, columns);
    const at::Tensor labels = at::from_blob(truth.data(), {1, rows, columns}, at::kByte);
    pass.sums += loss_sums(logits, labels.to(options_.device));
  }
  const at::Tensor classes = logits.argmax(1).to(at::kByte).cpu().contiguous();
  const auto* found = classes.const_data_ptr<std::uint8_t>();
  for (std::int64_t y = 0; y < rows; ++y) {
    std::copy_n(found + y * columns, columns,
                pass.prediction.labels.begin() + (down.keep_begin + y) * pass.image.width +
                    across.keep_begin);
  }
}

}  // namespace headroom::train
