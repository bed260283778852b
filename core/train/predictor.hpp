#pragma once
// Whole images through a network: windows with overlap, of which only the centres are kept, so that
// memory does not grow with the image. Used by validation, `evaluate` and `predict`. Worker thread.

#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample.hpp"
#include "core/train/losses.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

struct PredictorOptions {
  c10::Device device{c10::kCPU};
  base::Precision precision = base::Precision::fp32;  ///< resolved
  c10::MemoryFormat memory_format = c10::MemoryFormat::ChannelsLast;
  data::Normalisation normalisation{};
  /// The tile that was trained on: windows are never smaller, unless the image is.
  std::int64_t tile_height = 512, tile_width = 512;
  std::int64_t window_pixels =
      std::int64_t{1}
      << 20;  ///< images of up to so many run whole; larger ones in windows of about so many
  std::int64_t margin = 64;  ///< pixels on each inner side of a window that its neighbour decides
};

/// An image as the predictor reads it: window by window, so that it need not be in memory.
struct PredictorInput {
  std::int64_t height = 0, width = 0;
  /// The window's pixels, and its labels where the prediction is to be judged.
  std::function<data::DecodedSample(const base::PixelWindow& window)> read{};
};

/// What becomes of a prediction, piece by piece.
struct PredictorOutput {
  /// Before the first piece, and anew when all is done again in smaller windows: what was put
  /// before counts no more.
  std::function<void()> begin{};
  /// Pieces cover the image once, in rows of pieces from top to bottom, each from left to right.
  /// `truth` has the piece's size, or is empty where the input has no labels.
  std::function<void(const base::PixelWindow& place, const base::LabelImage& prediction,
                     const base::LabelImage& truth)>
      put{};
};

/// A stretch of one axis that is run, and the part of it whose result counts.
struct WindowSpan {
  std::int64_t begin = 0, end = 0;
  std::int64_t keep_begin = 0, keep_end = 0;
};

/// Cuts 0 … length into spans of at most `window` that overlap by at least two margins; what is
/// kept of them covers the axis once, and is a margin away from every border that is not the axis'
/// own. All begin on multiples of `stride`, as pooling does in one pass over the whole. `window`
/// and `margin` are multiples of it unless one window is enough, and the margin is at most a
/// quarter of the window.
[[nodiscard]] std::vector<WindowSpan> cut_into_windows(std::int64_t length, std::int64_t window,
                                                       std::int64_t margin, std::int64_t stride);

class Predictor {
 public:
  /// The model must outlive the predictor; it is on the device already.
  Predictor(StagedModel& model, PredictorOptions options);

  [[nodiscard]] std::int64_t classes() const { return model_.classes(); }

  /// Class of every pixel. Evaluation mode, no graph; the model's mode is put back. When a window
  /// does not fit the memory, smaller ones are used, down to the training tile. Returns the sums of
  /// all pixels with labels. Throws base::Error: usage when the channels differ, out_of_memory,
  /// interrupted when `stop` was requested; and what the input and the output throw.
  LossSums predict(const PredictorInput& input, const PredictorOutput& output,
                   std::stop_token stop);
  /// The same of an image in memory.
  [[nodiscard]] base::LabelImage predict(const base::Image& image, std::stop_token stop);

 private:
  struct Pass;
  struct Window {
    std::int64_t height = 0, width = 0;
    friend bool operator==(const Window&, const Window&) = default;
  };

  [[nodiscard]] Window window_for(const PredictorInput& input, std::int64_t pixels) const;
  void run_windows(Pass& pass, const Window& window);
  void run_window(Pass& pass, const WindowSpan& down, const WindowSpan& across);
  [[nodiscard]] at::Tensor logits_of(const base::Image& window);

  StagedModel& model_;
  PredictorOptions options_;
};

}  // namespace headroom::train
