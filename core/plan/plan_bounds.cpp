#include "core/plan/plan_bounds.hpp"

#include <algorithm>
#include <utility>

namespace headroom::plan {
namespace {

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

PlanBounds::PlanBounds(const SizedCosts& costs)
    : stages_(costs.stages),
      policies_(costs.policies),
      uses_(costs.stages),
      frontiers_(costs.stages + 1) {
  for (const SizedMoment& moment : costs.moments) add_row(moment.bytes);
  add_row(costs.nanoseconds);
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const Table& table = tables_[t];
    for (std::size_t i = 0; i < table.stages.size(); ++i) {
      uses_[table.stages[i]].push_back({.table = t, .position = i});
      for (std::size_t depth = table.stages[i] + 1; depth <= table.stages.back(); ++depth) {
        frontiers_[depth] |= PlanCode{3} << shift_of(table.stages[i]);
      }
    }
  }
}

void PlanBounds::add_row(std::vector<SizedTable> tables) {
  const std::size_t row = root_.size();
  root_.push_back(0);
  for (SizedTable& table : merged(std::move(tables), policies())) {
    Table& added = tables_.emplace_back();
    added.row = row;
    added.least =
        by_decided(table, policies(), [](auto a, auto b) { return std::min_element(a, b); });
    added.most =
        by_decided(table, policies(), [](auto a, auto b) { return std::max_element(a, b); });
    added.stages = std::move(table.stages);
    root_.back() += added.least.front().front();
  }
}

Plan PlanBounds::plan_of(PlanCode code) const {
  Plan plan;
  for (std::size_t stage = 0; stage < stages_; ++stage) {
    plan.push_back(policies_[policy_at(code, stage)]);
  }
  return plan;
}

std::size_t PlanBounds::combination(const Table& table, PlanCode code, std::size_t count) const {
  return combination_of(std::span(table.stages).first(count), policies(),
                        [&](std::size_t stage) { return policy_at(code, stage); });
}

void PlanBounds::add_policy(PlanCode code, std::size_t stage, std::size_t policy,
                            std::span<std::int64_t> lower) const {
  for (const Use& use : uses_[stage]) {
    const Table& table = tables_[use.table];
    const std::size_t before = combination(table, code, use.position);
    lower[table.row] += table.least[use.position + 1][before * policies() + policy] -
                        table.least[use.position][before];
  }
}

void PlanBounds::find_spread(PlanCode code, std::size_t depth,
                             std::span<std::int64_t> spread) const {
  std::ranges::fill(spread, 0);
  for (const Table& table : tables_) {
    const auto decided = static_cast<std::size_t>(std::ranges::lower_bound(table.stages, depth) -
                                                  table.stages.begin());
    const std::size_t at = combination(table, code, decided);
    spread[table.row] += table.most[decided][at] - table.least[decided][at];
  }
}

}  // namespace headroom::plan
