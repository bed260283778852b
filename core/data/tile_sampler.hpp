#pragma once
// Where the k-th training tile is cut. A value without mutable state; any thread.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/settings.hpp"
#include "core/data/augmentation.hpp"
#include "core/data/class_positions.hpp"
#include "core/data/sample.hpp"
#include "core/data/tile_warp.hpp"

namespace headroom::data {

/// One tile: a window of an image, then a mirror image and quarter turns, then the warp. The window
/// is what the tile needs of the image before any of them. It may reach over the image's edge where
/// the image is smaller than the tile, and with a warp anywhere.
struct TileRequest {
  std::int64_t sample = 0;  ///< index into the scan's list
  std::int64_t top = 0;     ///< of the window, in pixels of the image; may be negative
  std::int64_t left = 0;
  std::int64_t window_height =
      0;  ///< without a warp the tile's size, turned where the turns are odd
  std::int64_t window_width = 0;
  bool mirrored = false;           ///< left and right exchanged, before turning
  std::int64_t quarter_turns = 0;  ///< 0 … 3, counter-clockwise
  std::optional<TileWarp> warp{};  ///< the turned window is resampled to the tile

  friend bool operator==(const TileRequest&, const TileRequest&) = default;
};

struct TileSamplerOptions {
  std::int64_t tile_height = 512;
  std::int64_t tile_width = 512;
  std::int64_t seed = 0;
  base::Augment augment = base::Augment::flips;
  double foreground = 0;  ///< share of the tiles that must show a class other than 0
  bool coverage = false;  ///< every pixel once an epoch; with it no warp and foreground 0
};

/// Draws tiles so that one epoch has as many tiles of each image as cover it, in a new random order
/// every epoch and each at a random place. Request k is a function of the seed, k and what the
/// sampler was made with.
///
/// With foreground, evenly spread tiles show a class: one of the classes with positions, each
/// equally often, in one of the samples that hold it, at one of its positions; the tile lies around
/// that at random. A warp that would move the position out of the tile gets it in the middle. Where
/// no class has positions, all tiles are as without.
///
/// With coverage, a grid of tiles lies over each image, moved every epoch by as much as it is
/// larger than the image. Tiles that are no squares are then turned by half turns only.
class TileSampler {
 public:
  /// `chosen` are indices into `samples`; so are the samples of `positions`. Throws Error
  /// (internal) when none is chosen, a size is not positive, or coverage is asked for together with
  /// a warp or foreground.
  TileSampler(const std::vector<Sample>& samples, const std::vector<std::int64_t>& chosen,
              const TileSamplerOptions& options, const ClassPositions& positions = {});

  [[nodiscard]] TileRequest request(std::int64_t k) const;
  [[nodiscard]] std::int64_t tiles_per_epoch() const { return first_tile_.back(); }
  [[nodiscard]] const TileSamplerOptions& options() const { return options_; }

 private:
  struct Extent {
    std::int64_t sample, height, width;
  };
  /// Pixels of one class in one sample.
  struct Target {
    Extent extent;
    std::vector<std::int64_t> pixels;
  };
  /// Which of an epoch's tiles tile k is.
  struct EpochTile {
    std::int64_t epoch, extent, tile_of_extent;
  };

  [[nodiscard]] EpochTile epoch_tile(std::int64_t k) const;
  [[nodiscard]] bool must_show_class(std::int64_t k) const;
  void place_anywhere(TileRequest& request, std::int64_t k, CounterRandom& random) const;
  void place_on_grid(TileRequest& request, std::int64_t k) const;
  void place_on_class(TileRequest& request, std::int64_t k) const;
  /// Whether the tile shows the pixel, where the window is still the tile's own footprint.
  [[nodiscard]] bool shows(const TileRequest& request, std::int64_t row, std::int64_t column) const;

  std::vector<Extent> extents_;
  std::vector<std::int64_t>
      first_tile_;  ///< first tile of an epoch that belongs to extent i; one more at the end
  std::vector<std::vector<Target>> targets_;  ///< by class, without class 0 and those not found
  TileSamplerOptions options_;
  Augmentation augmentation_;
};

}  // namespace headroom::data
