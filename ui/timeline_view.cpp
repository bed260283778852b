#include "ui/timeline_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ui {
namespace {

constexpr double kMs = 1e3;

bool is_sound(const plan::StepTimeline& timeline) {
  const std::size_t points = timeline.seconds.size();
  if (timeline.owners.empty() || points < 2) return false;
  if (timeline.live_bytes.size() != points * timeline.owners.size()) return false;
  if (timeline.peak_point >= points) return false;
  if (!std::ranges::all_of(timeline.seconds, [](double time) { return std::isfinite(time); })) {
    return false;
  }
  return std::ranges::is_sorted(timeline.seconds) &&
         timeline.seconds.back() > timeline.seconds.front();
}

/// Adds the owner's band on top of `top`, which it raises. Nothing where it never holds a byte.
void add_band(TimelineView& view, std::size_t owner, std::vector<double>& top) {
  const plan::StepTimeline& timeline = *view.timeline;
  const std::size_t points = view.ms.size();
  std::size_t first = points, last = 0;
  std::vector<double> upper(points);
  for (std::size_t point = 0; point < points; ++point) {
    const auto bytes = static_cast<double>(std::max<std::int64_t>(0, timeline.bytes(point, owner)));
    upper[point] = top[point] + bytes;
    if (bytes <= 0) continue;
    first = std::min(first, point);
    last = point;
  }
  if (first == points) return;
  // One point more on either side, so that the band begins and ends at no height.
  first = first == 0 ? 0 : first - 1;
  last = std::min(last + 1, points - 1);
  TimelineBand band{.owner = owner};
  for (std::size_t point = first; point <= last; ++point) {
    band.ms.push_back(view.ms[point]);
    band.lower.push_back(top[point]);
    band.upper.push_back(upper[point]);
  }
  view.bands.push_back(std::move(band));
  top = std::move(upper);
}

plan::Phase shown_phase(plan::Phase phase) {
  return phase == plan::Phase::loss ? plan::Phase::forward : phase;
}

void append(std::vector<TimelineBlock>& blocks, const TimelineBlock& block, bool is_more) {
  if (is_more) {
    blocks.back().end_ms = block.end_ms;
  } else {
    blocks.push_back(block);
  }
}

void add_blocks(TimelineView& view) {
  const auto owners = static_cast<int>(view.timeline->owners.size());
  for (const plan::TimelineSpan& span : view.timeline->spans) {
    if (!(span.end_seconds > span.begin_seconds) || !std::isfinite(span.begin_seconds) ||
        !std::isfinite(span.end_seconds)) {
      continue;
    }
    const bool has_owner = span.owner >= 0 && span.owner < owners;
    const TimelineBlock block{.begin_ms = span.begin_seconds * kMs,
                              .end_ms = span.end_seconds * kMs,
                              .phase = shown_phase(span.phase),
                              .owner = has_owner ? span.owner : plan::TimelineSpan::kNoOwner};
    const bool repeats = block.phase == plan::Phase::recompute;
    append(view.phases, block,
           !view.phases.empty() && view.phases.back().phase == block.phase &&
               (!repeats || view.phases.back().owner == block.owner));
    if (!has_owner) continue;
    append(view.stages, block,
           !view.stages.empty() && view.stages.back().owner == block.owner &&
               view.stages.back().end_ms >= block.begin_ms - 1e-6);
  }
}

std::size_t point_at(const TimelineView& view, double ms) {
  const auto after = std::ranges::upper_bound(view.ms, ms);
  return after == view.ms.begin()
             ? 0
             : static_cast<std::size_t>(std::distance(view.ms.begin(), after)) - 1;
}

}  // namespace

std::optional<TimelineView> view_of(std::shared_ptr<const plan::StepTimeline> timeline) {
  if (timeline == nullptr || !is_sound(*timeline)) return {};
  TimelineView view;
  view.timeline = std::move(timeline);
  for (const double seconds : view.timeline->seconds) view.ms.push_back(seconds * kMs);
  view.total_ms = std::max(view.timeline->total_seconds * kMs, view.ms.back());
  if (!std::isfinite(view.total_ms)) view.total_ms = view.ms.back();
  view.peak_point = view.timeline->peak_point;
  const std::size_t owners = view.timeline->owners.size();
  std::vector<double> top(view.ms.size(), 0);
  add_band(view, owners - 1, top);
  for (std::size_t owner = 0; owner + 1 < owners; ++owner) add_band(view, owner, top);
  view.total = std::move(top);
  add_blocks(view);
  return view;
}

std::string owner_title(const plan::StepTimeline& timeline, std::size_t owner) {
  const bool is_other = owner + 1 == timeline.owners.size() && timeline.owners[owner] == "other";
  return is_other ? "weights and other" : timeline.owners[owner];
}

HeldBytes held_at(const TimelineView& view, double ms, std::size_t owner) {
  const std::size_t point = point_at(view, ms);
  return {.own = owner < view.timeline->owners.size() ? view.timeline->bytes(point, owner) : 0,
          .total = view.timeline->total_bytes(point)};
}

const TimelineBand* band_at(const TimelineView& view, double ms, double bytes) {
  for (const TimelineBand& band : view.bands) {
    const auto after = std::ranges::upper_bound(band.ms, ms);
    if (after == band.ms.begin() || after == band.ms.end()) continue;
    const auto right = static_cast<std::size_t>(std::distance(band.ms.begin(), after));
    const double share =
        (ms - band.ms[right - 1]) / std::max(1e-12, band.ms[right] - band.ms[right - 1]);
    const auto at = [&](const std::vector<double>& edge) {
      return edge[right - 1] + share * (edge[right] - edge[right - 1]);
    };
    if (bytes >= at(band.lower) && bytes < at(band.upper)) return &band;
  }
  return nullptr;
}

}  // namespace headroom::ui
