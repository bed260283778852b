#include "core/train/training_data.hpp"

#include <c10/util/hash.h>

#include <cstdint>

namespace headroom::train {

data::TileInputs tile_inputs(const TrainingData& data) {
  return {.samples = data.samples,
          .chosen = data.split.train,
          .normalisation = data.normalisation,
          .positions = data.positions,
          .augmenter = data.augmenter};
}

data::TileSamplerOptions tile_options(const base::Settings& settings) {
  return {.tile_height = settings.step.tile_height,
          .tile_width = settings.step.tile_width,
          .seed = settings.step.seed,
          .augment = settings.train.augment,
          .foreground = settings.train.foreground,
          .coverage = settings.train.coverage};
}

std::string fingerprint_of(const TrainingData& data) {
  std::string text = data.summary.fingerprint + base::to_json(data.mapping);
  for (const auto* side : {&data.split.train, &data.split.validation}) {
    text += "\nside";
    for (const std::int64_t index : *side) {
      text += '\n' + data.samples->samples().at(static_cast<std::size_t>(index)).id;
    }
  }
  return c10::sha1(text).str();
}

}  // namespace headroom::train
