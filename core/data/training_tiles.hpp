#pragma once
// The k-th training tile as the network reads it. A value without mutable state but the cache; any
// thread.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/data/class_positions.hpp"
#include "core/data/sample.hpp"
#include "core/data/sample_cache.hpp"
#include "core/data/tile_augmenter.hpp"
#include "core/data/tile_sampler.hpp"

namespace headroom::data {

/// What tiles are made from.
struct TileInputs {
  std::shared_ptr<SampleCache> samples{};
  std::vector<std::int64_t> chosen{};  ///< indices into samples
  Normalisation normalisation{};
  ClassPositions positions{};  ///< for foreground; may be empty
  std::shared_ptr<const TileAugmenter>
      augmenter{};  ///< may be null where nothing but flips is used
};

/// Tile k is a function of the inputs, the options and k alone.
class TrainingTiles {
 public:
  /// Throws Error (internal) where the augmentation needs an augmenter and there is none, and what
  /// TileSampler throws.
  TrainingTiles(TileInputs inputs, const TileSamplerOptions& options);

  [[nodiscard]] std::int64_t height() const { return sampler_.options().tile_height; }
  [[nodiscard]] std::int64_t width() const { return sampler_.options().tile_width; }
  [[nodiscard]] std::int64_t channels() const { return std::ssize(inputs_.normalisation.shift); }
  [[nodiscard]] std::int64_t tiles_per_epoch() const { return sampler_.tiles_per_epoch(); }
  [[nodiscard]] const Normalisation& normalisation() const { return inputs_.normalisation; }

  /// Fills `pixels` [h, w, c] and `labels` [h, w] with tile k. Throws what the reader throws.
  void build(std::int64_t k, std::span<float> pixels, std::span<std::uint8_t> labels) const;

 private:
  TileInputs inputs_;
  TileSampler sampler_;
  Augmentation augmentation_;
};

}  // namespace headroom::data
