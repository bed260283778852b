#pragma once
// A data set ready to train on. A value; made before training, then read by one thread.

#include <memory>
#include <string>

#include "core/base/class_mapping.hpp"
#include "core/base/dataset_summary.hpp"
#include "core/base/settings.hpp"
#include "core/data/class_positions.hpp"
#include "core/data/sample.hpp"
#include "core/data/sample_cache.hpp"
#include "core/data/tile_augmenter.hpp"
#include "core/data/tile_sampler.hpp"
#include "core/data/training_tiles.hpp"

namespace headroom::train {

/// Scanned, split, mapped, measured. `app` makes it with core/formats.
struct TrainingData {
  std::shared_ptr<data::SampleCache> samples{};
  data::Split split{};  ///< indices into samples
  base::ClassMapping mapping{};
  data::Normalisation normalisation{};
  data::ClassPositions positions{};  ///< on the training side; needed for foreground alone
  std::shared_ptr<const data::TileAugmenter> augmenter{};  ///< needed beyond flips alone
  base::DatasetSummary summary{};
};

/// The training side, for its tiles.
[[nodiscard]] data::TileInputs tile_inputs(const TrainingData& data);
[[nodiscard]] data::TileSamplerOptions tile_options(const base::Settings& settings);

/// One digest of all that decides what is learned from: files, mapping and split.
[[nodiscard]] std::string fingerprint_of(const TrainingData& data);

}  // namespace headroom::train
