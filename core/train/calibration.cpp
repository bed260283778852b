#include "core/train/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/base/rounding.hpp"
#include "core/memory/meter.hpp"
#include "core/plan/bytes_fit.hpp"
#include "core/plan/cost_model.hpp"
#include "core/plan/plan_explanation.hpp"
#include "core/train/device.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/random_plans.hpp"

namespace headroom::train {
namespace {

/// Sides at which bytes are recorded, and at which steps are timed: small ones are quick, but the
/// kernels choose other ways for them than for the tiles of a training.
constexpr std::array<std::int64_t, 2> kByteSides = {128, 192};
constexpr std::int64_t kBatched = 2;
constexpr std::array<std::int64_t, 2> kTimeSides = {128, 256};
constexpr int kTimedSteps = 4;  ///< of each policy and size; the first does not count
/// Random plans that are predicted and run, once every combination was seen.
constexpr std::int64_t kCheckPlans = 5;
constexpr double kToleratedError = 0.002;
constexpr int kMostRounds = 20;

base::Settings small_settings(base::Settings settings) {
  settings.step.batch = 1;
  settings.step.accumulate = std::min<std::int64_t>(settings.step.accumulate, 2);
  settings.step.budget_bytes = 0;
  settings.step.tile_height = settings.step.tile_width = kByteSides.back();
  return settings;
}

/// Seconds of one step by stage: forward, backward and what is repeated.
std::vector<double> seconds_by_stage(const memory::StepMeasurement& step, std::size_t stages) {
  std::vector<double> seconds;
  for (std::size_t s = 0; s < stages; ++s) {
    const memory::StageMeasurement& stage = step.stages[s];
    seconds.push_back(stage.forward_seconds + stage.backward_seconds + stage.recompute_seconds);
  }
  return seconds;
}

/// Costs with a hole would keep the planner from plans that are fine.
void check_complete(const Calibration& result) {
  const auto hole = std::ranges::find_if_not(result.costs.moments, plan::is_complete);
  if (hole == result.costs.moments.end()) return;
  const std::string place = plan::place_text(hole->phase, hole->owner, result.costs.stages);
  throw base::Error(base::ErrorKind::internal,
                    {.attempted = "finding out what a step costs",
                     .subject = fmt::format("{} plans do not tell what decides the bytes of {}",
                                            result.plans, place),
                     .remedy = "Give a plan by name (--plan light), and please report this"});
}

plan::Affine through(double small_pixels, double small, double large_pixels, double large) {
  const double slope = std::max(0.0, (large - small) / (large_pixels - small_pixels));
  return {.constant = std::max(0.0, large - slope * large_pixels), .per_pixel = slope};
}

class Calibrator {
 public:
  Calibrator(const CalibrationOptions& options, const ModelFactory& make_model,
             std::stop_token stop)
      : options_(options),
        stop_(std::move(stop)),
        live_before_bytes_(live_bytes(options.settings)),
        task_(small_settings(options.settings), make_model),
        fit_(stage_count(), task_.model().policies()) {}

  Calibration run() {
    const auto start = std::chrono::steady_clock::now();
    Calibration result;
    result.costs.stages = task_.model().stage_names();
    result.costs.policies = task_.model().policies();
    result.costs.stride = task_.model().stride();
    record_bytes(result);
    time_steps(result);
    measure_validation(result.costs);
    result.seconds = base::seconds_between(start, std::chrono::steady_clock::now());
    return result;
  }

 private:
  static std::int64_t live_bytes(const base::Settings& settings);

  [[nodiscard]] std::size_t stage_count() { return task_.model().stages().size(); }
  [[nodiscard]] std::int64_t side(std::int64_t wished) {
    return base::round_up(wished, task_.model().stride());
  }

  memory::StepMeasurement step(const plan::Plan& plan) {
    task_.model().set_plan(plan);
    memory::StepMeasurement measured = task_.step(steps_ + 1, stop_).measured;
    ++steps_;
    if (options_.on_progress) options_.on_progress(steps_);
    return measured;
  }

  plan::RecordedStep record(const plan::Plan& plan, std::int64_t batch, std::int64_t wished_side) {
    const std::int64_t length = side(wished_side);
    task_.set_size({.batch = batch, .height = length, .width = length});
    plan::RecordedStep recorded{.pixels = {batch * length * length, length * length}};
    recorded.timeline = timeline_of(plan);
    without_what_was_there(recorded.timeline);
    return recorded;
  }

  /// A step with more events than there was room for is recorded again with more room.
  plan::StepTimeline timeline_of(const plan::Plan& plan) {
    constexpr int kMostAttempts = 4;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      task_.record_next_step(TimelineDetail::every_event);
      if (const auto timeline = step(plan).timeline) return *timeline;
    }
    throw base::Error(base::ErrorKind::internal,
                      {.attempted = "finding out what a step costs",
                       .subject = "a step allocates too often to be recorded",
                       .remedy = "Give a plan by name (--plan light), and please report this"});
  }

  /// Other tensors of the process are none of this network's.
  void without_what_was_there(plan::StepTimeline& timeline) const {
    const std::size_t owners = timeline.owners.size();
    for (std::size_t i = owners - 1; i < timeline.live_bytes.size(); i += owners) {
      timeline.live_bytes[i] -= live_before_bytes_;
    }
  }

  plan::RecordedStep record_small(const plan::Plan& plan) { return record(plan, 1, kByteSides[0]); }
  plan::RecordedStep record_batched(const plan::Plan& plan) {
    return record(plan, kBatched, kByteSides[0]);
  }
  plan::RecordedStep record_large(const plan::Plan& plan) { return record(plan, 1, kByteSides[1]); }

  /// Size after size: blocks that a step gave back are what the next one asks for.
  void add(const std::vector<plan::Plan>& plans, Calibration& result) {
    std::vector<plan::RecordedSizes> recorded(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) recorded[i].small = record_small(plans[i]);
    for (std::size_t i = 0; i < plans.size(); ++i) recorded[i].batched = record_batched(plans[i]);
    for (std::size_t i = 0; i < plans.size(); ++i) recorded[i].large = record_large(plans[i]);
    for (const plan::RecordedSizes& sizes : recorded) fit_.add(sizes);
    result.plans += std::ssize(plans);
  }

  std::vector<plan::Plan> random_plans(std::int64_t count) {
    std::vector<plan::Plan> plans;
    for (std::int64_t i = 0; i < count; ++i) {
      plans.push_back(
          random_plan(task_.model().policies(), stage_count(), /*seed=*/1, drawn_plans_++));
    }
    return plans;
  }

  void record_bytes(Calibration& result) {
    for (const plan::Policy policy : task_.model().policies()) {
      add({plan::Plan(stage_count(), policy)}, result);
    }
    for (int round = 0; round < kMostRounds; ++round) {
      result.costs.moments = fit_.moments();
      const std::vector<plan::Plan> missing = fit_.plans_to_record(result.costs.moments);
      if (!missing.empty()) {
        add(missing, result);
        continue;
      }
      result.worst_bytes_error = check(result);
      if (result.worst_bytes_error < kToleratedError) return;
    }
    result.costs.moments = fit_.moments();
    check_complete(result);
  }

  /// New plans against the costs so far, at the size where every work buffer counts; what they tell
  /// is added where it was not known.
  double check(Calibration& result) {
    double worst = 0;
    for (const plan::Plan& plan : random_plans(kCheckPlans)) {
      plan::RecordedStep large = record_large(plan);
      const auto predicted = plan::predict(result.costs, plan, large.pixels);
      const plan::StepTimeline& timeline = large.timeline;
      const auto measured = static_cast<double>(timeline.total_bytes(timeline.peak_point));
      const double bytes = predicted ? static_cast<double>(predicted->peak_total_bytes) : 0.0;
      const double error = std::abs(bytes / measured - 1);
      worst = std::max(worst, error);
      if (error < kToleratedError) continue;
      fit_.add({.small = record_small(plan),
                .batched = record_batched(plan),
                .large = std::move(large)});
      ++result.plans;
    }
    return worst;
  }

  struct Timing {
    std::vector<double> by_stage{};
    double total = 0;
    std::int64_t live_before_bytes = 0;  ///< the same for every policy
  };

  /// Of every policy, the least of several steps, taken in turn.
  std::vector<Timing> timings(std::int64_t wished_side) {
    const std::vector<plan::Policy> policies = task_.model().policies();
    task_.set_size({.batch = 1, .height = side(wished_side), .width = side(wished_side)});
    std::vector<Timing> best(policies.size());
    for (int round = 0; round < kTimedSteps; ++round) {
      for (std::size_t p = 0; p < policies.size(); ++p) {
        const auto measured = step(plan::Plan(stage_count(), policies[p]));
        if (round == 0) continue;
        std::vector<double> by_stage = seconds_by_stage(measured, stage_count());
        if (round == 1) {
          best[p] = {std::move(by_stage), measured.total_seconds,
                     measured.live_before_bytes - live_before_bytes_};
          continue;
        }
        best[p].total = std::min(best[p].total, measured.total_seconds);
        for (std::size_t s = 0; s < by_stage.size(); ++s) {
          best[p].by_stage[s] = std::min(best[p].by_stage[s], by_stage[s]);
        }
      }
    }
    return best;
  }

  void time_steps(Calibration& result) {
    plan::StepCosts& costs = result.costs;
    const std::vector<Timing> small = timings(kTimeSides[0]), large = timings(kTimeSides[1]);
    const auto pixels = [this](std::int64_t wished) {
      return static_cast<double>(side(wished) * side(wished));
    };
    const double small_pixels = pixels(kTimeSides[0]), large_pixels = pixels(kTimeSides[1]);
    const auto rest = [](const Timing& timing) {
      double seconds = timing.total;
      for (const double stage : timing.by_stage) seconds -= stage;
      return seconds;
    };
    for (std::size_t s = 0; s < stage_count(); ++s) {
      plan::CostTable table{.stages = {s}};
      for (std::size_t p = 0; p < small.size(); ++p) {
        table.by_combination.push_back(
            {through(small_pixels, small[p].by_stage[s], large_pixels, large[p].by_stage[s])});
      }
      costs.seconds.push_back(std::move(table));
    }
    costs.seconds.push_back({.by_combination = {{through(small_pixels, rest(small[0]), large_pixels,
                                                         rest(large[0]))}}});
    result.live_before_bytes =
        through(small_pixels, static_cast<double>(small[0].live_before_bytes), large_pixels,
                static_cast<double>(large[0].live_before_bytes));
  }

  void measure_validation(plan::StepCosts& costs);

  const CalibrationOptions& options_;
  std::stop_token stop_;
  std::int64_t live_before_bytes_;
  GeneratedTask task_;
  plan::BytesFit fit_;
  std::int64_t steps_ = 0, drawn_plans_ = 0;
};

std::int64_t Calibrator::live_bytes(const base::Settings& settings) {
  const c10::Device device = resolve_device(settings.step.device);
  if (!device.is_cpu()) {
    throw base::Error(base::ErrorKind::usage,
                      {"finding out what a step costs", "a GPU tells of no single allocation",
                       "Give a plan by name: --plan light"});
  }
  memory::MemoryMeter& meter = memory::meter_of(device);
  meter.begin_window();
  return meter.reading().live_bytes;
}

void Calibrator::measure_validation(plan::StepCosts& costs) {
  task_.model().set_plan(plan::Plan(stage_count(), plan::Policy::keep));
  std::array<double, 2> peaks{}, pixels{};
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const std::int64_t length = side(kTimeSides[i]);
    task_.set_size({.batch = 1, .height = length, .width = length});
    peaks[i] = static_cast<double>(task_.validation_peak_bytes(stop_) - live_before_bytes_);
    pixels[i] = static_cast<double>(length * length);
  }
  costs.validation_bytes = {through(pixels[0], peaks[0], pixels[1], peaks[1])};
}

}  // namespace

Calibration calibrate(const CalibrationOptions& options, const ModelFactory& make_model,
                      std::stop_token stop) {
  return Calibrator(options, make_model, std::move(stop)).run();
}

}  // namespace headroom::train
