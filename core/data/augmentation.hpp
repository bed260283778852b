#pragma once
// What may happen to a training tile besides being cut out, and how strongly. Values; any thread.

#include "core/base/settings.hpp"
#include "core/data/counter_random.hpp"

namespace headroom::data {

/// A change that a share of the tiles gets, its strength drawn evenly from low to high.
struct RandomChange {
  double share = 0;
  double low = 0;
  double high = 0;
};

/// The strength, or `unchanged` for the tiles that do not get the change. Always takes two numbers
/// from `random`, so that one change does not move the draws of the next.
[[nodiscard]] double draw(const RandomChange& change, double unchanged, CounterRandom& random);
/// The same for a factor (1: unchanged) whose logarithm is drawn evenly; low is above 0.
[[nodiscard]] double draw_factor(const RandomChange& change, CounterRandom& random);

/// Geometry comes first: mirror and right-angle turns, then elastic displacement, scale and
/// rotation at once, so that pixels are resampled a single time. Values change afterwards,
/// normalised as the network reads them, band by band, in the order below. "Spread" is the standard
/// deviation of the band in the tile, so that the strengths mean the same under any normalisation.
struct Augmentation {
  bool flips_and_turns = false;
  RandomChange elastic{};   ///< standard deviation of the displacements, in pixels of the tile
  RandomChange scale{};     ///< factor, its logarithm drawn evenly; above 1 things look larger
  RandomChange rotation{};  ///< degrees, counter-clockwise

  RandomChange blur{};        ///< standard deviation of a Gaussian, in pixels
  RandomChange contrast{};    ///< factor about the band's mean
  RandomChange brightness{};  ///< added, in spreads
  RandomChange gamma{};       ///< exponent on the band's range, its logarithm drawn evenly
  RandomChange noise{};       ///< standard deviation of added Gaussian noise, in spreads

  /// Pixels are resampled in some tiles.
  [[nodiscard]] bool has_warp() const;
  /// Values are changed in some tiles.
  [[nodiscard]] bool has_value_change() const;
};

/// none; flips: mirrors and turns by right angles; light: a little of what cameras and mountings
/// vary; medical: after nnU-Net's (Isensee et al., Nature Methods 18, 2021), brightness added
/// instead of multiplied and without its simulated low resolution; aerial: any direction, and the
/// ground distances and light of other flights; microscopy: the elastic deformations of U-Net
/// (Ronneberger et al., MICCAI 2015, section 3.1) with what stain and focus vary.
[[nodiscard]] Augmentation augmentation_of(base::Augment preset);

}  // namespace headroom::data
