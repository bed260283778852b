#include "core/plan/event_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/error.hpp"

namespace headroom::plan {
namespace {

struct MomentKey {
  Phase phase = Phase::data;
  int owner = TimelineSpan::kNoOwner;

  friend bool operator==(const MomentKey&, const MomentKey&) = default;
};

/// The points of a timeline that belong to one moment, in order.
struct MomentPoints {
  MomentKey key{};
  std::vector<std::size_t> points{};
};

/// Of each span. A repeat takes the key of the backward that follows it, the gap between two stages
/// that of the stage before it: not every plan has an event there.
std::vector<MomentKey> keys_of(const std::vector<TimelineSpan>& spans) {
  std::vector<MomentKey> keys(spans.size());
  MomentKey following{.phase = Phase::backward};
  for (std::size_t i = spans.size(); i-- > 0;) {
    if (spans[i].phase != Phase::recompute) following = {spans[i].phase, spans[i].owner};
    keys[i] = following;
  }
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const bool is_gap = keys[i].owner == TimelineSpan::kNoOwner;
    if (is_gap && keys[i].phase == keys[i - 1].phase) keys[i] = keys[i - 1];
  }
  return keys;
}

/// Where `points` of a backward see the last change of a block of `owner`: that many belong to it.
std::size_t tail_length(const StepTimeline& timeline, const std::vector<std::size_t>& points,
                        int owner) {
  std::size_t length = 0;
  const auto column = static_cast<std::size_t>(owner);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t point = points[i];
    if (point > 0 && timeline.bytes(point, column) != timeline.bytes(point - 1, column)) {
      length = i + 1;
    }
  }
  return length;
}

/// A backward goes on until its last block is gone, the gradient that it made for the next one
/// included. So few stages meet in each moment.
void move_tails(const StepTimeline& timeline, std::vector<MomentPoints>& moments) {
  for (std::size_t i = 1; i < moments.size(); ++i) {
    MomentPoints &moment = moments[i], &before = moments[i - 1];
    const bool is_backward =
        moment.key.phase == Phase::backward && before.key.phase == Phase::backward;
    if (!is_backward || before.key.owner == TimelineSpan::kNoOwner) continue;
    const std::size_t tail = tail_length(timeline, moment.points, before.key.owner);
    if (tail == moment.points.size()) continue;
    const auto end = moment.points.begin() + static_cast<std::ptrdiff_t>(tail);
    before.points.insert(before.points.end(), moment.points.begin(), end);
    moment.points.erase(moment.points.begin(), end);
  }
}

std::vector<MomentPoints> moments_of(const StepTimeline& timeline) {
  const std::vector<MomentKey> keys = keys_of(timeline.spans);
  std::vector<MomentPoints> moments;
  std::size_t span = 0;
  for (std::size_t point = 0; point < timeline.seconds.size(); ++point) {
    while (span + 1 < keys.size() && timeline.spans[span].end_seconds < timeline.seconds[point]) {
      ++span;
    }
    const MomentKey key = keys.empty() ? MomentKey{} : keys[span];
    auto place = std::ranges::find(moments, key, &MomentPoints::key);
    if (place == moments.end()) place = moments.insert(place, MomentPoints{.key = key});
    place->points.push_back(point);
  }
  move_tails(timeline, moments);
  return moments;
}

/// What an event did: whose bytes changed, and by how many.
struct Change {
  std::size_t owner = 0;
  std::int64_t bytes = 0;
};

Change change_at(const StepTimeline& timeline, std::size_t point) {
  for (std::size_t owner = 0; point > 0 && owner < timeline.owners.size(); ++owner) {
    const std::int64_t bytes = timeline.bytes(point, owner) - timeline.bytes(point - 1, owner);
    if (bytes != 0) return {owner, bytes};
  }
  return {};
}

std::vector<Change> changes_of(const StepTimeline& timeline,
                               const std::vector<std::size_t>& points) {
  std::vector<Change> changes;
  for (const std::size_t point : points) changes.push_back(change_at(timeline, point));
  return changes;
}

/// How much larger the large step's blocks can be than another step's.
struct Growth {
  double by_pixels = 1, by_image = 1;
};

/// How well a change of the large step can be one of the other: 0, it cannot. Most blocks stay as
/// they are or grow with the pixels.
std::uint32_t likeness(const Change& other, const Change& large, const Growth& growth) {
  constexpr double kTolerance = 0.02;
  if (other.owner != large.owner || (other.bytes > 0) != (large.bytes > 0)) return 0;
  if (other.bytes == large.bytes) return 2;
  const double ratio = static_cast<double>(large.bytes) / static_cast<double>(other.bytes);
  const auto is_near = [ratio](double expected) {
    return std::abs(ratio / expected - 1) < kTolerance;
  };
  if (is_near(growth.by_pixels) || is_near(growth.by_image)) return 2;
  return ratio > 1 - kTolerance && ratio < growth.by_image * (1 + kTolerance) ? 1 : 0;
}

/// The alignment of the greatest likeness that keeps both orders (Needleman and Wunsch 1970, gaps
/// are free): for each of `large` the index in `other` that it is paired with.
std::vector<std::optional<std::size_t>> partners_of(const std::vector<Change>& other,
                                                    const std::vector<Change>& large,
                                                    const Growth& growth) {
  const std::size_t columns = other.size() + 1;
  std::vector<std::uint32_t> best((large.size() + 1) * columns);
  const auto paired = [&](std::size_t i, std::size_t j) {
    const std::uint32_t like = likeness(other[j], large[i], growth);
    return like == 0 ? 0 : like + best[(i + 1) * columns + j + 1];
  };
  for (std::size_t i = large.size(); i-- > 0;) {
    for (std::size_t j = other.size(); j-- > 0;) {
      best[i * columns + j] =
          std::max({paired(i, j), best[(i + 1) * columns + j], best[i * columns + j + 1]});
    }
  }
  std::vector<std::optional<std::size_t>> partners(large.size());
  for (std::size_t i = 0, j = 0; i < large.size() && j < other.size();) {
    const std::uint32_t here = best[i * columns + j];
    if (here == paired(i, j) && here > 0) {
      partners[i++] = j++;
    } else if (here == best[(i + 1) * columns + j]) {
      ++i;
    } else {
      ++j;
    }
  }
  return partners;
}

double ratio_of(std::int64_t a, std::int64_t b) {
  return static_cast<double>(a) / static_cast<double>(b);
}

/// The same place in the three steps.
struct Place {
  std::size_t small = 0, batched = 0, large = 0;
};

class MomentPairing {
 public:
  explicit MomentPairing(const RecordedSizes& recorded) : recorded_(recorded) {}

  [[nodiscard]] PairedMoment pair(const MomentPoints& small, const MomentPoints& batched,
                                  const MomentPoints& large) const {
    PairedMoment moment{.phase = large.key.phase, .owner = large.key.owner};
    const auto small_partners = partners(recorded_.small, small.points, large.points);
    const auto batched_partners = partners(recorded_.batched, batched.points, large.points);
    // An event without partners follows the paired one before it; the first follows the moment's
    // beginning.
    std::vector<Place> places = {
        {small.points.front(), batched.points.front(), large.points.front()}};
    for (std::size_t i = 0; i < large.points.size(); ++i) {
      if (small_partners[i] && batched_partners[i]) {
        places.push_back({small.points[*small_partners[i]], batched.points[*batched_partners[i]],
                          large.points[i]});
      }
      const Place& place = places.back();
      moment.bytes_by_owner.push_back(
          bytes_at(place, recorded_.large.timeline, {place.large, large.points[i]}));
    }
    for (const std::size_t point : points_of_batch_alone(small, batched, batched_partners)) {
      const auto before = std::ranges::upper_bound(places, point, {}, &Place::batched);
      const Place& place = before == places.begin() ? places.front() : *std::prev(before);
      moment.bytes_by_owner.push_back(
          bytes_at(place, recorded_.batched.timeline, {place.batched, point}));
    }
    return moment;
  }

 private:
  [[nodiscard]] std::vector<std::optional<std::size_t>> partners(
      const RecordedStep& other, const std::vector<std::size_t>& other_points,
      const std::vector<std::size_t>& large_points) const {
    const StepPixels& pixels = recorded_.large.pixels;
    return partners_of(changes_of(other.timeline, other_points),
                       changes_of(recorded_.large.timeline, large_points),
                       {.by_pixels = ratio_of(pixels.step, other.pixels.step),
                        .by_image = ratio_of(pixels.image, other.pixels.image)});
  }

  /// Points of the batched step that neither one image of its size nor the large one has.
  [[nodiscard]] std::vector<std::size_t> points_of_batch_alone(
      const MomentPoints& small, const MomentPoints& batched,
      const std::vector<std::optional<std::size_t>>& partners_of_large) const {
    std::vector<bool> is_paired(batched.points.size(), false);
    for (const std::optional<std::size_t>& partner : partners_of_large) {
      if (partner) is_paired[*partner] = true;
    }
    const auto of_small = partners_of(
        changes_of(recorded_.small.timeline, small.points),
        changes_of(recorded_.batched.timeline, batched.points),
        {.by_pixels = ratio_of(recorded_.batched.pixels.step, recorded_.small.pixels.step)});
    std::vector<std::size_t> alone;
    for (std::size_t i = 0; i < batched.points.size(); ++i) {
      if (!is_paired[i] && !of_small[i]) alone.push_back(batched.points[i]);
    }
    return alone;
  }

  struct Stretch {
    std::size_t first = 0, last = 0;  ///< points of a timeline
  };

  /// Of all owners: the functions through the three points of `place`, and what changed over the
  /// `stretch` of one of the steps as a constant.
  [[nodiscard]] std::vector<Affine> bytes_at(const Place& place, const StepTimeline& step,
                                             const Stretch& stretch) const {
    std::vector<Affine> bytes;
    for (std::size_t owner = 0; owner < step.owners.size(); ++owner) {
      Affine function = through({recorded_.small.timeline.bytes(place.small, owner),
                                 recorded_.batched.timeline.bytes(place.batched, owner),
                                 recorded_.large.timeline.bytes(place.large, owner)});
      function.constant +=
          static_cast<double>(step.bytes(stretch.last, owner) - step.bytes(stretch.first, owner));
      bytes.push_back(function);
    }
    return bytes;
  }

  struct Bytes {
    std::int64_t small = 0, batched = 0, large = 0;
  };

  [[nodiscard]] Affine through(const Bytes& bytes) const {
    const auto &small = recorded_.small.pixels, &batched = recorded_.batched.pixels;
    const double per_pixel = ratio_of(bytes.batched - bytes.small, batched.step - small.step);
    const double of_one =
        ratio_of(bytes.large - bytes.small, recorded_.large.pixels.image - small.image);
    return {
        .constant = static_cast<double>(bytes.small) - of_one * static_cast<double>(small.image),
        .per_pixel = per_pixel,
        .per_image_pixel = of_one - per_pixel};
  }

  const RecordedSizes& recorded_;
};

[[noreturn]] void fail(const char* what) {
  throw base::Error(base::ErrorKind::internal,
                    {"finding out what a step takes", what, "Please report this"});
}

void check_sizes(const RecordedSizes& recorded) {
  const auto &small = recorded.small, &batched = recorded.batched, &large = recorded.large;
  const bool differ =
      small.pixels.step == small.pixels.image && batched.pixels.image == small.pixels.image &&
      batched.pixels.step > small.pixels.step && large.pixels.step == large.pixels.image &&
      large.pixels.image > small.pixels.image;
  if (!differ) fail("three steps whose sizes tell nothing");
  for (const RecordedStep* step : {&small, &batched}) {
    if (step->timeline.plan != large.timeline.plan ||
        step->timeline.owners != large.timeline.owners) {
      fail("three steps of different plans or networks");
    }
  }
}

}  // namespace

std::vector<PairedMoment> pair_events(const RecordedSizes& recorded) {
  check_sizes(recorded);
  const std::vector<MomentPoints> small = moments_of(recorded.small.timeline);
  const std::vector<MomentPoints> batched = moments_of(recorded.batched.timeline);
  const std::vector<MomentPoints> large = moments_of(recorded.large.timeline);
  const auto has_moments_of_large = [&large](const std::vector<MomentPoints>& moments) {
    return std::ranges::equal(moments, large, {}, &MomentPoints::key, &MomentPoints::key);
  };
  if (!has_moments_of_large(small) || !has_moments_of_large(batched)) {
    fail("three steps that went through different moments");
  }
  const MomentPairing pairing(recorded);
  std::vector<PairedMoment> moments;
  for (std::size_t i = 0; i < large.size(); ++i) {
    moments.push_back(pairing.pair(small[i], batched[i], large[i]));
  }
  return moments;
}

}  // namespace headroom::plan
