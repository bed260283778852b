#include "core/formats/canvas.hpp"

namespace headroom::formats {

namespace {

/// Beyond this many pixels from a stroke its distance is not needed.
constexpr double kStrokeMargin = 6;

}  // namespace

NoiseField::NoiseField(std::int64_t size, double cell, int octaves, data::CounterRandom& random)
    : size_(size), values_(static_cast<std::size_t>(size * size), 0.0F) {
  double total = 0;
  for (int octave = 0; octave < octaves; ++octave) total += std::pow(0.5, octave);
  for (int octave = 0; octave < octaves; ++octave) {
    add_lattice(std::max(1.0, cell * std::pow(0.5, octave)), std::pow(0.5, octave) / total, random);
  }
}

void NoiseField::add_lattice(double cell, double weight, data::CounterRandom& random) {
  const auto nodes = static_cast<std::int64_t>(static_cast<double>(size_) / cell) + 2;
  std::vector<double> lattice(static_cast<std::size_t>(nodes * nodes));
  for (double& value : lattice) value = random.unit();
  std::vector<std::size_t> node(static_cast<std::size_t>(size_));
  std::vector<double> share(static_cast<std::size_t>(size_));
  for (std::size_t i = 0; i < node.size(); ++i) {
    const double position = static_cast<double>(i) / cell;
    node[i] = static_cast<std::size_t>(position);
    share[i] = smooth_step(0, 1, position - std::floor(position));
  }
  for (std::size_t y = 0; y < node.size(); ++y) {
    const double* upper = lattice.data() + node[y] * static_cast<std::size_t>(nodes);
    const double* lower = upper + nodes;
    float* row = values_.data() + y * node.size();
    for (std::size_t x = 0; x < node.size(); ++x) {
      const std::size_t at = node[x];
      const double above = upper[at] + (upper[at + 1] - upper[at]) * share[x];
      const double below = lower[at] + (lower[at + 1] - lower[at]) * share[x];
      row[x] += static_cast<float>(weight * (above + (below - above) * share[y]));
    }
  }
}

StrokeField::StrokeField(std::int64_t size)
    : size_(size),
      distances_(static_cast<std::size_t>(size * size), static_cast<float>(kStrokeMargin)) {}

void StrokeField::add(Point from, double from_radius, Point to, double to_radius) {
  const double reach = std::max(from_radius, to_radius) + kStrokeMargin;
  const auto low = [&](double a, double b) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(std::min(a, b) - reach)),
                                    0, size_);
  };
  const auto high = [&](double a, double b) {
    return std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(std::max(a, b) + reach)) + 1, 0, size_);
  };
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double squared_length = std::max(dx * dx + dy * dy, 1e-9);
  for (std::int64_t y = low(from.y, to.y); y < high(from.y, to.y); ++y) {
    for (std::int64_t x = low(from.x, to.x); x < high(from.x, to.x); ++x) {
      const double px = static_cast<double>(x) - from.x, py = static_cast<double>(y) - from.y;
      const double along = std::clamp((px * dx + py * dy) / squared_length, 0.0, 1.0);
      const double ex = px - along * dx, ey = py - along * dy;
      const double distance =
          std::sqrt(ex * ex + ey * ey) - (from_radius + along * (to_radius - from_radius));
      float& nearest = distances_[static_cast<std::size_t>(y * size_ + x)];
      nearest = std::min(nearest, static_cast<float>(distance));
    }
  }
}

Canvas::Canvas(std::int64_t size)
    : size_(size),
      colours_(static_cast<std::size_t>(size * size)),
      labels_(static_cast<std::size_t>(size * size), 0) {}

Box Canvas::around(Point centre, double reach) const {
  const auto cut = [&](double value) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(value)), 0, size_);
  };
  return {cut(centre.x - reach), cut(centre.y - reach), cut(centre.x + reach + 1),
          cut(centre.y + reach + 1)};
}

GeneratedSample Canvas::finish(double grain, data::CounterRandom& random) const {
  GeneratedSample sample;
  sample.image = {.height = size_, .width = size_, .channels = 3, .type = base::PixelType::u8};
  sample.image.pixels.reserve(colours_.size() * 3);
  for (const Rgb& colour : colours_) {
    // Eight bits each of one draw: the same grain in all channels, and a little in each.
    const std::uint64_t drawn = random.next();
    const auto part = [&](int shift) {
      return static_cast<double>(drawn >> shift & 255) / 127.5 - 1;
    };
    const double shared = 0.7 * part(24);
    const auto put = [&](double value, int shift) {
      const double noisy = value + grain * (shared + 0.3 * part(shift));
      sample.image.pixels.push_back(static_cast<std::byte>(std::clamp(noisy + 0.5, 0.0, 255.0)));
    };
    put(colour.r, 0);
    put(colour.g, 8);
    put(colour.b, 16);
  }
  sample.labels = {.height = size_, .width = size_, .labels = labels_};
  return sample;
}

}  // namespace headroom::formats
