#include "core/plan/plan_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace headroom::plan {
namespace {

void throw_where_stopped(const std::stop_token& stop) {
  if (!stop.stop_requested()) return;
  throw base::Error(
      base::ErrorKind::interrupted,
      {.attempted = "looking for a plan", .subject = "stopped", .remedy = "Start it again"});
}

/// Plans of which the first stages are decided, with the lower bounds of their rows.
struct PartialPlans {
  explicit PartialPlans(std::size_t row_count) : rows(row_count) {}

  std::size_t rows = 0;
  std::vector<PlanCode> codes{};
  std::vector<std::int64_t> lower{};  ///< [plans, rows]

  [[nodiscard]] std::size_t size() const { return codes.size(); }
  [[nodiscard]] std::span<const std::int64_t> bounds(std::size_t plan) const {
    return std::span(lower).subspan(plan * rows, rows);
  }
  void push_back(PlanCode code, std::span<const std::int64_t> bounds_of_rows) {
    codes.push_back(code);
    lower.insert(lower.end(), bounds_of_rows.begin(), bounds_of_rows.end());
  }
};

class Search {
 public:
  Search(const PlanBounds& bounds, SearchGoal goal, const SearchLimits& limits,
         const std::stop_token& stop)
      : bounds_(bounds),
        goal_(goal),
        limits_(bounds.rows(), limits.bytes),
        spread_(bounds.rows()),
        stop_(stop) {
    limits_.back() = limits.nanoseconds;
  }

  std::optional<FoundPlan> run() {
    PartialPlans plans(bounds_.rows());
    if (is_within_limits(bounds_.root())) plans.push_back(0, bounds_.root());
    for (std::size_t depth = 0; depth < bounds_.stages() && plans.size() > 0; ++depth) {
      plans = without_beaten(extended(plans, depth), depth + 1);
    }
    if (plans.size() == 0) return std::nullopt;
    // With all stages decided there is one group, its first is the best.
    return FoundPlan{.code = plans.codes.front(),
                     .peak_bytes = peak_of(plans.bounds(0)),
                     .nanoseconds = plans.bounds(0).back(),
                     .is_unique = goal_ == SearchGoal::nanoseconds && !tied_};
  }

  /// That were made so far.
  [[nodiscard]] std::size_t partial_plans() const { return partial_plans_; }

 private:
  [[nodiscard]] bool is_within_limits(std::span<const std::int64_t> lower) const {
    for (std::size_t row = 0; row < lower.size(); ++row) {
      if (lower[row] > limits_[row]) return false;
    }
    return true;
  }

  [[nodiscard]] std::int64_t peak_of(std::span<const std::int64_t> lower) const {
    const auto moments = lower.first(bounds_.seconds_row());
    return moments.empty() ? 0 : std::ranges::max(moments);
  }

  /// What is to be small; what follows cannot make it smaller.
  [[nodiscard]] std::int64_t rank_of(std::span<const std::int64_t> lower) const {
    switch (goal_) {
      case SearchGoal::nanoseconds:
        return lower.back();
      case SearchGoal::peak:
        return peak_of(lower);
      case SearchGoal::order:
        break;  // plans of one rank are sorted by their codes
    }
    return 0;
  }

  /// Every policy of the next stage with every plan, where that can end within the limits.
  PartialPlans extended(const PartialPlans& plans, std::size_t depth) {
    PartialPlans longer(plans.rows);
    std::vector<std::int64_t> added(plans.rows), lower(plans.rows);
    const PlanCode frontier = bounds_.frontier(depth);
    for (std::size_t begin = 0; begin < plans.size();) {
      throw_where_stopped(stop_);
      std::size_t end = begin;
      while (end < plans.size() && ((plans.codes[end] ^ plans.codes[begin]) & frontier) == 0) ++end;
      for (std::size_t policy = 0; policy < bounds_.policies(); ++policy) {
        std::ranges::fill(added, 0);
        bounds_.add_policy(plans.codes[begin], depth, policy, added);
        for (std::size_t i = begin; i < end; ++i) {
          std::ranges::transform(plans.bounds(i), added, lower.begin(), std::plus<>());
          if (!is_within_limits(lower)) continue;
          longer.push_back(bounds_.with_policy(plans.codes[i], depth, policy), lower);
        }
      }
      begin = end;
    }
    partial_plans_ += longer.size();
    return longer;
  }

  /// Of plans for which the same follows, one beats another if it is not worse whatever follows:
  /// its rank is not higher, and in each row it is not higher either, or stays within the limit
  /// anyway (for the peak: below the other's peak).
  PartialPlans without_beaten(const PartialPlans& plans, std::size_t depth) {
    std::vector<std::int64_t> ranks(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) {
      ranks[i] = rank_of(plans.bounds(i));
    }
    const PlanCode frontier = bounds_.frontier(depth);
    std::vector<std::size_t> order(plans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) {
      return std::tuple(plans.codes[i] & frontier, ranks[i], plans.codes[i]);
    });
    PartialPlans kept(plans.rows);
    for (std::size_t begin = 0; begin < order.size();) {
      throw_where_stopped(stop_);
      const PlanCode key = plans.codes[order[begin]] & frontier;
      std::size_t end = begin;
      while (end < order.size() && (plans.codes[order[end]] & frontier) == key) ++end;
      bounds_.find_spread(key, depth, spread_);
      keep_unbeaten(plans, std::span(order).subspan(begin, end - begin), kept);
      begin = end;
    }
    return kept;
  }

  /// `group` by rising rank.
  void keep_unbeaten(const PartialPlans& plans, std::span<const std::size_t> group,
                     PartialPlans& kept) {
    const std::vector<std::size_t> rows = rows_that_matter(plans, group);
    const std::size_t first_kept = kept.size();
    std::vector<std::int64_t> unbeaten;  // [plans kept, rows that matter]
    std::vector<std::int64_t> enough(rows.size());
    for (const std::size_t plan : group) {
      const auto lower = plans.bounds(plan);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        enough[i] = std::max(lower[rows[i]], harmless(rows[i], lower));
      }
      const std::size_t others = kept.size() - first_kept;
      const std::size_t better = first_not_above(unbeaten, others, enough);
      if (better == others) {
        for (const std::size_t row : rows) unbeaten.push_back(lower[row]);
        kept.push_back(plans.codes[plan], lower);
      } else if (rank_of(kept.bounds(first_kept + better)) == rank_of(lower)) {
        tied_ = true;
      }
    }
  }

  /// The first of `count` plans of `lower` [count, rows] that is above `enough` [rows] in no row;
  /// `count`: none.
  static std::size_t first_not_above(const std::vector<std::int64_t>& lower, std::size_t count,
                                     const std::vector<std::int64_t>& enough) {
    for (std::size_t plan = 0; plan < count; ++plan) {
      const std::int64_t* bounds = lower.data() + plan * enough.size();
      std::size_t row = 0;
      while (row < enough.size() && bounds[row] <= enough[row]) ++row;
      if (row == enough.size()) return plan;
    }
    return count;
  }

  /// A lower bound of this row up to here does a plan no harm beside one with bounds `other`.
  [[nodiscard]] std::int64_t harmless(std::size_t row, std::span<const std::int64_t> other) const {
    if (row == bounds_.seconds_row()) {
      if (goal_ == SearchGoal::nanoseconds) return std::numeric_limits<std::int64_t>::max();
      return limits_[row] - spread_[row];
    }
    return (goal_ == SearchGoal::peak ? peak_of(other) : limits_[row]) - spread_[row];
  }

  /// Without those that do no plan of the group harm.
  [[nodiscard]] std::vector<std::size_t> rows_that_matter(
      const PartialPlans& plans, std::span<const std::size_t> group) const {
    std::vector<std::size_t> rows;
    const auto least = plans.bounds(group.front());
    for (std::size_t row = 0; row < bounds_.rows(); ++row) {
      const std::int64_t most = harmless(row, least);
      if (std::ranges::any_of(group, [&](std::size_t i) { return plans.bounds(i)[row] > most; })) {
        rows.push_back(row);
      }
    }
    return rows;
  }

  const PlanBounds& bounds_;
  SearchGoal goal_;
  std::vector<std::int64_t> limits_{};  ///< [rows]
  std::vector<std::int64_t> spread_{};  ///< [rows], of the group at hand
  /// A plan was dropped for one of the same rank. Else, as nanoseconds add up, what was dropped
  /// ends slower than what it was dropped for.
  bool tied_ = false;
  std::size_t partial_plans_ = 0;
  const std::stop_token& stop_;
};

struct Range {
  std::int64_t least = 0, most = 0;
};

/// Where the goal's value lies for every plan within the limits.
Range range_of(SearchGoal goal, const PlanBounds& bounds, const SearchLimits& limits) {
  std::vector<std::int64_t> most(bounds.rows());
  bounds.find_spread(0, 0, most);
  const auto& least = bounds.root();
  std::ranges::transform(least, most, most.begin(), std::plus<>());
  if (goal == SearchGoal::nanoseconds) {
    return {.least = std::max(least.back(), limits.least_nanoseconds),
            .most = std::min(most.back(), limits.nanoseconds)};
  }
  if (bounds.seconds_row() == 0) return {.most = limits.bytes};
  return {.least = *std::max_element(least.begin(), std::prev(least.end())),
          .most = std::min(*std::max_element(most.begin(), std::prev(most.end())), limits.bytes)};
}

}  // namespace

std::optional<FoundPlan> search_plan(const PlanBounds& bounds, SearchGoal goal,
                                     const SearchLimits& limits, const std::stop_token& stop) {
  if (goal == SearchGoal::order) return Search(bounds, goal, limits, stop).run();
  // A close limit of the goal leaves few partial plans. It is widened until there is a plan.
  constexpr std::int64_t kFirstPart = 64, kGrowth = 4;
  SearchLimits close = limits;
  std::int64_t& limit = goal == SearchGoal::peak ? close.bytes : close.nanoseconds;
  const Range range = range_of(goal, bounds, limits);
  std::int64_t above = std::min(range.most - range.least, std::abs(range.least)) / kFirstPart;
  std::size_t partial_plans = 0;
  while (true) {
    limit = std::min(range.most, range.least + above);
    Search search(bounds, goal, close, stop);
    auto found = search.run();
    partial_plans += search.partial_plans();
    if (found) found->partial_plans = partial_plans;
    if (found || limit == range.most) return found;
    above = kGrowth * (above + 1);
  }
}

std::optional<FoundPlan> search_cheapest(const PlanBounds& bounds, const SearchLimits& limits,
                                         const std::stop_token& stop) {
  const auto fastest = search_plan(bounds, SearchGoal::nanoseconds, limits, stop);
  if (!fastest || fastest->is_unique) return fastest;
  const SearchLimits as_fast = {.bytes = fastest->peak_bytes, .nanoseconds = fastest->nanoseconds};
  const auto smallest = search_plan(bounds, SearchGoal::peak, as_fast, stop);
  const SearchLimits as_small = {.bytes = smallest->peak_bytes,
                                 .nanoseconds = fastest->nanoseconds};
  auto first = search_plan(bounds, SearchGoal::order, as_small, stop);
  first->partial_plans += fastest->partial_plans + smallest->partial_plans;
  return first;
}

}  // namespace headroom::plan
