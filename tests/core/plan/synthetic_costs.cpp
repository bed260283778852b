#include "tests/core/plan/synthetic_costs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace headroom::tests {
namespace {

using plan::Affine;
using plan::CostTable;
using plan::Phase;
using plan::Policy;
using plan::StepCosts;
using plan::StepMoment;

constexpr std::array kPolicies = {Policy::keep, Policy::light, Policy::full, Policy::offload};

/// The same on every platform, which std's distributions are not.
std::size_t below(std::size_t bound, std::mt19937_64& random) { return random() % bound; }
double between(double low, double high, std::mt19937_64& random) {
  return low + (high - low) * static_cast<double>(random() >> 11U) * 0x1p-53;
}

std::size_t power(std::size_t base, std::size_t exponent) {
  std::size_t product = 1;
  for (std::size_t i = 0; i < exponent; ++i) product *= base;
  return product;
}

std::vector<Affine> arbitrary_envelope(std::mt19937_64& random) {
  std::vector<Affine> envelope;
  if (below(40, random) == 0) return envelope;
  for (std::size_t i = 0; i <= below(3, random); ++i) {
    envelope.push_back({.constant = static_cast<double>(below(12, random)) - 2,
                        .per_pixel = static_cast<double>(below(9, random)) / 8});
  }
  return envelope;
}

std::vector<CostTable> arbitrary_tables(std::size_t stages, std::size_t policies,
                                        std::mt19937_64& random) {
  std::vector<CostTable> tables;
  for (std::size_t i = 0; i <= stages; ++i) {
    CostTable& table = tables.emplace_back();
    while (stages > 0 && table.stages.size() < below(4, random)) {
      table.stages.push_back(below(stages, random));
    }
    std::ranges::sort(table.stages);
    table.stages.erase(std::unique(table.stages.begin(), table.stages.end()), table.stages.end());
    for (std::size_t c = 0; c < power(policies, table.stages.size()); ++c) {
      table.by_combination.push_back(arbitrary_envelope(random));
    }
  }
  return tables;
}

/// Writes the costs of one U-Net; what is drawn at random is drawn once per stage and policy.
class UnetCosts {
 public:
  UnetCosts(const UnetCostsOptions& options, std::mt19937_64& random)
      : options_(options), random_(random) {
    costs_.stages = plan::unet_stage_names(options.levels);
    costs_.policies.assign(kPolicies.begin(),
                           kPolicies.begin() + static_cast<std::ptrdiff_t>(options.policies));
    costs_.stride = std::int64_t{1} << (options.levels - 1);
    for (std::size_t stage = 0; stage < count(); ++stage) {
      for (std::size_t policy = 0; policy < options.policies; ++policy) {
        held_.push_back(kHeldTensors[policy] * tensor_bytes(stage) * off());
        working_.push_back(kWorkingTensors[policy] * tensor_bytes(stage) * off());
        seconds_.push_back(kRepeated[policy] * stage_seconds() * off());
      }
    }
  }

  StepCosts write() {
    for (std::size_t stage = 0; stage < count(); ++stage) add_moment(Phase::forward, stage);
    costs_.moments.push_back({.phase = Phase::loss,
                              .owner = static_cast<int>(count()),
                              .bytes = tables_of(count() - 1, 24, count())});
    for (std::size_t stage = count(); stage-- > 0;) add_moment(Phase::backward, stage);
    costs_.moments.push_back({.phase = Phase::optimizer, .owner = -1, .bytes = {constant(96e6)}});
    for (std::size_t stage = 0; stage < count(); ++stage) add_seconds(stage);
    costs_.seconds.push_back(constant(0.01));
    costs_.validation_bytes = {{.constant = 40e6, .per_pixel = 500}};
    return costs_;
  }

 private:
  // Of a stage, by policy; in tensors of the stage's resolution and width, and in shares of its
  // forward.
  static constexpr std::array kHeldTensors = {6.0, 3.0, 1.2, 0.2};
  static constexpr std::array kWorkingTensors = {3.0, 4.0, 6.0, 5.0};
  static constexpr std::array kRepeated = {0.0, 0.08, 0.9, 0.35};

  [[nodiscard]] std::size_t count() const { return costs_.stages.size(); }
  double off() { return between(1 - options_.spread, 1 + options_.spread, random_); }

  /// A pixel of the input: 32 channels of 4 bytes, twice the channels at a quarter of the pixels
  /// with each level.
  [[nodiscard]] double tensor_bytes(std::size_t stage) const {
    const auto deepest = static_cast<std::size_t>(options_.levels - 1);
    const std::size_t level = stage <= deepest ? stage : 2 * deepest - stage;
    return 128.0 / static_cast<double>(power(2, level));
  }
  static double stage_seconds() { return 1.5e-7; }

  static CostTable constant(double value) {
    return {.stages = {}, .by_combination = {{{.constant = value, .per_pixel = 0}}}};
  }

  [[nodiscard]] std::size_t policy_at(const std::vector<std::size_t>& stages,
                                      std::size_t combination, std::size_t position) const {
    return combination / power(options_.policies, stages.size() - 1 - position) % options_.policies;
  }

  /// `bytes(stage, policy)` summed over the stages, for each of their combinations.
  template <typename Bytes>
  CostTable table_over(std::vector<std::size_t> stages, const Bytes& bytes, double off_by) {
    CostTable table = {.stages = std::move(stages)};
    for (std::size_t c = 0; c < power(options_.policies, table.stages.size()); ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < table.stages.size(); ++i) {
        sum += bytes(table.stages[i], policy_at(table.stages, c, i));
      }
      sum *= between(1 - off_by, 1 + off_by, random_);
      table.by_combination.push_back(
          {{.constant = 2048, .per_pixel = sum}, {.constant = 65536, .per_pixel = 0.97 * sum}});
    }
    return table;
  }

  /// What is live while `stage` works: it and its neighbours together, and what all others before
  /// `held_end` hold.
  std::vector<CostTable> tables_of(std::size_t stage, double extra, std::size_t held_end) {
    std::vector<CostTable> tables = {constant(64e6 + extra)};
    const std::vector<std::size_t> local = workers_of(stage);
    const auto working = [&](std::size_t s, std::size_t policy) {
      const std::size_t at = s * options_.policies + policy;
      return (s < held_end ? held_[at] : 0) + (s == stage ? working_[at] : 0);
    };
    tables.push_back(table_over(local, working, options_.spread / 4));
    const auto held = [&](std::size_t s, std::size_t policy) {
      return s < held_end ? held_[s * options_.policies + policy] : 0;
    };
    for (std::size_t s = 0; s < count(); ++s) {
      if (std::ranges::find(local, s) != local.end()) continue;
      tables.push_back(table_over(
          holders_of(s),
          [&](std::size_t each, std::size_t policy) {
            return each == s ? held(s, policy) : 0.05 * held(each, policy);
          },
          options_.jitter));
    }
    return tables;
  }

  /// Ascending.
  [[nodiscard]] std::vector<std::size_t> workers_of(std::size_t stage) const {
    std::vector<std::size_t> workers;
    const std::size_t first = stage == 0 ? 0 : stage - 1, skip = count() - 1 - stage;
    if (options_.held == HeldTogether::with_skip && skip < first) workers.push_back(skip);
    for (std::size_t s = first; s < std::min(stage + 2, count()); ++s) workers.push_back(s);
    return workers;
  }

  [[nodiscard]] std::vector<std::size_t> holders_of(std::size_t stage) const {
    const std::size_t skip = count() - 1 - stage;
    switch (options_.held) {
      case HeldTogether::with_next:
        if (stage + 1 < count()) return {stage, stage + 1};
        break;
      case HeldTogether::with_skip:
        if (stage < skip) return {stage, skip};
        break;
      case HeldTogether::alone:
        break;
    }
    return {stage};
  }

  void add_moment(Phase phase, std::size_t stage) {
    const std::size_t held_end = phase == Phase::forward ? stage : stage + 1;
    costs_.moments.push_back(
        {.phase = phase, .owner = static_cast<int>(stage), .bytes = tables_of(stage, 0, held_end)});
  }

  void add_seconds(std::size_t stage) {
    CostTable table = {.stages = {stage}};
    for (std::size_t policy = 0; policy < options_.policies; ++policy) {
      table.by_combination.push_back(
          {{.constant = 2e-4,
            .per_pixel = 3 * stage_seconds() + seconds_[stage * options_.policies + policy]}});
    }
    costs_.seconds.push_back(table);
  }

  UnetCostsOptions options_;
  std::mt19937_64& random_;
  StepCosts costs_{};
  std::vector<double> held_{}, working_{}, seconds_{};  ///< [stages, policies], a pixel
};

}  // namespace

plan::StepCosts arbitrary_costs(std::size_t stages, std::size_t policies, std::mt19937_64& random) {
  StepCosts costs;
  for (std::size_t i = 0; i < stages; ++i) costs.stages.push_back("stage" + std::to_string(i));
  costs.policies.assign(kPolicies.begin(),
                        kPolicies.begin() + static_cast<std::ptrdiff_t>(policies));
  for (std::size_t i = 0; i <= stages; ++i) {
    costs.moments.push_back({.phase = Phase::backward,
                             .owner = static_cast<int>(i),
                             .bytes = arbitrary_tables(stages, policies, random)});
  }
  costs.seconds = arbitrary_tables(stages, policies, random);
  costs.validation_bytes = {{.constant = 3, .per_pixel = 1}};
  costs.stride = 4;
  return costs;
}

plan::StepCosts unet_costs(const UnetCostsOptions& options, std::mt19937_64& random) {
  return UnetCosts(options, random).write();
}

}  // namespace headroom::tests
