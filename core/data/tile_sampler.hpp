#pragma once
// Where the k-th training tile is cut. A value without mutable state; any thread.

#include <cstdint>
#include <vector>

#include "core/data/sample.hpp"

namespace headroom::data {

/// One tile: a window of an image, then a mirror image and quarter turns. The window may reach over
/// the image's edge where the image is smaller than the tile.
struct TileRequest {
  std::int64_t sample = 0;  ///< index into the scan's list
  std::int64_t top = 0;     ///< of the window, in pixels of the image; may be negative
  std::int64_t left = 0;
  std::int64_t window_height = 0;  ///< the tile's width when quarter_turns is odd
  std::int64_t window_width = 0;
  bool mirrored = false;           ///< left and right exchanged, before turning
  std::int64_t quarter_turns = 0;  ///< 0 … 3, counter-clockwise

  friend bool operator==(const TileRequest&, const TileRequest&) = default;
};

struct TileSamplerOptions {
  std::int64_t tile_height = 512;
  std::int64_t tile_width = 512;
  std::int64_t seed = 0;
  bool augment = true;  ///< mirror and turn
};

/// Draws tiles so that one epoch has as many tiles of each image as cover it, in a new random order
/// every epoch and each at a random place. Request k is a function of the seed and k alone.
class TileSampler {
 public:
  /// `chosen` are indices into `samples`. Throws Error (internal) when none is chosen or a size is
  /// not positive.
  TileSampler(const std::vector<Sample>& samples, const std::vector<std::int64_t>& chosen,
              const TileSamplerOptions& options);

  [[nodiscard]] TileRequest request(std::int64_t k) const;
  [[nodiscard]] std::int64_t tiles_per_epoch() const { return first_tile_.back(); }
  [[nodiscard]] const TileSamplerOptions& options() const { return options_; }

 private:
  struct Extent {
    std::int64_t sample, height, width;
  };
  std::vector<Extent> extents_;
  std::vector<std::int64_t>
      first_tile_;  ///< first tile of an epoch that belongs to extent i; one more at the end
  TileSamplerOptions options_;
};

}  // namespace headroom::data
