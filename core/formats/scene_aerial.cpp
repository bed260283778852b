#include <cmath>
#include <numbers>
#include <vector>

#include "core/formats/canvas.hpp"
#include "core/formats/scenes.hpp"

namespace headroom::formats {

namespace {

constexpr std::uint8_t kVegetation = 1, kWater = 2, kRoad = 3, kBuilding = 4;

/// The town's own coordinates: turned, and bent a little, so that streets are not straight.
class TownGrid {
 public:
  TownGrid(std::int64_t size, double scale, data::CounterRandom& random)
      : half_(static_cast<double>(size) / 2),
        cosine_(0),
        sine_(0),
        bend_(scale * random.between(4, 14)),
        wave_(random.between(1.5, 3.0) / half_),
        phase_(random.between(0, 6.3)) {
    const double angle = random.between(-0.6, 0.6);
    cosine_ = std::cos(angle);
    sine_ = std::sin(angle);
  }

  [[nodiscard]] Point to_town(double x, double y) const {
    const double u = (x - half_) * cosine_ + (y - half_) * sine_;
    const double v = (y - half_) * cosine_ - (x - half_) * sine_;
    return {u + bend_ * std::sin(wave_ * v + phase_),
            v + bend_ * std::sin(wave_ * u + 1.7 * phase_)};
  }
  /// Within a pixel or two: the bend is undone at the bent place.
  [[nodiscard]] Point to_picture(Point town) const {
    const double u = town.x - bend_ * std::sin(wave_ * town.y + phase_);
    const double v = town.y - bend_ * std::sin(wave_ * town.x + 1.7 * phase_);
    return {half_ + u * cosine_ - v * sine_, half_ + v * cosine_ + u * sine_};
  }

 private:
  double half_, cosine_, sine_, bend_, wave_, phase_;
};

struct Street {
  double at = 0;  ///< u or v of its middle line
  double half_width = 0;
};

std::vector<Street> lay_streets(double reach, double scale, data::CounterRandom& random) {
  std::vector<Street> streets;
  double at = -reach + scale * random.between(0, 60);
  while (at < reach) {
    streets.push_back(
        {at, scale * (random.unit() < 0.3 ? random.between(9, 12) : random.between(5, 7))});
    at += scale * random.between(95, 165);
  }
  return streets;
}

double distance_to(const std::vector<Street>& streets, double at) {
  double nearest = 1e9;
  for (const Street& street : streets)
    nearest = std::min(nearest, std::abs(at - street.at) - street.half_width);
  return nearest;
}

struct House {
  Point middle{};  ///< town coordinates
  double half_length = 0, half_depth = 0;
  Rgb roof{};
  bool is_flat = false;
  double height = 0;  ///< length of the shadow, pixels
};

/// A river across the picture.
struct River {
  bool exists = false;
  double slope = 0, offset = 0, bend = 0, wave = 0, phase = 0, half_width = 0;

  [[nodiscard]] double distance(double x, double y) const {
    if (!exists) return 1e9;
    const double middle = offset + slope * x + bend * std::sin(wave * x + phase);
    return (std::abs(y - middle) - half_width - 0.12 * bend * std::sin(2.7 * wave * x)) /
           std::hypot(1.0, slope);
  }
};

enum class BlockUse { houses, halls, park, bare };

struct Block {
  double left = 0, right = 0, top = 0,
         bottom = 0;  ///< between the streets' edges, town coordinates
  BlockUse use = BlockUse::bare;
};

class Town {
 public:
  Town(std::int64_t size, data::CounterRandom& random)
      : size_(size),
        scale_(static_cast<double>(size) / 512),
        random_(random),
        grid_(size, scale_, random),
        fine_(size, 5 * scale_, 2, random),
        broad_(size, 120 * scale_, 4, random),
        canvas_(size) {
    const double reach = 0.8 * static_cast<double>(size);
    across_ = lay_streets(reach, scale_, random);
    down_ = lay_streets(reach, scale_, random);
    lay_river();
    use_blocks();
  }

  GeneratedSample draw() {
    draw_ground();
    draw_meadows();
    draw_river();
    draw_streets();
    draw_houses();
    draw_trees();
    return canvas_.finish(6, random_);
  }

 private:
  void lay_river() {
    const double side = static_cast<double>(size_);
    river_.exists = random_.unit() < 0.65;
    river_.slope = random_.between(-0.6, 0.6);
    river_.offset = side * random_.between(0.15, 0.85) - river_.slope * side / 2;
    river_.bend = scale_ * random_.between(15, 50);
    river_.wave = random_.between(3, 7) / side;
    river_.phase = random_.between(0, 6.3);
    river_.half_width = scale_ * random_.between(18, 42);
  }

  void use_blocks() {
    for (std::size_t i = 0; i + 1 < across_.size(); ++i) {
      for (std::size_t j = 0; j + 1 < down_.size(); ++j) {
        Block block{.left = across_[i].at + across_[i].half_width,
                    .right = across_[i + 1].at - across_[i + 1].half_width,
                    .top = down_[j].at + down_[j].half_width,
                    .bottom = down_[j + 1].at - down_[j + 1].half_width};
        const double drawn = random_.unit();
        block.use = drawn < 0.55   ? BlockUse::houses
                    : drawn < 0.67 ? BlockUse::halls
                    : drawn < 0.85 ? BlockUse::park
                                   : BlockUse::bare;
        if (block.use == BlockUse::houses) build(block, 19, 30, 8);
        if (block.use == BlockUse::halls) build(block, 40, 66, 10);
        if (block.use == BlockUse::park) plant(block);
        blocks_.push_back(block);
      }
    }
  }

  /// Lots along both directions with a house on most of them.
  void build(const Block& block, double least, double most, double gap) {
    const bool is_hall = least > 30;
    double v = block.top + scale_ * gap;
    while (v + scale_ * least < block.bottom) {
      const double depth =
          std::min(scale_ * random_.between(least, most), block.bottom - v - scale_ * 4);
      double u = block.left + scale_ * gap;
      while (u + scale_ * least < block.right) {
        const double length =
            std::min(scale_ * random_.between(least, most), block.right - u - scale_ * 4);
        if (random_.unit() < 0.84)
          add_house({u + length / 2, v + depth / 2}, length, depth, is_hall);
        u += length + scale_ * random_.between(gap - 2, gap + 6);
      }
      v += depth + scale_ * random_.between(gap, gap + 8);
    }
  }

  void add_house(Point middle, double length, double depth, bool is_hall) {
    House house{.middle = middle,
                .half_length = 0.5 * length * random_.between(0.78, 1.0),
                .half_depth = 0.5 * depth * random_.between(0.7, 1.0)};
    const Point place = grid_.to_picture(middle);
    if (river_.distance(place.x, place.y) < std::hypot(length, depth) * 0.6) return;
    house.is_flat = is_hall || random_.unit() < 0.25;
    const double tone = random_.unit();
    house.roof = house.is_flat ? mix({176, 178, 182}, {236, 234, 228}, tone)
                 : tone < 0.7  ? mix({150, 72, 50}, {196, 112, 78}, tone / 0.7)
                               : mix({98, 92, 96}, {130, 110, 100}, tone);
    house.height = scale_ * random_.between(4, is_hall ? 9 : 7);
    houses_.push_back(house);
  }

  void plant(const Block& block) {
    const double area = (block.right - block.left) * (block.bottom - block.top) / (scale_ * scale_);
    for (std::int64_t i = static_cast<std::int64_t>(area / 260); i > 0; --i) {
      trees_.push_back(grid_.to_picture(
          {random_.between(block.left, block.right), random_.between(block.top, block.bottom)}));
    }
  }

  [[nodiscard]] double street_distance(double x, double y) const {
    const Point town = grid_.to_town(x, y);
    return std::min(distance_to(across_, town.x), distance_to(down_, town.y));
  }

  void draw_ground() {
    const Rgb sand = mix({196, 176, 144}, {172, 156, 130}, random_.unit());
    canvas_.draw(
        canvas_.whole(), std::nullopt, [](auto, auto) { return -1.0; },
        [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
          return scaled(sand, 0.72 + 0.32 * broad_.at(x, y) + 0.24 * fine_.at(x, y));
        });
  }

  /// Grass where the broad noise is high; everywhere in parks.
  void draw_meadows() {
    const double level = random_.between(0.5, 0.58);
    const Rgb grass = mix({104, 128, 62}, {84, 122, 70}, random_.unit());
    canvas_.draw(
        canvas_.whole(), kVegetation,
        [&](std::int64_t x, std::int64_t y) { return 140 * scale_ * (level - broad_.at(x, y)); },
        [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
          return scaled(grass, 0.6 + 0.35 * broad_.at(x, y) + 0.5 * fine_.at(x, y));
        });
    for (const Block& block : blocks_) {
      if (block.use == BlockUse::park) draw_park(block, grass);
    }
  }

  void draw_park(const Block& block, const Rgb& grass) {
    const Point middle{(block.left + block.right) / 2, (block.top + block.bottom) / 2};
    const double inset = 3 * scale_;
    canvas_.draw(
        canvas_.around(grid_.to_picture(middle),
                       std::hypot(block.right - block.left, block.bottom - block.top)),
        kVegetation,
        [&](std::int64_t x, std::int64_t y) {
          const Point town = grid_.to_town(static_cast<double>(x), static_cast<double>(y));
          return inset + std::max({block.left - town.x, town.x - block.right, block.top - town.y,
                                   town.y - block.bottom});
        },
        [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
          return scaled(grass, 0.72 + 0.2 * broad_.at(x, y) + 0.42 * fine_.at(x, y));
        });
  }

  void draw_river() {
    const auto distance = [&](std::int64_t x, std::int64_t y) {
      return river_.distance(static_cast<double>(x), static_cast<double>(y));
    };
    canvas_.draw(
        canvas_.whole(), kWater, distance,
        [&](std::int64_t x, std::int64_t y, double d, const Rgb&) {
          const double depth = smooth_step(0, 16 * scale_, -d);
          return scaled(mix({110, 142, 132}, {38, 82, 104}, depth), 0.86 + 0.22 * fine_.at(x, y));
        });
  }

  void draw_streets() {
    const auto distance = [&](double margin) {
      return [this, margin](std::int64_t x, std::int64_t y) {
        return street_distance(static_cast<double>(x), static_cast<double>(y)) - margin;
      };
    };
    canvas_.draw(canvas_.whole(), std::nullopt, distance(2.2 * scale_),
                 [&](auto, auto, double, const Rgb& below) {
                   return mix(below, {206, 202, 194}, 0.75);
                 });
    canvas_.draw(canvas_.whole(), kRoad, distance(0),
                 [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
                   const Point town = grid_.to_town(static_cast<double>(x), static_cast<double>(y));
                   const double asphalt = 84 + 26 * fine_.at(x, y) + 18 * broad_.at(x, y);
                   const Rgb grey{asphalt, asphalt, asphalt + 4};
                   return mix(grey, {226, 224, 214}, marking(town));
                 });
  }

  /// Dashes on the middle line of wide streets.
  [[nodiscard]] double marking(Point town) const {
    const auto on = [&](const std::vector<Street>& streets, double at, double along) {
      for (const Street& street : streets) {
        const double off = std::abs(at - street.at);
        if (street.half_width > 8 * scale_ && off < 0.9 * scale_ &&
            std::fmod(along + 1e4 * scale_, 14 * scale_) < 7 * scale_)
          return 0.8;
      }
      return 0.0;
    };
    return std::max(on(across_, town.x, town.y), on(down_, town.y, town.x));
  }

  void draw_houses() {
    for (const House& house : houses_) draw_shadow(house);
    for (const House& house : houses_) draw_house(house);
  }

  [[nodiscard]] Box box_of(const House& house) const {
    return canvas_.around(
        grid_.to_picture(house.middle),
        std::hypot(house.half_length, house.half_depth) + 4 * scale_ + house.height);
  }

  [[nodiscard]] double distance_to_house(const House& house, double x, double y) const {
    const Point town = grid_.to_town(x, y);
    return std::max(std::abs(town.x - house.middle.x) - house.half_length,
                    std::abs(town.y - house.middle.y) - house.half_depth);
  }

  void draw_shadow(const House& house) {
    canvas_.draw(
        box_of(house), std::nullopt,
        [&](std::int64_t x, std::int64_t y) {
          return distance_to_house(house, static_cast<double>(x) - 0.8 * house.height,
                                   static_cast<double>(y) - 0.8 * house.height);
        },
        [](auto, auto, double, const Rgb& below) {
          return mix(below, {24, 28, 44}, 0.52);
        });
  }

  void draw_house(const House& house) {
    const bool ridge_along_u = house.half_length > house.half_depth;
    canvas_.draw(
        box_of(house), kBuilding,
        [&](std::int64_t x, std::int64_t y) {
          return distance_to_house(house, static_cast<double>(x), static_cast<double>(y));
        },
        [&](std::int64_t x, std::int64_t y, double d, const Rgb&) {
          const Point town = grid_.to_town(static_cast<double>(x), static_cast<double>(y));
          const double off = ridge_along_u ? town.y - house.middle.y : town.x - house.middle.x;
          const double tiles = 0.94 + 0.12 * fine_.at(x, y);
          if (house.is_flat) return scaled(house.roof, tiles * (d > -1.8 * scale_ ? 0.84 : 1.0));
          const double side = off < 0 ? 1.12 : 0.8;
          return scaled(house.roof, tiles * (std::abs(off) < 0.7 * scale_ ? 1.25 : side));
        });
  }

  void draw_trees() {
    for (const House& house : houses_) {
      if (random_.unit() < 0.45) {
        const double along = random_.between(-1, 1) * house.half_length;
        trees_.push_back(
            grid_.to_picture({house.middle.x + along,
                              house.middle.y + house.half_depth + scale_ * random_.between(4, 7)}));
      }
    }
    for (const Point& tree : trees_) {
      const double radius = scale_ * random_.between(3.2, 7.2);
      const Rgb leaves = mix({44, 78, 36}, {92, 122, 52}, random_.unit());
      if (may_stand(tree, radius)) draw_tree(tree, radius, leaves);
    }
  }

  [[nodiscard]] bool may_stand(Point tree, double radius) const {
    if (river_.distance(tree.x, tree.y) < radius || street_distance(tree.x, tree.y) < 0.7 * radius)
      return false;
    return std::ranges::none_of(houses_, [&](const House& house) {
      return distance_to_house(house, tree.x, tree.y) < 0.6 * radius;
    });
  }

  void draw_tree(Point tree, double radius, const Rgb& leaves) {
    const auto distance = [&](double shift) {
      return [&, shift](std::int64_t x, std::int64_t y) {
        const double far = std::hypot(static_cast<double>(x) - tree.x - shift,
                                      static_cast<double>(y) - tree.y - shift);
        return far - radius * (0.86 + 0.28 * fine_.at(x, y));
      };
    };
    const Box box = canvas_.around(tree, 1.8 * radius);
    canvas_.draw(box, std::nullopt, distance(0.5 * radius),
                 [](auto, auto, double, const Rgb& below) {
                   return mix(below, {20, 26, 34}, 0.5);
                 });
    canvas_.draw(
        box, kVegetation, distance(0), [&](std::int64_t x, std::int64_t y, double, const Rgb&) {
          const double light = (tree.x + tree.y - static_cast<double>(x + y)) / (2 * radius);
          return scaled(leaves, 0.75 + 0.35 * light + 0.4 * fine_.at(x, y));
        });
  }

  const std::int64_t size_;
  const double scale_;
  data::CounterRandom& random_;
  const TownGrid grid_;
  const NoiseField fine_, broad_;
  Canvas canvas_;
  std::vector<Street> across_, down_;
  River river_;
  std::vector<Block> blocks_;
  std::vector<House> houses_;
  std::vector<Point> trees_;
};

}  // namespace

GeneratedSample draw_aerial(std::int64_t size, data::CounterRandom& random) {
  return Town(size, random).draw();
}

}  // namespace headroom::formats
