#include "core/train/memory_adaptation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/byte_size.hpp"

namespace headroom::train {
namespace {

/// Forms that are remembered with their peaks; a person who tries plans makes many.
constexpr std::size_t kMeasuredForms = 64;

}  // namespace

MemoryAdaptation::MemoryAdaptation(StagedModel& model, TrainStep& step,
                                   const base::StepSettings& settings, plan::NextForm next_form)
    : model_(model), step_(step), settings_(settings), next_form_(std::move(next_form)) {
  record_ = {.wanted = model.plan(),
             .batch = settings.batch,
             .least_part = least_part(),
             .policies = model.policies()};
}

plan::StepForm MemoryAdaptation::form() const {
  return {model_.plan(), tiles_at_once_ > 0 ? tiles_at_once_ : settings_.batch};
}

void MemoryAdaptation::set_plan(const plan::Plan& plan) {
  model_.set_plan(plan);
  record_.wanted = plan;
  before_refusals_.reset();
}

void MemoryAdaptation::set_tiles_at_once(std::int64_t tiles) {
  tiles_at_once_ = tiles < settings_.batch ? tiles : 0;
  step_.set_tiles_at_once(tiles_at_once_);
}

void MemoryAdaptation::note_peak(std::int64_t peak_total_bytes) {
  before_refusals_.reset();
  plan::put_last(record_.measured, {form(), peak_total_bytes});
  if (record_.measured.size() > kMeasuredForms) {
    record_.measured.erase(record_.measured.begin());
  }
}

void MemoryAdaptation::leave_form(std::int64_t refused_bytes, const base::Error& refusal) {
  if (!before_refusals_) {
    before_refusals_ = form();
  }
  plan::put_last(record_.refused, {form(), refused_bytes});
  const std::optional<plan::StepForm> next = next_form_(record_);
  if (!next) {
    take(*std::exchange(before_refusals_, std::nullopt));
    base::ErrorParts parts = refusal.parts();
    const std::int64_t least = least_bytes();
    parts.remedy = fmt::format(
        "No plan and no smaller part of the batch is left to try. Try a --budget {}, a smaller "
        "--tile, or fewer --base-channels or --levels",
        least > 0 ? "above " + base::format_bytes(least) : "that is larger");
    throw base::Error(refusal.kind(), std::move(parts));
  }
  take(*next);
}

void MemoryAdaptation::take(const plan::StepForm& form) {
  model_.set_plan(form.plan);
  set_tiles_at_once(form.tiles_at_once);
}

/// What the form that came nearest to fitting needs at least; 0: not known.
std::int64_t MemoryAdaptation::least_bytes() const {
  return std::ranges::min(record_.refused, {}, &plan::FormBytes::bytes).bytes;
}

bool MemoryAdaptation::can_train_on(std::int64_t tiles) const {
  try {
    model_.check_training_sizes(
        {tiles, model_.input_channels(), settings_.tile_height, settings_.tile_width});
    return true;
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::usage) {
      throw;
    }
    return false;
  }
}

std::int64_t MemoryAdaptation::least_part() const {
  std::int64_t tiles = 1;
  while (tiles < settings_.batch && !can_train_on(tiles)) {
    ++tiles;
  }
  return tiles;
}

}  // namespace headroom::train
