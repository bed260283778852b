#include "core/plan/plan_bounds.hpp"

#include <algorithm>
#include <utility>

namespace headroom::plan {
namespace {

std::vector<std::size_t> stages_in(StageOrder order, std::size_t count) {
  std::vector<std::size_t> stages;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_from_end = order == StageOrder::outer_first && i % 2 == 1;
    stages.push_back(order == StageOrder::by_index ? i : is_from_end ? count - 1 - i / 2 : i / 2);
  }
  return stages;
}

/// The same table with its stages in the order of `order`, and named by their places in it.
SizedTable placed(const SizedTable& table, const std::vector<std::size_t>& order,
                  std::size_t policies) {
  SizedTable result;
  // For each stage of the result, what one policy more adds to the combination in `table`.
  std::vector<std::size_t> weights;
  for (std::size_t place = 0; place < order.size(); ++place) {
    std::size_t weight = 1;
    for (auto stage = table.stages.rbegin(); stage != table.stages.rend(); ++stage) {
      if (*stage == order[place]) {
        result.stages.push_back(place);
        weights.push_back(weight);
      }
      weight *= policies;
    }
  }
  for (std::size_t combination = 0; combination < table.values.size(); ++combination) {
    std::size_t rest = combination, source = 0;
    for (auto weight = weights.rbegin(); weight != weights.rend(); ++weight) {
      source += *weight * (rest % policies);
      rest /= policies;
    }
    result.values.push_back(table.values[source]);
  }
  return result;
}

bool contains_all(const std::vector<std::size_t>& stages, const std::vector<std::size_t>& part) {
  return std::ranges::includes(stages, part);
}

/// Adds `part`, whose stages are among those of `whole`, to `whole`.
void fold_in(const SizedTable& part, std::size_t policies, SizedTable& whole) {
  for (std::size_t combination = 0; combination < whole.values.size(); ++combination) {
    std::size_t rest = combination, part_combination = 0, weight = 1;
    auto wanted = part.stages.rbegin();
    for (auto stage = whole.stages.rbegin(); stage != whole.stages.rend(); ++stage) {
      if (wanted != part.stages.rend() && *stage == *wanted) {
        part_combination += weight * (rest % policies);
        weight *= policies;
        ++wanted;
      }
      rest /= policies;
    }
    whole.values[combination] += part.values[part_combination];
  }
}

/// The same sum in fewer tables, and so with closer bounds: each whose stages another one has too
/// becomes part of that.
std::vector<SizedTable> merged(std::vector<SizedTable> tables, std::size_t policies) {
  std::ranges::stable_sort(tables, [](const SizedTable& a, const SizedTable& b) {
    return a.stages.size() > b.stages.size();
  });
  std::vector<SizedTable> kept;
  for (SizedTable& table : tables) {
    const auto host = std::ranges::find_if(
        kept, [&](const SizedTable& each) { return contains_all(each.stages, table.stages); });
    if (host == kept.end()) {
      kept.push_back(std::move(table));
    } else {
      fold_in(table, policies, *host);
    }
  }
  return kept;
}

/// By how many of the stages are decided: `choose` of each group of as many entries as policies.
template <typename Choose>
std::vector<std::vector<std::int64_t>> by_decided(const SizedTable& table, std::size_t policies,
                                                  const Choose& choose) {
  std::vector<std::vector<std::int64_t>> levels(table.stages.size() + 1);
  levels.back() = table.values;
  for (std::size_t level = table.stages.size(); level > 0; --level) {
    for (std::size_t begin = 0; begin < levels[level].size(); begin += policies) {
      const auto first = levels[level].begin() + static_cast<std::ptrdiff_t>(begin);
      levels[level - 1].push_back(*choose(first, first + static_cast<std::ptrdiff_t>(policies)));
    }
  }
  return levels;
}

}  // namespace

PlanBounds::PlanBounds(const SizedCosts& costs, StageOrder order)
    : stages_(costs.stages),
      policies_(costs.policies),
      order_(stages_in(order, costs.stages)),
      uses_(costs.stages),
      frontiers_(costs.stages + 1) {
  for (const SizedMoment& moment : costs.moments) add_row(moment.bytes);
  add_row(costs.nanoseconds);
  find_uses();
}

void PlanBounds::add_row(const std::vector<SizedTable>& tables) {
  std::vector<SizedTable> in_order;
  for (const SizedTable& table : tables) in_order.push_back(placed(table, order_, policies()));
  std::int64_t lower = 0;
  for (SizedTable& table : merged(std::move(in_order), policies())) {
    Table& added = tables_.emplace_back();
    added.row = root_.size();
    added.least =
        by_decided(table, policies(), [](auto a, auto b) { return std::min_element(a, b); });
    added.most =
        by_decided(table, policies(), [](auto a, auto b) { return std::max_element(a, b); });
    added.places = std::move(table.stages);
    lower += added.least.front().front();
  }
  root_.push_back(lower);
}

void PlanBounds::find_uses() {
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const std::vector<std::size_t>& places = tables_[t].places;
    for (std::size_t i = 0; i < places.size(); ++i) {
      uses_[places[i]].push_back({.table = t, .decided = i});
      for (std::size_t depth = places[i] + 1; depth <= places.back(); ++depth) {
        frontiers_[depth] |= PlanCode{3} << shift_of(order_[places[i]]);
      }
    }
  }
}

Plan PlanBounds::plan_of(PlanCode code) const {
  Plan plan;
  for (std::size_t stage = 0; stage < stages_; ++stage) {
    plan.push_back(policies_[static_cast<std::size_t>(code >> shift_of(stage)) & 3U]);
  }
  return plan;
}

std::size_t PlanBounds::combination(const Table& table, PlanCode code, std::size_t count) const {
  return combination_of(std::span(table.places).first(count), policies(),
                        [&](std::size_t place) { return policy_at(code, place); });
}

void PlanBounds::add_policy(PlanCode code, std::size_t depth, std::size_t policy,
                            std::span<std::int64_t> lower) const {
  for (const Use& use : uses_[depth]) {
    const Table& table = tables_[use.table];
    const std::size_t before = combination(table, code, use.decided);
    lower[table.row] += table.least[use.decided + 1][before * policies() + policy] -
                        table.least[use.decided][before];
  }
}

void PlanBounds::find_spread(PlanCode code, std::size_t depth,
                             std::span<std::int64_t> spread) const {
  std::ranges::fill(spread, 0);
  for (const Table& table : tables_) {
    const auto decided = static_cast<std::size_t>(std::ranges::lower_bound(table.places, depth) -
                                                  table.places.begin());
    const std::size_t at = combination(table, code, decided);
    spread[table.row] += table.most[decided][at] - table.least[decided][at];
  }
}

}  // namespace headroom::plan
