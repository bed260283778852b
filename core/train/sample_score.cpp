#include "core/train/sample_score.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/data/image_parts.hpp"

namespace headroom::train {
namespace {

constexpr std::int64_t kShownSide = 1024;

data::DecodedSample read_window(data::SampleCache& samples, std::int64_t index,
                                base::PixelWindow window) {
  const data::SamplePart part = samples.get(index, window);
  window.left -= part.left;
  window.top -= part.top;
  return {data::crop(part.decoded->image, window), data::crop(part.decoded->labels, window)};
}

}  // namespace

base::PixelWindow shown_window(const data::SampleCache& samples, std::int64_t index) {
  const data::Sample& sample = samples.samples().at(static_cast<std::size_t>(index));
  base::PixelWindow window{.width = sample.width, .height = sample.height};
  if (!samples.is_read_by_parts(index)) return window;
  window.width = std::min(kShownSide, sample.width);
  window.height = std::min(kShownSide, sample.height);
  window.left = (sample.width - window.width) / 2;
  window.top = (sample.height - window.height) / 2;
  return window;
}

SampleScore score_sample(Predictor& predictor, data::SampleCache& samples, std::int64_t index,
                         const base::PixelWindow& shown, std::stop_token stop) {
  const data::Sample& sample = samples.samples().at(static_cast<std::size_t>(index));
  std::optional<ConfusionMatrix> confusion;
  base::LabelImage prediction{.height = shown.height, .width = shown.width};
  prediction.labels.resize(static_cast<std::size_t>(shown.height * shown.width));
  const PredictorInput input{
      .height = sample.height, .width = sample.width, .read = [&](const base::PixelWindow& window) {
        return read_window(samples, index, window);
      }};
  const PredictorOutput output{
      .begin = [&] { confusion.emplace(predictor.classes()); },
      .put =
          [&](const base::PixelWindow& place, const base::LabelImage& piece,
              const base::LabelImage& truth) {
            confusion->add(truth, piece);
            data::copy_overlap(piece, place, prediction, shown);
          }};
  LossSums sums = predictor.predict(input, output, std::move(stop));
  return {std::move(*confusion), std::move(sums), std::move(prediction)};
}

}  // namespace headroom::train
