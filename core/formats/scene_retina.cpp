#include <cmath>
#include <numbers>
#include <vector>

#include "core/formats/canvas.hpp"
#include "core/formats/scenes.hpp"

namespace headroom::formats {

namespace {

constexpr std::uint8_t kVessel = 1, kDisc = 2, kLesion = 3;
constexpr double kPi = std::numbers::pi;

/// One eye: where things lie. `side` is 1 where the disc is right of the middle, else -1.
struct Eye {
  double scale = 1;
  Point middle{};
  double radius = 0;
  Point disc{};
  double disc_radius = 0;
  Point macula{};
  double side = 1;

  [[nodiscard]] bool holds(Point p, double margin) const {
    return std::hypot(p.x - middle.x, p.y - middle.y) < radius - margin;
  }
};

Eye draw_eye(std::int64_t size, data::CounterRandom& random) {
  Eye eye{.scale = static_cast<double>(size) / 512};
  const double half = static_cast<double>(size) / 2;
  eye.middle = {half - 0.5, half - 0.5};
  eye.radius = 0.95 * half;
  eye.side = random.below(2) == 0 ? 1 : -1;
  eye.disc = {half + eye.side * half * random.between(0.42, 0.52),
              half + half * random.between(-0.1, 0.1)};
  eye.disc_radius = half * random.between(0.125, 0.155);
  eye.macula = {half - eye.side * half * random.between(0.1, 0.2),
                half + half * random.between(-0.05, 0.1)};
  return eye;
}

/// A vessel that grows step by step, bends around the macula and splits.
struct Shoot {
  Point at{};
  double heading = 0;
  double radius = 0;
  double bend = 0;  ///< radians a step
  int generation = 0;
};

class VesselTree {
 public:
  VesselTree(const Eye& eye, StrokeField& field, data::CounterRandom& random)
      : eye_(eye), field_(field), random_(random) {}

  /// Grows from the disc; `heading` counter-clockwise from the x axis, y upwards.
  void grow(double heading, double radius, double bend) {
    shoots_.push_back({eye_.disc, heading, radius, bend, 0});
    while (!shoots_.empty()) {
      const Shoot shoot = shoots_.back();
      shoots_.pop_back();
      follow(shoot);
    }
  }

 private:
  void follow(Shoot shoot) {
    const double step = 5 * eye_.scale;
    double since_split = 0;
    while (shoot.radius > 0.45 * eye_.scale && eye_.holds(shoot.at, 3 * eye_.scale)) {
      const Shoot before = shoot;
      shoot.heading += shoot.bend + random_.between(-0.09, 0.09);
      shoot.at = {before.at.x + step * std::cos(shoot.heading),
                  before.at.y - step * std::sin(shoot.heading)};
      shoot.radius *= 0.988;
      // Towards the macula vessels thin out and end.
      const double to_macula = std::hypot(shoot.at.x - eye_.macula.x, shoot.at.y - eye_.macula.y);
      if (to_macula < 0.24 * eye_.radius) shoot.radius *= 0.86;
      field_.add(before.at, before.radius, shoot.at, shoot.radius);
      since_split += step;
      if (since_split > 26 * eye_.scale && shoot.generation < 3 && random_.unit() < 0.16) {
        split(shoot);
        since_split = 0;
      }
    }
  }

  void split(Shoot& shoot) {
    const double turn = (random_.below(2) == 0 ? 1 : -1) * random_.between(0.45, 0.95);
    Shoot child = shoot;
    child.heading += turn;
    child.bend = -0.02 * turn;
    child.radius *= random_.between(0.55, 0.75);
    ++child.generation;
    shoots_.push_back(child);
    shoot.heading -= 0.2 * turn;
    shoot.radius *= 0.9;
  }

  const Eye& eye_;
  StrokeField& field_;
  data::CounterRandom& random_;
  std::vector<Shoot> shoots_;
};

/// Four arcades, above and below, towards the macula and away from it.
StrokeField grow_vessels(const Eye& eye, double radius, double offset,
                         data::CounterRandom& random) {
  StrokeField field(static_cast<std::int64_t>(std::lround(512 * eye.scale)));
  VesselTree tree(eye, field, random);
  const double towards = eye.side > 0 ? kPi : 0;
  for (const double up : {1.0, -1.0}) {
    const double turn = up * eye.side;
    tree.grow(towards - turn * (1.15 + offset + random.between(-0.1, 0.1)),
              radius * random.between(0.9, 1.1), turn * random.between(0.016, 0.024));
    tree.grow(towards + kPi + turn * (0.75 + offset + random.between(-0.15, 0.15)), 0.75 * radius,
              -turn * random.between(0.0, 0.012));
    tree.grow(towards - turn * (0.3 + offset + random.between(-0.15, 0.15)), 0.45 * radius,
              turn * random.between(-0.01, 0.01));
  }
  return field;
}

double distance_to_ellipse(double dx, double dy, double rx, double ry) {
  const double radius = std::hypot(dx / rx, dy / ry);
  return (radius - 1) * std::min(rx, ry);
}

void draw_ground(Canvas& canvas, const Eye& eye, data::CounterRandom& random) {
  const NoiseField mottle(canvas.size(), 60 * eye.scale, 4, random);
  const Rgb bright = mix({226, 112, 52}, {206, 92, 46}, random.unit());
  const Rgb dark = mix({126, 44, 22}, {104, 38, 24}, random.unit());
  canvas.draw(
      canvas.whole(), std::nullopt, [](auto, auto) { return -1.0; },
      [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
        const Point p{static_cast<double>(x), static_cast<double>(y)};
        const double far = std::hypot(p.x - eye.middle.x, p.y - eye.middle.y) / eye.radius;
        const double macula = std::hypot(p.x - eye.macula.x, p.y - eye.macula.y) / eye.radius;
        const double disc = std::hypot(p.x - eye.disc.x, p.y - eye.disc.y) / eye.radius;
        const double light = 0.95 - 0.55 * far * far + 0.4 * (mottle.at(x, y) - 0.5) +
                             0.25 * (1 - smooth_step(0.1, 0.55, disc));
        const double shade = 0.5 * (1 - smooth_step(0.02, 0.27, macula));
        return scaled(mix(dark, bright, std::clamp(light, 0.0, 1.15)), 1 - shade);
      });
}

void draw_disc(Canvas& canvas, const Eye& eye) {
  const auto distance = [&](double share) {
    return [&eye, share](std::int64_t x, std::int64_t y) {
      return distance_to_ellipse(static_cast<double>(x) - eye.disc.x,
                                 static_cast<double>(y) - eye.disc.y,
                                 0.92 * share * eye.disc_radius, share * eye.disc_radius);
    };
  };
  const Box box = canvas.around(eye.disc, 1.2 * eye.disc_radius);
  canvas.draw(box, kDisc, distance(1.0), [&](auto, auto, double d, const Rgb& below) {
    return mix(below, {250, 205, 132}, 0.45 + 0.5 * smooth_step(0, 0.5 * eye.disc_radius, -d));
  });
  canvas.draw(box, std::nullopt, distance(0.45), [&](auto, auto, double d, const Rgb& below) {
    return mix(below, {255, 240, 198}, 0.9 * smooth_step(0, 0.25 * eye.disc_radius, -d));
  });
}

void draw_vessels(Canvas& canvas, const Eye& eye, const StrokeField& field, const Rgb& tint,
                  double reflex) {
  canvas.draw(
      canvas.whole(), kVessel, [&](std::int64_t x, std::int64_t y) { return field.at(x, y); },
      [&](std::int64_t, std::int64_t, double d, const Rgb& below) {
        const double depth = smooth_step(0, 1.6 * eye.scale, -d);
        const Rgb wall = mix(below, tint, 0.62 + 0.25 * depth);
        return mix(wall, {236, 140, 96}, reflex * smooth_step(2.2 * eye.scale, 4 * eye.scale, -d));
      });
}

void draw_lesions(Canvas& canvas, const Eye& eye, data::CounterRandom& random) {
  const std::int64_t count = 4 + random.below(14);
  for (std::int64_t i = 0; i < count; ++i) {
    const double direction = random.between(0, 2 * kPi),
                 far = eye.radius * std::sqrt(random.between(0.01, 0.7));
    const Point centre{eye.middle.x + far * std::cos(direction),
                       eye.middle.y + far * std::sin(direction)};
    if (std::hypot(centre.x - eye.disc.x, centre.y - eye.disc.y) < 1.6 * eye.disc_radius) continue;
    const bool is_exudate = random.unit() < 0.5;
    const double rx = eye.scale * random.between(2.2, is_exudate ? 6.0 : 8.0),
                 ry = rx * random.between(0.6, 1.0);
    const double wave = random.between(0, 6.3);
    canvas.draw(
        canvas.around(centre, 1.4 * rx), kLesion,
        [&](std::int64_t x, std::int64_t y) {
          const double dx = static_cast<double>(x) - centre.x,
                       dy = static_cast<double>(y) - centre.y;
          return distance_to_ellipse(dx, dy, rx, ry) -
                 0.12 * rx * std::sin(2 * std::atan2(dy, dx) + wave);
        },
        [&](auto, auto, double d, const Rgb& below) {
          const Rgb tint = is_exudate ? Rgb{252, 226, 140} : Rgb{92, 14, 12};
          return mix(below, tint, 0.55 + 0.4 * smooth_step(0, 2 * eye.scale, -d));
        });
  }
}

void hide_outside(Canvas& canvas, const Eye& eye) {
  canvas.draw(
      canvas.whole(), base::kIgnoreLabel,
      [&](std::int64_t x, std::int64_t y) {
        return eye.radius - std::hypot(static_cast<double>(x) - eye.middle.x,
                                       static_cast<double>(y) - eye.middle.y);
      },
      [](auto, auto, double, const Rgb&) {
        return Rgb{4, 3, 3};
      });
}

}  // namespace

GeneratedSample draw_retina(std::int64_t size, data::CounterRandom& random) {
  Canvas canvas(size);
  const Eye eye = draw_eye(size, random);
  draw_ground(canvas, eye, random);
  draw_disc(canvas, eye);
  draw_lesions(canvas, eye, random);
  draw_vessels(canvas, eye, grow_vessels(eye, 4.6 * eye.scale, 0.12, random), {96, 16, 20}, 0.12);
  draw_vessels(canvas, eye, grow_vessels(eye, 3.4 * eye.scale, -0.12, random), {168, 40, 30}, 0.5);
  hide_outside(canvas, eye);
  return canvas.finish(5, random);
}

}  // namespace headroom::formats
