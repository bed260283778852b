#include "core/plan/bytes_fit.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/plan/event_pairs.hpp"

namespace headroom::plan {
namespace {

/// What a plan takes in a moment, as the functions that are highest somewhere.
struct Sighting {
  const Plan* plan = nullptr;
  std::vector<Affine> bytes{};
};

/// Two functions are one where they differ by less than this share and these bytes.
constexpr double kShare = 2e-4, kBytes = 8192;
/// More stages are not taken into a table.
constexpr std::size_t kMostStages = 5;

double highest(const std::vector<Affine>& functions, const StepPixels& pixels) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Affine& function : functions) most = std::max(most, function.at(pixels));
  return most;
}

/// Whether `a` is nowhere below `b`: a batch has at least the pixels of one of its images.
bool covers(const Affine& a, const Affine& b) {
  return a.constant >= b.constant && a.per_pixel >= b.per_pixel &&
         a.per_pixel + a.per_image_pixel >= b.per_pixel + b.per_image_pixel;
}

/// Those of `functions` that no other one covers.
std::vector<Affine> without_covered(const std::vector<Affine>& functions) {
  std::vector<Affine> kept;
  for (const Affine& next : functions) {
    const auto covers_next = [&next](const Affine& other) { return covers(other, next); };
    if (std::ranges::any_of(kept, covers_next)) continue;
    std::erase_if(kept, [&next](const Affine& other) { return covers(next, other); });
    kept.push_back(next);
  }
  return kept;
}

std::size_t policy_index(const std::vector<Policy>& policies, Policy policy) {
  return static_cast<std::size_t>(std::ranges::find(policies, policy) - policies.begin());
}

std::size_t combinations_of(std::size_t stages, std::size_t policies) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < stages; ++i) count *= policies;
  return count;
}

/// A table under construction: which stages decide, and what was seen.
class TableFit {
 public:
  TableFit(std::vector<Sighting> sightings, const std::vector<Policy>& policies,
           const std::vector<StepPixels>& sizes)
      : sightings_(std::move(sightings)), policies_(policies), sizes_(sizes) {}

  /// Stages are added to `stages`, the one that explains most first, until plans that agree on
  /// them take the same bytes.
  CostTable fit(std::vector<std::size_t> stages, std::size_t stage_count) const {
    double spread = spread_of(stages);
    while (spread > 0 && stages.size() < kMostStages) {
      double least = spread;
      std::vector<std::size_t> best;
      for (std::size_t stage = 0; stage < stage_count; ++stage) {
        if (std::ranges::count(stages, stage) > 0) continue;
        std::vector<std::size_t> more = stages;
        more.insert(std::ranges::upper_bound(more, stage), stage);
        if (const double left = spread_of(more); left < least) {
          least = left;
          best = std::move(more);
        }
      }
      if (best.empty()) break;
      stages = std::move(best);
      spread = least;
    }
    return table(std::move(stages));
  }

 private:
  [[nodiscard]] std::size_t combination(const Plan& plan,
                                        const std::vector<std::size_t>& stages) const {
    std::size_t index = 0;
    for (const std::size_t stage : stages) {
      index = index * policies_.size() + policy_index(policies_, plan[stage]);
    }
    return index;
  }

  /// Bytes by which plans of one combination differ, over all combinations; 0 where they agree.
  [[nodiscard]] double spread_of(const std::vector<std::size_t>& stages) const {
    double spread = 0;
    for (const StepPixels& size : sizes_) {
      std::map<std::size_t, std::pair<double, double>> range;
      for (const Sighting& sighting : sightings_) {
        const double bytes = highest(sighting.bytes, size);
        const auto [place, is_new] =
            range.try_emplace(combination(*sighting.plan, stages), bytes, bytes);
        place->second.first = std::min(place->second.first, bytes);
        place->second.second = std::max(place->second.second, bytes);
      }
      for (const auto& [index, ends] : range) {
        const double difference = ends.second - ends.first;
        if (difference > kBytes + kShare * ends.second) spread += difference;
      }
    }
    return spread;
  }

  [[nodiscard]] CostTable table(std::vector<std::size_t> stages) const {
    CostTable result;
    result.by_combination.resize(combinations_of(stages.size(), policies_.size()));
    for (const Sighting& sighting : sightings_) {
      std::vector<Affine>& entry = result.by_combination[combination(*sighting.plan, stages)];
      entry.insert(entry.end(), sighting.bytes.begin(), sighting.bytes.end());
    }
    for (std::vector<Affine>& entry : result.by_combination) {
      entry = without_covered(std::move(entry));
    }
    result.stages = std::move(stages);
    return result;
  }

  std::vector<Sighting> sightings_;
  const std::vector<Policy>& policies_;
  const std::vector<StepPixels>& sizes_;
};

}  // namespace

BytesFit::BytesFit(std::size_t stages, std::vector<Policy> policies)
    : stages_(stages), policies_(std::move(policies)) {}

void BytesFit::add(const RecordedSizes& recorded) {
  const StepPixels& large = recorded.large.pixels;
  sizes_ = {recorded.small.pixels,
            recorded.batched.pixels,
            large,
            {.step = 16 * large.step, .image = large.image},
            {.step = 16 * large.step, .image = 16 * large.image}};
  for (PairedMoment& moment : pair_events(recorded)) {
    const MomentKey key{moment.phase, moment.owner};
    if (observations_.find(key) == observations_.end()) order_.push_back(key);
    observations_[key].push_back({recorded.large.timeline.plan, std::move(moment.bytes_by_owner)});
  }
}

std::vector<StepMoment> BytesFit::moments() const {
  std::vector<StepMoment> moments;
  for (const MomentKey& key : order_) moments.push_back(moment_of(key));
  return moments;
}

StepMoment BytesFit::moment_of(const MomentKey& key) const {
  const std::vector<Observation>& observations = observations_.at(key);
  std::vector<std::size_t> changing;
  for (std::size_t owner = 0; owner < stages_; ++owner) {
    const auto changes = [owner](const Observation& seen) {
      return std::ranges::any_of(seen.bytes_by_owner, [&](const std::vector<Affine>& bytes) {
        return bytes[owner] != seen.bytes_by_owner.front()[owner];
      });
    };
    if (std::ranges::any_of(observations, changes)) changing.push_back(owner);
  }
  const auto table_of = [&](std::vector<std::size_t> stages, const auto& is_counted) {
    std::vector<Sighting> sightings;
    for (const Observation& seen : observations) {
      Sighting sighting{.plan = &seen.plan};
      for (const std::vector<Affine>& bytes : seen.bytes_by_owner) {
        Affine sum;
        for (std::size_t owner = 0; owner < bytes.size(); ++owner) {
          if (!is_counted(owner)) continue;
          sum.constant += bytes[owner].constant;
          sum.per_pixel += bytes[owner].per_pixel;
          sum.per_image_pixel += bytes[owner].per_image_pixel;
        }
        sighting.bytes.push_back(sum);
      }
      sighting.bytes = without_covered(std::move(sighting.bytes));
      sightings.push_back(std::move(sighting));
    }
    return TableFit(std::move(sightings), policies_, sizes_).fit(std::move(stages), stages_);
  };
  StepMoment moment{.phase = key.first, .owner = key.second};
  moment.bytes.push_back(table_of(changing, [&](std::size_t owner) {
    return owner >= stages_ || std::ranges::count(changing, owner) > 0;
  }));
  for (std::size_t stage = 0; stage < stages_; ++stage) {
    if (std::ranges::count(changing, stage) > 0) continue;
    moment.bytes.push_back(
        table_of({stage}, [stage](std::size_t owner) { return owner == stage; }));
  }
  return moment;
}

std::vector<Plan> BytesFit::plans_to_record(const std::vector<StepMoment>& moments) const {
  using Choice = std::vector<std::pair<std::size_t, Policy>>;
  std::set<Choice> missing;
  for (const StepMoment& moment : moments) {
    for (const CostTable& table : moment.bytes) {
      for (std::size_t index = 0; index < table.by_combination.size(); ++index) {
        if (!table.by_combination[index].empty()) continue;
        Choice choice;
        std::size_t rest = index;
        for (std::size_t i = table.stages.size(); i-- > 0; rest /= policies_.size()) {
          choice.emplace_back(table.stages[i], policies_[rest % policies_.size()]);
        }
        missing.insert(std::move(choice));
      }
    }
  }
  std::vector<Plan> plans;
  while (!missing.empty()) {
    std::map<std::size_t, Policy> chosen;
    for (auto choice = missing.begin(); choice != missing.end();) {
      const bool is_compatible = std::ranges::all_of(*choice, [&](const auto& pick) {
        const auto found = chosen.find(pick.first);
        return found == chosen.end() || found->second == pick.second;
      });
      if (!is_compatible) {
        ++choice;
        continue;
      }
      for (const auto& [stage, policy] : *choice) chosen.try_emplace(stage, policy);
      choice = missing.erase(choice);
    }
    Plan plan;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      const auto found = chosen.find(stage);
      // What nothing asks for differs from plan to plan, so that hidden dependences show.
      const std::size_t any = (plans.size() * (2 * stage + 1) + stage) % policies_.size();
      plan.push_back(found == chosen.end() ? policies_[any] : found->second);
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace headroom::plan
