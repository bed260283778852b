#include "core/plan/event_pairs.hpp"

#include <algorithm>
#include <cstddef>
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

/// Of each span; a repeat takes the key of the backward that follows it.
std::vector<MomentKey> keys_of(const std::vector<TimelineSpan>& spans) {
  std::vector<MomentKey> keys(spans.size());
  MomentKey following{.phase = Phase::backward};
  for (std::size_t i = spans.size(); i-- > 0;) {
    if (spans[i].phase != Phase::recompute) following = {spans[i].phase, spans[i].owner};
    keys[i] = following;
  }
  return keys;
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
  return moments;
}

/// What an event did: whose bytes changed, and whether they grew.
struct Change {
  std::size_t owner = 0;
  bool grows = false;

  friend bool operator==(const Change&, const Change&) = default;
};

std::optional<Change> change_at(const StepTimeline& timeline, std::size_t point) {
  for (std::size_t owner = 0; point > 0 && owner < timeline.owners.size(); ++owner) {
    const std::int64_t difference = timeline.bytes(point, owner) - timeline.bytes(point - 1, owner);
    if (difference != 0) return Change{owner, difference > 0};
  }
  return std::nullopt;
}

std::vector<std::optional<Change>> changes_of(const StepTimeline& timeline,
                                              const std::vector<std::size_t>& points) {
  std::vector<std::optional<Change>> changes;
  for (const std::size_t point : points) changes.push_back(change_at(timeline, point));
  return changes;
}

/// The longest common subsequence: for each of `large` the index in `small` that it is paired with.
std::vector<std::optional<std::size_t>> partners_of(
    const std::vector<std::optional<Change>>& small,
    const std::vector<std::optional<Change>>& large) {
  const std::size_t columns = small.size() + 1;
  std::vector<std::uint32_t> length((large.size() + 1) * columns);
  for (std::size_t i = large.size(); i-- > 0;) {
    for (std::size_t j = small.size(); j-- > 0;) {
      length[i * columns + j] =
          large[i] == small[j]
              ? length[(i + 1) * columns + j + 1] + 1
              : std::max(length[(i + 1) * columns + j], length[i * columns + j + 1]);
    }
  }
  std::vector<std::optional<std::size_t>> partners(large.size());
  for (std::size_t i = 0, j = 0; i < large.size() && j < small.size();) {
    if (large[i] == small[j]) {
      partners[i++] = j++;
    } else if (length[(i + 1) * columns + j] >= length[i * columns + j + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
  return partners;
}

class MomentPairing {
 public:
  MomentPairing(const RecordedStep& small, const RecordedStep& large)
      : small_(small), large_(large) {}

  [[nodiscard]] PairedMoment pair(const MomentPoints& small, const MomentPoints& large) const {
    PairedMoment moment{.phase = large.key.phase, .owner = large.key.owner};
    const auto partners = partners_of(changes_of(small_.timeline, small.points),
                                      changes_of(large_.timeline, large.points));
    // An unpaired event follows the paired one before it; the first follows the moment's beginning.
    std::size_t small_point = small.points.front(), large_point = large.points.front();
    for (std::size_t i = 0; i < large.points.size(); ++i) {
      if (partners[i]) {
        small_point = small.points[*partners[i]];
        large_point = large.points[i];
      }
      moment.bytes_by_owner.push_back(bytes_at(small_point, large_point, large.points[i]));
    }
    return moment;
  }

 private:
  /// Of all owners: the functions through the paired points, and what changed since at the large
  /// size as a constant.
  [[nodiscard]] std::vector<Affine> bytes_at(std::size_t small_point, std::size_t large_point,
                                             std::size_t point) const {
    std::vector<Affine> bytes;
    for (std::size_t owner = 0; owner < large_.timeline.owners.size(); ++owner) {
      const auto at_small = static_cast<double>(small_.timeline.bytes(small_point, owner));
      const auto at_large = static_cast<double>(large_.timeline.bytes(large_point, owner));
      const auto extra =
          static_cast<double>(large_.timeline.bytes(point, owner)) - at_large;
      const double slope =
          (at_large - at_small) / static_cast<double>(large_.pixels - small_.pixels);
      bytes.push_back({.constant = at_large - slope * static_cast<double>(large_.pixels) + extra,
                       .per_pixel = slope});
    }
    return bytes;
  }

  const RecordedStep& small_;
  const RecordedStep& large_;
};

[[noreturn]] void fail(const char* what) {
  throw base::Error(base::ErrorKind::internal,
                    {"finding out what a step takes", what, "Please report this"});
}

}  // namespace

std::vector<PairedMoment> pair_events(const RecordedStep& small, const RecordedStep& large) {
  if (small.pixels == large.pixels) fail("two steps of the same size");
  if (small.timeline.plan != large.timeline.plan ||
      small.timeline.owners != large.timeline.owners) {
    fail("two steps of different plans or networks");
  }
  const std::vector<MomentPoints> small_moments = moments_of(small.timeline);
  const std::vector<MomentPoints> large_moments = moments_of(large.timeline);
  if (!std::ranges::equal(small_moments, large_moments, {}, &MomentPoints::key,
                          &MomentPoints::key)) {
    fail("two steps that went through different moments");
  }
  const MomentPairing pairing(small, large);
  std::vector<PairedMoment> moments;
  for (std::size_t i = 0; i < large_moments.size(); ++i) {
    moments.push_back(pairing.pair(small_moments[i], large_moments[i]));
  }
  return moments;
}

}  // namespace headroom::plan
