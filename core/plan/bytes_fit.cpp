#include "core/plan/bytes_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <utility>

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
/// Where more change in a moment, not all of them decide: a stage, what it reads and what it hands
/// on are three.
constexpr std::size_t kMostAtWork = 3;

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
    return combination_of(stages, policies_.size(),
                          [&](std::size_t stage) { return policy_index(policies_, plan[stage]); });
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
      entry = without_covered(entry);
    }
    result.stages = std::move(stages);
    return result;
  }

  std::vector<Sighting> sightings_;
  const std::vector<Policy>& policies_;
  const std::vector<StepPixels>& sizes_;
};

/// Whether an event of the moment changes the bytes of `owner`.
bool changes(const MomentRecord& record, std::size_t owner) {
  return std::ranges::any_of(record.bytes_by_owner, [&](const std::vector<Affine>& bytes) {
    return bytes[owner] != record.bytes_by_owner.front()[owner];
  });
}

bool changes(const std::vector<MomentRecord>& records, std::size_t owner) {
  return std::ranges::any_of(
      records, [owner](const MomentRecord& record) { return changes(record, owner); });
}

std::size_t changing_stages(const std::vector<MomentRecord>& records, std::size_t stages) {
  std::size_t count = 0;
  for (std::size_t stage = 0; stage < stages; ++stage) count += changes(records, stage) ? 1 : 0;
  return count;
}

/// Slopes that amount to less than half a byte at the largest recorded size are rounding errors of
/// sums: they are 0, so that what does not shrink is seen not to.
Affine without_noise(Affine bytes, const StepPixels& largest) {
  constexpr double kLeast = 0.5;
  const auto is_noise = [](double slope, std::int64_t pixels) {
    return std::abs(slope) * static_cast<double>(pixels) < kLeast;
  };
  if (is_noise(bytes.per_pixel, largest.step)) bytes.per_pixel = 0;
  if (is_noise(bytes.per_image_pixel, largest.image)) bytes.per_image_pixel = 0;
  if (is_noise(bytes.per_pixel + bytes.per_image_pixel, largest.image)) {
    bytes.per_image_pixel = -bytes.per_pixel;
  }
  return bytes;
}

/// What `owners` have together.
Affine sum_of(const std::vector<Affine>& bytes_by_owner, const std::vector<std::size_t>& owners,
              const StepPixels& largest) {
  Affine sum;
  for (const std::size_t owner : owners) {
    sum.constant += bytes_by_owner[owner].constant;
    sum.per_pixel += bytes_by_owner[owner].per_pixel;
    sum.per_image_pixel += bytes_by_owner[owner].per_image_pixel;
  }
  return without_noise(sum, largest);
}

/// After each event.
std::vector<Affine> sums_of(const MomentRecord& record, const std::vector<std::size_t>& owners,
                            const StepPixels& largest) {
  std::vector<Affine> sums;
  for (const std::vector<Affine>& bytes : record.bytes_by_owner) {
    sums.push_back(sum_of(bytes, owners, largest));
  }
  return sums;
}

/// The events that can be the moment's highest: a stage that only gives bytes back later, as every
/// stage does when the cache of cast weights is emptied, does not differ among them.
std::vector<std::vector<Affine>> highest_events(
    const std::vector<std::vector<Affine>>& bytes_by_owner, const StepPixels& largest) {
  std::vector<std::size_t> all(bytes_by_owner.empty() ? 0 : bytes_by_owner.front().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Affine> totals;
  for (const std::vector<Affine>& bytes : bytes_by_owner) {
    totals.push_back(sum_of(bytes, all, largest));
  }
  std::vector<std::vector<Affine>> kept;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    bool is_covered = false;
    for (std::size_t j = 0; j < totals.size() && !is_covered; ++j) {
      const bool is_first_of_equals = i < j && covers(totals[i], totals[j]);
      is_covered = j != i && covers(totals[j], totals[i]) && !is_first_of_equals;
    }
    if (!is_covered) kept.push_back(bytes_by_owner[i]);
  }
  return kept;
}

std::vector<MomentRecord> with_highest_events(const std::vector<MomentRecord>& records,
                                              const StepPixels& largest) {
  std::vector<MomentRecord> reduced;
  for (const MomentRecord& record : records) {
    reduced.push_back({record.plan, highest_events(record.bytes_by_owner, largest)});
  }
  return reduced;
}

/// A policy for each of a few stages, the last one first.
using Choice = std::vector<std::pair<std::size_t, Policy>>;

Choice choice_of(const CostTable& table, std::size_t combination,
                 const std::vector<Policy>& policies) {
  Choice choice;
  for (std::size_t i = table.stages.size(); i-- > 0; combination /= policies.size()) {
    choice.emplace_back(table.stages[i], policies[combination % policies.size()]);
  }
  return choice;
}

std::set<Choice> missing_choices(const std::vector<StepMoment>& moments,
                                 const std::vector<Policy>& policies) {
  std::set<Choice> missing;
  for (const StepMoment& moment : moments) {
    for (const CostTable& table : moment.bytes) {
      for (std::size_t index = 0; index < table.by_combination.size(); ++index) {
        if (table.by_combination[index].empty()) missing.insert(choice_of(table, index, policies));
      }
    }
  }
  return missing;
}

/// A plan in the making, and how many choices it holds.
struct PartialPlan {
  std::vector<std::optional<Policy>> policies{};  ///< by stage; nothing: not decided
  std::size_t held = 0;
};

/// Takes what is compatible with what it took before, in this order.
PartialPlan plan_holding(const std::vector<Choice>& choices, std::size_t stages) {
  PartialPlan plan{.policies = std::vector<std::optional<Policy>>(stages)};
  for (const Choice& choice : choices) {
    const bool is_compatible = std::ranges::all_of(choice, [&plan](const auto& pick) {
      return plan.policies[pick.first].value_or(pick.second) == pick.second;
    });
    if (!is_compatible) continue;
    for (const auto& [stage, policy] : choice) plan.policies[stage] = policy;
    ++plan.held;
  }
  return plan;
}

void shuffle(std::vector<Choice>& choices, std::mt19937& random) {
  for (std::size_t i = choices.size(); i > 1; --i) std::swap(choices[i - 1], choices[random() % i]);
}

/// The one of several tries that holds most of `choices` (as in Cohen, Dalal, Fredman and Patton:
/// The AETG System, 1997): so few plans hold all, 27 where three stages with three policies meet.
PartialPlan fullest_plan(std::vector<Choice> choices, std::size_t stages, std::mt19937& random) {
  constexpr int kTries = 24;
  PartialPlan best;
  for (int i = 0; i < kTries; ++i) {
    shuffle(choices, random);
    PartialPlan plan = plan_holding(choices, stages);
    if (plan.held > best.held) best = std::move(plan);
  }
  return best;
}

bool holds(const Plan& plan, const Choice& choice) {
  return std::ranges::all_of(choice,
                             [&plan](const auto& pick) { return plan[pick.first] == pick.second; });
}

}  // namespace

BytesFit::BytesFit(std::size_t stages, std::vector<Policy> policies)
    : stages_(stages), policies_(std::move(policies)) {}

void BytesFit::add(const RecordedSizes& recorded) {
  const StepPixels& large = recorded.large.pixels;
  largest_ = {.step = std::max(recorded.batched.pixels.step, large.step), .image = large.image};
  sizes_ = {recorded.small.pixels,
            recorded.batched.pixels,
            large,
            {.step = 16 * large.step, .image = large.image},
            {.step = 16 * large.step, .image = 16 * large.image}};
  for (PairedMoment& moment : pair_events(recorded)) {
    const MomentKey key{moment.phase, moment.owner};
    if (!records_.contains(key)) order_.push_back(key);
    records_[key].push_back(
        {recorded.large.timeline.plan, highest_events(std::move(moment.bytes_by_owner), largest_)});
  }
}

std::vector<StepMoment> BytesFit::moments() const {
  std::vector<StepMoment> moments;
  for (const MomentKey& key : order_) moments.push_back(moment_of(key));
  return moments;
}

StepMoment BytesFit::moment_of(const MomentKey& key) const {
  const std::vector<MomentRecord>& all = records_.at(key);
  const std::vector<MomentRecord> records =
      changing_stages(all, stages_) > kMostAtWork ? with_highest_events(all, largest_) : all;
  StepMoment moment{.phase = key.first, .owner = key.second};
  std::vector<std::size_t> together, deciding;
  std::vector<CostTable> apart;
  for (std::size_t stage = 0; stage < stages_; ++stage) {
    if (changes(records, stage)) {
      together.push_back(stage);
      deciding.push_back(stage);
    } else {
      apart.push_back(table_of(records, {stage}, {stage}));
    }
  }
  const std::size_t owners = records.front().bytes_by_owner.front().size();
  for (std::size_t owner = stages_; owner < owners; ++owner) {
    CostTable alone = table_of(records, {owner}, {});
    // A plan can decide what is in no stage: the image as it was before a cast is kept for a
    // repeat.
    if (changes(records, owner) || alone.stages.empty()) {
      together.push_back(owner);
    } else {
      apart.push_back(std::move(alone));
    }
  }
  moment.bytes.push_back(table_of(records, together, deciding));
  std::ranges::move(apart, std::back_inserter(moment.bytes));
  return moment;
}

CostTable BytesFit::table_of(const std::vector<MomentRecord>& records,
                             const std::vector<std::size_t>& owners,
                             std::vector<std::size_t> deciding) const {
  std::vector<Sighting> sightings;
  for (const MomentRecord& record : records) {
    sightings.push_back(
        {.plan = &record.plan, .bytes = without_covered(sums_of(record, owners, largest_))});
  }
  return TableFit(std::move(sightings), policies_, sizes_).fit(std::move(deciding), stages_);
}

std::vector<Plan> BytesFit::plans_to_record(const std::vector<StepMoment>& moments) const {
  const std::set<Choice> all_missing = missing_choices(moments, policies_);
  std::vector<Choice> missing(all_missing.begin(), all_missing.end());
  std::mt19937 random;  // of the same seed always: the same plans for the same network
  std::vector<Plan> plans;
  while (!missing.empty()) {
    const PartialPlan chosen = fullest_plan(missing, stages_, random);
    Plan plan;
    for (std::size_t stage = 0; stage < stages_; ++stage) {
      // What nothing asks for differs from plan to plan, so that hidden dependences show.
      const std::size_t any = (plans.size() * (2 * stage + 1) + stage) % policies_.size();
      plan.push_back(chosen.policies[stage].value_or(policies_[any]));
    }
    std::erase_if(missing, [&plan](const Choice& choice) { return holds(plan, choice); });
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace headroom::plan
