#pragma once
// Changes of tiles that an image library works out. Implemented by core/formats; nothing here knows
// the library.

#include <cstdint>
#include <span>

#include "core/data/augmentation.hpp"
#include "core/data/counter_random.hpp"
#include "core/data/tile_warp.hpp"

namespace headroom::data {

/// Room for a tile or window: normalised pixels [h, w, c] and labels [h, w].
struct TileSpan {
  std::int64_t height = 0, width = 0, channels = 0;
  std::span<float> pixels{};
  std::span<std::uint8_t> labels{};
};

/// Implementations are safe to call from several loader threads at once, and what they do is a
/// function of the arguments alone.
class TileAugmenter {
 public:
  virtual ~TileAugmenter() = default;

  /// Resamples `window` into `tile`, middle on middle: pixels bilinearly, labels from the nearest
  /// pixel. Beyond the window pixels are mirrored and labels base::kIgnoreLabel. Throws Error
  /// (internal) when sizes and spans disagree.
  void warp(const TileSpan& window, const TileWarp& warp, CounterRandom random,
            const TileSpan& tile) const;

  /// Changes the pixels as Augmentation says, each band with draws of its own. Throws Error
  /// (internal) when sizes and spans disagree.
  void change_values(const TileSpan& tile, const Augmentation& augmentation,
                     CounterRandom random) const;

 private:
  virtual void do_warp(const TileSpan& window, const TileWarp& warp, CounterRandom random,
                       const TileSpan& tile) const = 0;
  virtual void do_change_values(const TileSpan& tile, const Augmentation& augmentation,
                                CounterRandom random) const = 0;
};

}  // namespace headroom::data
