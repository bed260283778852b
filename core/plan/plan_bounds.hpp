#pragma once
// What a step costs at least and at most while only some of its stages have a policy: what the
// searches for plans stand on. Immutable once made; any thread.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/plan/cost_model.hpp"

namespace headroom::plan {

/// The policies' indices, two bits each, the first stage's highest; 0 where none is decided. Of two
/// plans the one with the smaller code comes first in order.
using PlanCode = std::uint64_t;

/// In which order stages get their policies.
enum class StageOrder {
  by_index,
  /// First and last, second and last but one, and so on: of a U-Net the two ends of each skip, so
  /// that few stages are ever decided whose tables wait for others.
  outer_first,
};

/// A row is the bytes of a moment, or the nanoseconds (the last row). With some stages decided each
/// row has a lower bound, the sum of its tables' least values; with all decided it is the cost
/// itself. `depth` is how many are decided.
class PlanBounds {
 public:
  PlanBounds(const SizedCosts& costs, StageOrder order);

  [[nodiscard]] std::size_t stages() const { return stages_; }
  [[nodiscard]] std::size_t policies() const { return policies_.size(); }
  [[nodiscard]] std::size_t rows() const { return seconds_row() + 1; }
  /// The rows before it are the moments.
  [[nodiscard]] std::size_t seconds_row() const { return root_.size() - 1; }

  /// Of all stages.
  [[nodiscard]] Plan plan_of(PlanCode code) const;
  /// The next stage gets `policy`, an index, after `depth` have theirs.
  [[nodiscard]] PlanCode with_policy(PlanCode code, std::size_t depth, std::size_t policy) const {
    return code | static_cast<PlanCode>(policy) << shift_of(order_[depth]);
  }

  /// [rows], with no stage decided.
  [[nodiscard]] const std::vector<std::int64_t>& root() const { return root_; }
  /// Adds to the lower bounds [rows] what changes with that; nothing becomes lower.
  void add_policy(PlanCode code, std::size_t depth, std::size_t policy,
                  std::span<std::int64_t> lower) const;
  /// How far above its lower bound each row can end [rows].
  void find_spread(PlanCode code, std::size_t depth, std::span<std::int64_t> spread) const;
  /// The bits of those decided stages that share a table with others. Codes that agree in them have
  /// the same add_policy and find_spread from there on.
  [[nodiscard]] PlanCode frontier(std::size_t depth) const { return frontiers_[depth]; }

 private:
  struct Table {
    std::size_t row = 0;
    std::vector<std::size_t> places{};  ///< of its stages in the order, ascending
    /// By how many of its stages are decided, then by their combination.
    std::vector<std::vector<std::int64_t>> least{}, most{};
  };
  struct Use {
    std::size_t table = 0;
    std::size_t decided = 0;  ///< of its stages, before this one
  };

  [[nodiscard]] unsigned shift_of(std::size_t stage) const {
    return static_cast<unsigned>(2 * (stages_ - 1 - stage));
  }
  [[nodiscard]] std::size_t policy_at(PlanCode code, std::size_t place) const {
    return static_cast<std::size_t>(code >> shift_of(order_[place])) & 3U;
  }
  void add_row(const std::vector<SizedTable>& tables);
  void find_uses();
  /// Of the first `count` stages of the table.
  [[nodiscard]] std::size_t combination(const Table& table, PlanCode code, std::size_t count) const;

  std::size_t stages_ = 0;
  std::vector<Policy> policies_{};
  std::vector<std::size_t> order_{};  ///< stages
  std::vector<Table> tables_{};
  std::vector<std::vector<Use>> uses_{};  ///< by place in the order
  std::vector<std::int64_t> root_{};
  std::vector<PlanCode> frontiers_{};  ///< [stages + 1]
};

}  // namespace headroom::plan
