#pragma once
// A picture and its labels, drawn together from signed distances: one shape decides both, so the
// labels are exact. Used by the generated data sets. Values; one thread each.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/data/counter_random.hpp"
#include "core/formats/generate.hpp"

namespace headroom::formats {

/// 0 … 255 each.
struct Rgb {
  double r = 0, g = 0, b = 0;
};

[[nodiscard]] inline Rgb mix(const Rgb& from, const Rgb& to, double share) {
  return {from.r + (to.r - from.r) * share, from.g + (to.g - from.g) * share,
          from.b + (to.b - from.b) * share};
}
[[nodiscard]] inline Rgb scaled(const Rgb& colour, double factor) {
  return {colour.r * factor, colour.g * factor, colour.b * factor};
}
/// 0 below `low`, 1 above `high`, smooth between.
[[nodiscard]] inline double smooth_step(double low, double high, double value) {
  const double t = std::clamp((value - low) / (high - low), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

struct Point {
  double x = 0, y = 0;
};

/// Pixels from (left, top) up to, but without, (right, bottom).
struct Box {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
};

/// Smooth random values, about uniform in [0, 1]: a sum of lattices, each twice as fine and half as
/// strong as the one before.
class NoiseField {
 public:
  /// `cell` is the coarsest lattice's width in pixels.
  NoiseField(std::int64_t size, double cell, int octaves, data::CounterRandom& random);
  [[nodiscard]] double at(std::int64_t x, std::int64_t y) const {
    return values_[static_cast<std::size_t>(y * size_ + x)];
  }

 private:
  void add_lattice(double cell, double weight, data::CounterRandom& random);

  std::int64_t size_;
  std::vector<float> values_;
};

/// Signed distance in pixels to the nearest of many strokes, far ones cut off; negative inside.
class StrokeField {
 public:
  explicit StrokeField(std::int64_t size);
  /// A segment whose radius changes from its start to its end.
  void add(Point from, double from_radius, Point to, double to_radius);
  [[nodiscard]] double at(std::int64_t x, std::int64_t y) const {
    return distances_[static_cast<std::size_t>(y * size_ + x)];
  }

 private:
  std::int64_t size_;
  std::vector<float> distances_;
};

class Canvas {
 public:
  explicit Canvas(std::int64_t size);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] Rgb& colour(std::int64_t x, std::int64_t y) { return colours_[at(x, y)]; }
  [[nodiscard]] std::uint8_t& label(std::int64_t x, std::int64_t y) { return labels_[at(x, y)]; }

  [[nodiscard]] Box whole() const { return {0, 0, size_, size_}; }
  /// The pixels within `reach` of a point, cut at the edges.
  [[nodiscard]] Box around(Point centre, double reach) const;

  /// Paints where distance(x, y) is negative, with smooth edges, and sets the label there where one
  /// is given. `paint` gets x, y, the distance and the colour below.
  template <typename Distance, typename Paint>
  void draw(const Box& box, std::optional<std::uint8_t> label, const Distance& distance,
            const Paint& paint) {
    for (std::int64_t y = box.top; y < box.bottom; ++y) {
      for (std::int64_t x = box.left; x < box.right; ++x) {
        const double d = distance(x, y);
        if (d >= 0.5) continue;
        Rgb& below = colour(x, y);
        below = mix(below, paint(x, y, d, below), std::min(1.0, 0.5 - d));
        if (label && d < 0) this->label(x, y) = *label;
      }
    }
  }

  /// 8-bit picture with fine grain of about `grain` levels.
  [[nodiscard]] GeneratedSample finish(double grain, data::CounterRandom& random) const;

 private:
  [[nodiscard]] std::size_t at(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * size_ + x);
  }

  std::int64_t size_;
  std::vector<Rgb> colours_;
  std::vector<std::uint8_t> labels_;
};

}  // namespace headroom::formats
