#include "core/train/bench.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/process_memory.hpp"
#include "core/train/device.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/precision.hpp"
#include "core/train/torch_version.hpp"

namespace headroom::train {
namespace {

double repeated_macs_per_pixel(const StageShape& stage, plan::Policy policy) {
  switch (policy) {
    case plan::Policy::light:
      return stage.light_repeats_macs_per_pixel;
    case plan::Policy::full:
      return stage.full_repeats_macs_per_pixel;
    case plan::Policy::keep:
    case plan::Policy::offload:
      break;
  }
  return 0;
}

/// Work of convolutions that the plan repeats, of a step's: one forward, and twice as much in
/// backward.
double repeated_fraction(const StagedModel& model, const plan::Plan& plan) {
  double forward = 0, repeated = 0;
  for (std::size_t s = 0; s < plan.size(); ++s) {
    const StageShape& stage = model.stages()[s];
    const double pixels =
        1.0 / (static_cast<double>(stage.downscale) * static_cast<double>(stage.downscale));
    forward += stage.macs_per_pixel * pixels;
    repeated += pixels * repeated_macs_per_pixel(stage, plan[s]);
  }
  return repeated / (3 * forward);
}

std::int64_t parameter_count(const StagedModel& model) {
  std::int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) {
    count += parameter.numel();
  }
  return count;
}

/// After a change of plan: one step under it, and one that begins with the free memory of the plan
/// before given back.
constexpr int kSettlingSteps = 2;

/// The latest that a snapshot has.
constexpr std::int64_t kMostSnapshotEvents = 1'000'000;

void check_recording(BenchRecording recording, c10::Device device) {
  const auto refuse = [&](const char* attempted, const char* why, const char* remedy) {
    throw base::Error(base::ErrorKind::usage,
                      {attempted, fmt::format("{}: {}", describe(device), why), remedy});
  };
  if (recording == BenchRecording::timelines && !device.is_cpu()) {
    refuse("recording a timeline", "a GPU's allocator tells nobody which stage a block belongs to",
           "Use --device cpu, or --timeline FILE.pickle for PyTorch's memory viewer");
  }
  if (recording == BenchRecording::snapshot && !device.is_cuda()) {
    refuse("recording a memory snapshot",
           "only a CUDA device keeps the history that PyTorch's memory viewer shows",
           "Use --device cuda, or --timeline FILE.json or FILE.csv");
  }
}

struct Sample {
  double seconds = 0;
  memory::StepMeasurement measured{};
};

class Bench {
 public:
  Bench(const BenchOptions& options, const ModelFactory& make_model)
      : options_(options), task_(options.settings, make_model) {
    for (const std::string& text : options.plans) {
      BenchCase bench_case{.name = text,
                           .plan = plan_of_setting(text, task_.model().stage_names())};
      bench_case.recompute_macs_fraction = repeated_fraction(task_.model(), bench_case.plan);
      cases_.push_back(std::move(bench_case));
    }
    samples_.resize(cases_.size());
  }

  BenchReport run(const std::stop_token& stop) {
    const std::int64_t rounds = options_.warmup + options_.repeat;
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (std::size_t c = 0; c < cases_.size(); ++c) {
        take_turn(c, round >= options_.warmup, stop);
      }
      if (options_.on_progress) {
        options_.on_progress(round + 1, rounds);
      }
    }
    if (options_.recording != BenchRecording::none) {
      record(stop);
    }
    return report();
  }

 private:
  void settle(std::size_t index, const std::stop_token& stop) {
    task_.model().set_plan(cases_[index].plan);
    const int settling = cases_.size() > 1 ? kSettlingSteps : 0;
    for (int i = 0; i < settling; ++i) {
      static_cast<void>(task_.step(++steps_, stop));
    }
  }

  void take_turn(std::size_t index, bool measured, const std::stop_token& stop) {
    settle(index, stop);
    base::reset_peak_resident_bytes();
    StepResult result = task_.step(++steps_, stop);
    if (measured) {
      cases_[index].rss_peak_bytes =
          std::max(cases_[index].rss_peak_bytes, base::peak_resident_bytes());
      samples_[index].push_back({result.measured.total_seconds, std::move(result.measured)});
    }
  }

  void record(const std::stop_token& stop) {
    memory::CudaMeter* const history = options_.recording == BenchRecording::snapshot
                                           ? &cuda_meter_of(task_.compute().device)
                                           : nullptr;
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      settle(c, stop);
      if (history != nullptr && c == 0) {
        history->begin_history(kMostSnapshotEvents);
      }
      record_step(cases_[c], stop);
    }
    if (history != nullptr) {
      snapshot_ = history->end_history();
    }
  }

  /// A step with more events than there was room for is recorded again with more room.
  void record_step(BenchCase& bench_case, const std::stop_token& stop) {
    constexpr int kMostAttempts = 4;
    const bool wants_timeline = options_.recording == BenchRecording::timelines;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      task_.record_next_step();
      bench_case.timeline = task_.step(++steps_, stop).measured.timeline;
      if (bench_case.timeline || !wants_timeline) {
        return;
      }
    }
    throw base::Error(base::ErrorKind::internal,
                      {"recording a timeline",
                       "a step of plan " + bench_case.name + " allocates too often to be recorded",
                       "Try a smaller network or tile"});
  }

  BenchReport report() {
    for (std::size_t c = 0; c < cases_.size(); ++c) {
      std::ranges::sort(samples_[c], {}, &Sample::seconds);
      for (const Sample& sample : samples_[c]) {
        cases_[c].seconds.push_back(sample.seconds);
      }
      cases_[c].median = samples_[c][samples_[c].size() / 2].measured;
    }
    const Compute& compute = task_.compute();
    return {.settings = task_.settings(),
            .device = describe(compute.device),
            .precision = name_of(compute.precision),
            .memory_format = compute.memory_format == c10::MemoryFormat::ChannelsLast
                                 ? "channels-last"
                                 : "contiguous",
            .threads = at::get_num_threads(),
            .parameters = parameter_count(task_.model()),
            .stages = task_.model().stage_names(),
            .cases = std::move(cases_),
            .snapshot = std::move(snapshot_)};
  }

  const BenchOptions& options_;
  GeneratedTask task_;
  std::vector<BenchCase> cases_;
  std::vector<std::vector<Sample>> samples_;
  std::string snapshot_;
  std::int64_t steps_ = 0;
};

double median(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(share * last + 0.5)];
}

nlohmann::ordered_json case_json(const BenchReport& report, const BenchCase& bench_case) {
  const memory::StepMeasurement& step = bench_case.median;
  nlohmann::ordered_json predicted_peak, predicted_peak_total;  // null
  if (const auto& predicted = bench_case.predicted_peak_total_bytes) {
    predicted_peak = *predicted - step.live_before_bytes;
    predicted_peak_total = *predicted;
  }
  nlohmann::ordered_json phases;
  for (std::size_t p = 0; p <= static_cast<std::size_t>(plan::Phase::optimizer); ++p) {
    phases[plan::kPhaseNames[p]] = step.seconds[p];
  }
  return {{"name", bench_case.name},
          {"plan", plan::to_string(bench_case.plan, report.stages)},
          {"precision", report.precision},
          {"memory_format", report.memory_format},
          {"batch", report.settings.step.batch},
          {"height", report.settings.step.tile_height},
          {"width", report.settings.step.tile_width},
          {"seconds_per_step",
           {{"median", median(bench_case.seconds)},
            {"min", bench_case.seconds.front()},
            {"p95", quantile(bench_case.seconds, 0.95)},
            {"n", bench_case.seconds.size()}}},
          {"peak_bytes", step.peak_bytes},
          {"live_before_bytes", step.live_before_bytes},
          {"peak_total_bytes", step.peak_total_bytes},
          {"reserved_bytes", step.reserved_bytes},
          {"rss_peak_bytes", bench_case.rss_peak_bytes},
          {"predicted_peak_bytes", predicted_peak},
          {"predicted_peak_total_bytes", predicted_peak_total},
          {"recompute_macs_fraction", bench_case.recompute_macs_fraction},
          {"phases", phases}};
}

}  // namespace

BenchReport bench_plans(const BenchOptions& options, const ModelFactory& make_model,
                        std::stop_token stop) {
  if (options.plans.empty() || options.repeat < 1 || options.warmup < 0) {
    throw base::Error(base::ErrorKind::usage, {"measuring plans", "no plan, or no step to measure",
                                               "Give --plans and --repeat of at least 1"});
  }
  check_recording(options.recording, resolve_device(options.settings.step.device));
  return Bench(options, make_model).run(stop);
}

std::string to_json(const BenchReport& report) {
  nlohmann::ordered_json cases = nlohmann::ordered_json::array();
  for (const BenchCase& bench_case : report.cases) {
    cases.push_back(case_json(report, bench_case));
  }
  const base::ModelSettings& model = report.settings.model;
  const nlohmann::ordered_json document = {{"device", report.device},
                                           {"torch", torch_version()},
                                           {"threads", report.threads},
                                           {"model",
                                            {{"name", model.model},
                                             {"levels", model.levels},
                                             {"base_channels", model.base_channels},
                                             {"classes", model.classes},
                                             {"channels", model.channels},
                                             {"dropout", model.dropout},
                                             {"parameters", report.parameters}}},
                                           {"cases", cases}};
  return document.dump(2);
}

}  // namespace headroom::train
