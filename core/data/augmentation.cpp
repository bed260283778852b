#include "core/data/augmentation.hpp"

#include <cmath>

namespace headroom::data {

double draw(const RandomChange& change, double unchanged, CounterRandom& random) {
  const bool happens = random.unit() < change.share;
  const double strength = random.between(change.low, change.high);
  return happens ? strength : unchanged;
}

double draw_factor(const RandomChange& change, CounterRandom& random) {
  if (change.share <= 0) return draw(change, 1, random);
  return std::exp(draw({change.share, std::log(change.low), std::log(change.high)}, 0, random));
}

bool Augmentation::has_warp() const {
  return elastic.share > 0 || scale.share > 0 || rotation.share > 0;
}

bool Augmentation::has_value_change() const {
  return blur.share > 0 || contrast.share > 0 || brightness.share > 0 || gamma.share > 0 ||
         noise.share > 0;
}

Augmentation augmentation_of(base::Augment preset) {
  switch (preset) {
    case base::Augment::none:
      break;
    case base::Augment::flips:
      return {.flips_and_turns = true};
    case base::Augment::light:
      return {.flips_and_turns = true,
              .scale = {0.2, 0.9, 1.1},
              .rotation = {0.2, -15, 15},
              .contrast = {0.3, 0.9, 1.1},
              .brightness = {0.3, -0.1, 0.1}};
    case base::Augment::medical:
      return {.flips_and_turns = true,
              .scale = {0.2, 0.7, 1.4},
              .rotation = {0.2, -180, 180},
              .blur = {0.2, 0.5, 1.0},
              .contrast = {0.15, 0.75, 1.25},
              .brightness = {0.15, -0.25, 0.25},
              .gamma = {0.3, 0.7, 1.5},
              .noise = {0.1, 0.0, 0.3}};
    case base::Augment::aerial:
      return {.flips_and_turns = true,
              .scale = {0.4, 0.67, 1.5},
              .rotation = {0.3, -45, 45},
              .blur = {0.1, 0.5, 1.0},
              .contrast = {0.5, 0.75, 1.25},
              .brightness = {0.5, -0.3, 0.3},
              .gamma = {0.2, 0.8, 1.25},
              .noise = {0.1, 0.0, 0.1}};
    case base::Augment::microscopy:
      return {.flips_and_turns = true,
              .elastic = {0.5, 2.0, 8.0},
              .scale = {0.3, 0.8, 1.25},
              .rotation = {0.3, -45, 45},
              .blur = {0.2, 0.5, 1.5},
              .contrast = {0.5, 0.75, 1.25},
              .brightness = {0.5, -0.25, 0.25},
              .gamma = {0.3, 0.7, 1.5},
              .noise = {0.2, 0.0, 0.2}};
  }
  return {};
}

}  // namespace headroom::data
