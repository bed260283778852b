#include "core/run/costs_source.hpp"

#include <exception>
#include <utility>

namespace headroom::run {

CostsSource::CostsSource(FindCostsFunction find, JobQueue& jobs)
    : find_(std::move(find)), jobs_(jobs) {}

void CostsSource::want(const base::Settings& settings) {
  std::string key = cost_key(settings);
  if (key == key_) return;
  key_ = std::move(key);
  settings_ = settings;
  costs_ = nullptr;
  calibrated_ = nullptr;
  look();
}

void CostsSource::look() {
  if (looking_) looking_->cancel();
  looking_.reset();
  if (!find_) return;
  looking_ =
      jobs_.submit(JobPriority::high, [find = find_, settings = settings_](JobContext&) -> Found {
        std::optional<plan::StepCosts> found = find(settings);
        if (!found) return nullptr;
        return std::make_shared<const plan::StepCosts>(*std::move(found));
      });
}

bool CostsSource::poll(const RunSnapshot& run) {
  bool has_changed = false;
  if (looking_ && looking_->is_done()) {
    Job<Found> done = *std::exchange(looking_, std::nullopt);
    has_changed = true;
    try {
      if (Found found = done.take()) costs_ = std::move(found);
    } catch (const std::exception&) {
      // What cannot be read is measured anew; that says what is wrong, if anything still is.
    }
  }
  if (run.costs && run.costs != calibrated_) {
    calibrated_ = run.costs;
    if (cost_key(run.costs_settings) == key_) {
      costs_ = run.costs;
      has_changed = true;
    }
  }
  const bool is_prepared = run.facts && run.facts != facts_;
  facts_ = run.facts;
  if (is_prepared && !costs_ && !looking_ && !key_.empty()) {
    look();
    has_changed = true;
  }
  return has_changed;
}

}  // namespace headroom::run
