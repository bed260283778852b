#include "core/plan/trade_off.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/base/error.hpp"
#include "core/plan/plan_search.hpp"

namespace headroom::plan {
namespace {

/// Pareto front of what was added, by rising peak and falling nanoseconds.
class Front {
 public:
  /// Whether a point of the front is neither larger nor slower.
  [[nodiscard]] bool covers(std::int64_t peak_bytes, std::int64_t nanoseconds) const {
    const auto above = std::ranges::upper_bound(points_, peak_bytes, {}, &FoundPlan::peak_bytes);
    return above != points_.begin() && std::prev(above)->nanoseconds <= nanoseconds;
  }

  void add(const FoundPlan& point) {
    if (covers(point.peak_bytes, point.nanoseconds)) return;
    const auto first =
        std::ranges::lower_bound(points_, point.peak_bytes, {}, &FoundPlan::peak_bytes);
    const auto last = std::find_if(first, points_.end(), [&](const FoundPlan& each) {
      return each.nanoseconds < point.nanoseconds;
    });
    points_.insert(points_.erase(first, last), point);
  }

  /// For the cheapest plan within `budget`, where each point is that for its own peak: as slow as
  /// the point below at most, as fast as the one above at least.
  [[nodiscard]] SearchLimits limits_within(std::int64_t budget) const {
    SearchLimits limits = {.bytes = budget};
    const auto above = std::ranges::upper_bound(points_, budget, {}, &FoundPlan::peak_bytes);
    if (above != points_.begin()) limits.nanoseconds = std::prev(above)->nanoseconds;
    if (above != points_.end()) limits.least_nanoseconds = above->nanoseconds;
    return limits;
  }

  [[nodiscard]] const std::vector<FoundPlan>& points() const { return points_; }

 private:
  std::vector<FoundPlan> points_{};
};

/// Looks at every plan, in order, but for groups of plans that the front covers already. Wants
/// StageOrder::by_index: of equal plans the first one stays.
class Enumeration {
 public:
  Enumeration(const PlanBounds& bounds, const std::stop_token& stop)
      : bounds_(bounds), stop_(stop), lower_((bounds.stages() + 1) * bounds.rows()) {
    std::ranges::copy(bounds.root(), lower_.begin());
  }

  Front run() {
    visit(0, 0);
    return front_;
  }

 private:
  /// Lower bounds of the plan at hand with so many stages decided.
  std::span<std::int64_t> lower(std::size_t depth) {
    return std::span(lower_).subspan(depth * bounds_.rows(), bounds_.rows());
  }

  void visit(std::size_t depth, PlanCode code) {
    const auto here = lower(depth);
    const auto moments = here.first(bounds_.seconds_row());
    const std::int64_t peak = moments.empty() ? 0 : std::ranges::max(moments);
    const std::int64_t nanoseconds = here.back();
    if (std::max(peak, nanoseconds) > SizedTable::kMostSum) return;
    if (front_.covers(peak, nanoseconds)) return;
    if (depth == bounds_.stages()) {
      front_.add({.code = code, .peak_bytes = peak, .nanoseconds = nanoseconds});
      return;
    }
    if (stop_.stop_requested()) throw_interrupted();
    for (std::size_t policy = 0; policy < bounds_.policies(); ++policy) {
      const auto next = lower(depth + 1);
      std::ranges::copy(here, next.begin());
      bounds_.add_policy(code, depth, policy, next);
      visit(depth + 1, bounds_.with_policy(code, depth, policy));
    }
  }

  [[noreturn]] static void throw_interrupted() {
    throw base::Error(
        base::ErrorKind::interrupted,
        {.attempted = "computing the trade-off", .subject = "stopped", .remedy = "Start it again"});
  }

  const PlanBounds& bounds_;
  const std::stop_token& stop_;
  std::vector<std::int64_t> lower_{};  ///< [stages + 1, rows]
  Front front_{};
};

/// Budgets whose cheapest plan is not known yet, but for that of `low`.
struct Gap {
  std::int64_t low = 0, high = 0;
};

/// Solves for one budget after the other, each in the widest gap between the points known.
class Sampling {
 public:
  Sampling(const PlanBounds& bounds, std::size_t max_points, const std::stop_token& stop)
      : bounds_(bounds), max_points_(max_points), stop_(stop) {}

  /// False where a gap is left.
  bool run() {
    const auto fastest = search_cheapest(bounds_, {}, stop_);
    if (!fastest) return true;
    const auto least = search_plan(bounds_, SearchGoal::peak, {}, stop_);
    front_.add(*fastest);
    front_.add(search_cheapest(bounds_, {.bytes = least->peak_bytes}, stop_).value());
    if (least->peak_bytes == fastest->peak_bytes) return true;
    gaps_.push_back({.low = least->peak_bytes, .high = fastest->peak_bytes - 1});
    // Some go evenly over the whole range, or where plans lie close together at one end all would
    // go there.
    const auto even = static_cast<std::int64_t>(std::min<std::size_t>(max_points_ / 4, 16));
    const std::int64_t step = (fastest->peak_bytes - least->peak_bytes) / (even + 1);
    for (std::int64_t i = 1; i <= even; ++i) solve_for(fastest->peak_bytes - i * step);
    while (front_.points().size() < max_points_ && !all_closed()) solve_for(widest().high);
    return all_closed();
  }

  [[nodiscard]] const Front& front() const { return front_; }

 private:
  [[nodiscard]] bool all_closed() const { return gaps_.empty(); }

  [[nodiscard]] const Gap& widest() const {
    return *std::ranges::max_element(gaps_, {}, [](const Gap& gap) { return gap.high - gap.low; });
  }

  void solve_for(std::int64_t budget) {
    const auto gap = std::ranges::find_if(
        gaps_, [&](const Gap& each) { return each.low <= budget && budget <= each.high; });
    if (gap == gaps_.end()) return;
    const Gap open = *gap;
    gaps_.erase(gap);
    const FoundPlan found = search_cheapest(bounds_, front_.limits_within(budget), stop_).value();
    front_.add(found);
    if (budget < open.high) gaps_.push_back({.low = budget + 1, .high = open.high});
    if (open.low < found.peak_bytes) {
      gaps_.push_back({.low = open.low, .high = found.peak_bytes - 1});
    }
  }

  const PlanBounds& bounds_;
  std::size_t max_points_ = 0;
  const std::stop_token& stop_;
  std::vector<Gap> gaps_{};
  Front front_{};
};

bool is_enumerable(const SizedCosts& costs, std::size_t most) {
  std::size_t plans = 1;
  for (std::size_t stage = 0; stage < costs.stages; ++stage) {
    if (plans > most / costs.policies.size()) return false;
    plans *= costs.policies.size();
  }
  return plans <= most;
}

}  // namespace

TradeOff trade_off(const SizedCosts& costs, const TradeOffOptions& options,
                   const std::stop_token& stop) {
  const bool each = is_enumerable(costs, options.max_enumerated_plans);
  const PlanBounds bounds(costs, each ? StageOrder::by_index : StageOrder::outer_first);
  TradeOff curve;
  Front front;
  if (each) {
    front = Enumeration(bounds, stop).run();
  } else {
    Sampling sampling(bounds, options.max_solved_points, stop);
    curve.complete = sampling.run();
    front = sampling.front();
  }
  for (const FoundPlan& point : front.points()) {
    PlanChoice& choice = curve.points.emplace_back();
    choice.plan = bounds.plan_of(point.code);
    choice.predicted = predict(costs, choice.plan).value();
  }
  return curve;
}

std::vector<PlanChoice> thinned(const std::vector<PlanChoice>& points, double least_ratio) {
  std::vector<PlanChoice> shown;
  for (const PlanChoice& point : points) {
    const auto peak = static_cast<double>(point.predicted.peak_total_bytes);
    if (shown.empty() ||
        peak >= least_ratio * static_cast<double>(shown.back().predicted.peak_total_bytes)) {
      shown.push_back(point);
    }
  }
  if (!points.empty() && shown.back() != points.back()) {
    // The end takes the place of a neighbour that is too close to it.
    const auto close = static_cast<double>(shown.back().predicted.peak_total_bytes) * least_ratio;
    const auto end = static_cast<double>(points.back().predicted.peak_total_bytes);
    if (shown.size() > 1 && end < close) shown.pop_back();
    shown.push_back(points.back());
  }
  return shown;
}

}  // namespace headroom::plan
