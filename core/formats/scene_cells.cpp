#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/formats/canvas.hpp"
#include "core/formats/scenes.hpp"

namespace headroom::formats {

namespace {

constexpr std::uint8_t kNucleus = 1;
/// In radii; no bump reaches as far.
constexpr double kFarOutside = 1.2;

struct Nucleus {
  Point centre{};
  double long_radius = 0, short_radius = 0;
  double angle = 0;
  std::array<double, 4> bumps{};  ///< strength and phase of two waves along the outline
  double brightness = 1;
  double sharpness = 1;  ///< width of the rim, pixels
};

Nucleus draw_nucleus(Point centre, double scale, data::CounterRandom& random) {
  Nucleus nucleus{.centre = centre};
  nucleus.long_radius = scale * random.between(11, 21);
  nucleus.short_radius = nucleus.long_radius * random.between(0.62, 0.95);
  nucleus.angle = random.between(0, std::numbers::pi);
  nucleus.bumps = {random.between(0.01, 0.06), random.between(0, 6.3), random.between(0.0, 0.035),
                   random.between(0, 6.3)};
  nucleus.brightness = random.between(0.55, 1.1);
  nucleus.sharpness = random.between(1.2, 3.5) * scale;
  return nucleus;
}

/// Signed distance to the outline, exact enough near it.
double distance_to(const Nucleus& nucleus, double x, double y) {
  const double dx = x - nucleus.centre.x, dy = y - nucleus.centre.y;
  const double c = std::cos(nucleus.angle), s = std::sin(nucleus.angle);
  const double u = (dx * c + dy * s) / nucleus.long_radius;
  const double v = (dy * c - dx * s) / nucleus.short_radius;
  const double radius = std::hypot(u, v);
  if (radius > kFarOutside) return nucleus.short_radius * (radius - kFarOutside) + 1;
  const double around = std::atan2(v, u);
  const double outline = 1 + nucleus.bumps[0] * std::sin(2 * around + nucleus.bumps[1]) +
                         nucleus.bumps[2] * std::sin(5 * around + nucleus.bumps[3]);
  return (radius - outline) * std::hypot(dx, dy) / std::max(radius, 1e-6);
}

bool overlaps(const Nucleus& a, const Nucleus& b) {
  const double gap = std::hypot(a.centre.x - b.centre.x, a.centre.y - b.centre.y);
  return gap < 0.82 * (a.short_radius + b.short_radius);
}

/// Clusters: each nucleus is set beside one that is there, or somewhere new.
std::vector<Nucleus> place_nuclei(std::int64_t size, double scale, data::CounterRandom& random) {
  const double side = static_cast<double>(size);
  const std::int64_t wanted = 60 + random.below(60);
  std::vector<Nucleus> nuclei;
  for (std::int64_t attempt = 0; attempt < 8 * wanted && std::ssize(nuclei) < wanted; ++attempt) {
    Point centre{random.between(0, side), random.between(0, side)};
    if (!nuclei.empty() && random.unit() < 0.6) {
      const Nucleus& near = nuclei[static_cast<std::size_t>(random.below(std::ssize(nuclei)))];
      const double direction = random.between(0, 2 * std::numbers::pi);
      const double reach = near.long_radius * random.between(1.5, 2.1);
      centre = {near.centre.x + reach * std::cos(direction),
                near.centre.y + reach * std::sin(direction)};
    }
    const Nucleus nucleus = draw_nucleus(centre, scale, random);
    bool is_free = true;
    for (const Nucleus& other : nuclei) is_free = is_free && !overlaps(nucleus, other);
    if (is_free) nuclei.push_back(nucleus);
  }
  return nuclei;
}

void draw_glow(Canvas& canvas, const Nucleus& nucleus, const Rgb& tint) {
  const double reach = 2.1 * nucleus.long_radius;
  canvas.draw(
      canvas.around(nucleus.centre, reach), std::nullopt, [](auto, auto) { return -1.0; },
      [&](std::int64_t x, std::int64_t y, double, const Rgb& below) {
        const double far = std::hypot(static_cast<double>(x) - nucleus.centre.x,
                                      static_cast<double>(y) - nucleus.centre.y);
        const double glow = 0.13 * nucleus.brightness * (1 - smooth_step(0.4 * reach, reach, far));
        return Rgb{below.r + glow * tint.r, below.g + glow * tint.g, below.b + glow * tint.b};
      });
}

void draw_body(Canvas& canvas, const Nucleus& nucleus, const Rgb& tint,
               const NoiseField& chromatin) {
  canvas.draw(
      canvas.around(nucleus.centre, 1.2 * nucleus.long_radius), kNucleus,
      [&](std::int64_t x, std::int64_t y) {
        return distance_to(nucleus, static_cast<double>(x), static_cast<double>(y));
      },
      [&](std::int64_t x, std::int64_t y, double distance, const Rgb& below) {
        const double rim = smooth_step(0, 2.2 * nucleus.sharpness, -distance);
        const double texture = chromatin.at(x, y);
        const double nucleolus = smooth_step(0.55, 0.85, texture);
        const double light = nucleus.brightness * (0.42 + 0.5 * rim) * (0.62 + 0.75 * texture) *
                             (1 - 0.45 * nucleolus);
        const Rgb lit = mix(scaled(tint, light), {235, 245, 255}, 0.22 * rim * light);
        return mix(below, lit, 0.35 + 0.65 * rim);
      });
}

}  // namespace

GeneratedSample draw_cells(std::int64_t size, data::CounterRandom& random) {
  const double scale = static_cast<double>(size) / 512;
  Canvas canvas(size);
  const NoiseField haze(size, 190 * scale, 3, random);
  const NoiseField chromatin(size, 11 * scale, 3, random);
  const Rgb tint = mix({70, 130, 255}, {60, 215, 240}, random.unit());
  canvas.draw(
      canvas.whole(), std::nullopt, [](auto, auto) { return -1.0; },
      [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
        return mix({5, 8, 20}, scaled(tint, 0.17), smooth_step(0.3, 0.8, haze.at(x, y)));
      });
  const std::vector<Nucleus> nuclei = place_nuclei(size, scale, random);
  for (const Nucleus& nucleus : nuclei) draw_glow(canvas, nucleus, tint);
  for (const Nucleus& nucleus : nuclei) draw_body(canvas, nucleus, tint, chromatin);
  return canvas.finish(4, random);
}

}  // namespace headroom::formats
