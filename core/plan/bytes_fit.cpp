#include "core/plan/bytes_fit.hpp"

#include <algorithm>
#include <cmath>
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

/// Ascending.
std::vector<std::size_t> changing_stages(const std::vector<MomentRecord>& records,
                                         std::size_t stages) {
  std::vector<std::size_t> changing;
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const auto changes_it = [stage](const MomentRecord& record) { return changes(record, stage); };
    if (std::ranges::any_of(records, changes_it)) changing.push_back(stage);
  }
  return changing;
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

/// After each event, what `owners` have together.
std::vector<Affine> sums_of(const MomentRecord& record, const std::vector<std::size_t>& owners,
                            const StepPixels& largest) {
  std::vector<Affine> sums;
  for (const std::vector<Affine>& bytes : record.bytes_by_owner) {
    Affine sum;
    for (const std::size_t owner : owners) {
      sum.constant += bytes[owner].constant;
      sum.per_pixel += bytes[owner].per_pixel;
      sum.per_image_pixel += bytes[owner].per_image_pixel;
    }
    sums.push_back(without_noise(sum, largest));
  }
  return sums;
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

/// The first of `missing` and all others that one plan can hold with it; they are taken out.
std::map<std::size_t, Policy> take_compatible(std::set<Choice>& missing) {
  std::map<std::size_t, Policy> chosen;
  std::erase_if(missing, [&chosen](const Choice& choice) {
    const bool is_compatible = std::ranges::all_of(choice, [&chosen](const auto& pick) {
      const auto found = chosen.find(pick.first);
      return found == chosen.end() || found->second == pick.second;
    });
    if (is_compatible) chosen.insert(choice.begin(), choice.end());
    return is_compatible;
  });
  return chosen;
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
    records_[key].push_back({recorded.large.timeline.plan, std::move(moment.bytes_by_owner)});
  }
}

std::vector<StepMoment> BytesFit::moments() const {
  std::vector<StepMoment> moments;
  for (const MomentKey& key : order_) moments.push_back(moment_of(key));
  return moments;
}

StepMoment BytesFit::moment_of(const MomentKey& key) const {
  const std::vector<MomentRecord>& records = records_.at(key);
  const std::vector<std::size_t> changing = changing_stages(records, stages_);
  StepMoment moment{.phase = key.first, .owner = key.second};
  std::vector<std::size_t> together = changing;
  for (std::size_t owner = stages_; owner < records.front().bytes_by_owner.front().size();
       ++owner) {
    together.push_back(owner);
  }
  moment.bytes.push_back(table_of(records, together, changing));
  for (std::size_t stage = 0; stage < stages_; ++stage) {
    if (std::ranges::count(changing, stage) > 0) continue;
    moment.bytes.push_back(table_of(records, {stage}, {stage}));
  }
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
  std::set<Choice> missing = missing_choices(moments, policies_);
  std::vector<Plan> plans;
  while (!missing.empty()) {
    const std::map<std::size_t, Policy> chosen = take_compatible(missing);
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
