#include "tests/ui/sample_snapshots.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>

namespace headroom::tests {
namespace {

using plan::Phase;
using plan::Policy;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kOtherBytes = 180 * kMiB;

/// 0 at full resolution; of stage enc1 … encN, decN-1 … dec1.
std::int64_t level_of(const SampleRun& sample, std::size_t stage) {
  const auto index = static_cast<std::int64_t>(stage);
  return index < sample.levels ? index : 2 * (sample.levels - 1) - index;
}

bool is_decoder(const SampleRun& sample, std::size_t stage) {
  return static_cast<std::int64_t>(stage) >= sample.levels;
}

class SnapshotMaker {
 public:
  explicit SnapshotMaker(const SampleRun& sample)
      : sample_(sample), stages_(plan::unet_stage_names(sample.levels)) {}

  [[nodiscard]] run::RunSnapshot make() {
    set_up();
    for (std::int64_t step = 1; step <= sample_.steps_done; ++step) add_step(step);
    snapshot_.requested_plan = snapshot_.applied_plan = plan_;
    measure_policies();
    if (sample_.with_timeline) {
      snapshot_.timeline = std::make_shared<const plan::StepTimeline>(timeline());
    }
    if (sample_.with_previews) add_previews();
    snapshot_.revision = sample_.steps_done * 3 + 10;
    return std::move(snapshot_);
  }

 private:
  void set_up() {
    plan_.assign(stages_.size(), Policy::keep);
    run::RunRequest request;
    request.run_folder = "runs/fundus_native";
    request.data_folder = "data/fundus";
    request.settings.step.tile_height = request.settings.step.tile_width = sample_.tile;
    request.settings.step.batch = sample_.batch;
    request.settings.model.levels = sample_.levels;
    request.settings.train.steps = sample_.steps;
    snapshot_.request = request;
    run::SessionFacts facts;
    facts.stages = stages_;
    facts.steps = sample_.steps;
    facts.steps_per_epoch = 40;
    facts.validate_every = sample_.validate_every;
    facts.parameters = 7'762'465;
    facts.device = "CPU, 2 threads";
    facts.precision = "bf16";
    facts.budget_bytes = sample_.budget_bytes;
    facts.plan = plan_;
    facts.policies = {Policy::keep, Policy::light, Policy::full};
    facts.class_names = sample_.classes;
    facts.dataset.root = "data/fundus";
    facts.dataset.samples = 45;
    facts.dataset.channels = 3;
    snapshot_.facts = std::make_shared<const run::SessionFacts>(std::move(facts));
    snapshot_.state = run::RunState::training;
    snapshot_.self_test = run::SelfTestReport{.plans = 32, .equal = 32, .seconds = 0.4};
    snapshot_.plan_marks.push_back({.number = 0, .step = 1, .plan = plan_});
    log(base::Severity::info, run::LogTopic::event, "Training started: 2 000 steps");
  }

  void log(base::Severity severity, run::LogTopic topic, std::string text,
           std::int64_t plan_number = 0) {
    snapshot_.log.push_back({.time = time_,
                             .severity = severity,
                             .topic = topic,
                             .text = std::move(text),
                             .plan_number = plan_number});
  }

  void change_plan(std::int64_t step) {
    const auto number = static_cast<std::int64_t>(snapshot_.plan_marks.size());
    const plan::Plan before = plan_;
    const std::size_t enc3 = std::min<std::size_t>(2, stages_.size() - 1);
    const std::size_t dec2 = stages_.size() >= 2 ? stages_.size() - 2 : 0;
    if (number == 2) {
      plan_[dec2] = Policy::full;
    } else {
      plan_[enc3] = plan_[enc3] == Policy::keep ? Policy::full : Policy::keep;
    }
    run::PlanMeasured effect{.number = number, .step = step, .before = before, .after = plan_};
    effect.peak_total_bytes_before = peak_of(before);
    effect.peak_total_bytes_after = peak_of(plan_);
    effect.step_seconds_before = seconds_of(before);
    effect.step_seconds_after = seconds_of(plan_);
    snapshot_.plan_marks.push_back(
        {.number = number, .step = step, .plan = plan_, .effect = effect});
    log(base::Severity::info, run::LogTopic::plan,
        "Plan " + run::letters_of(number) + ": changed from step " + std::to_string(step), number);
  }

  [[nodiscard]] std::int64_t peak_of(const plan::Plan& plan) const {
    std::int64_t bytes = kOtherBytes;
    for (std::size_t s = 0; s < stages_.size(); ++s) bytes += kept_bytes_of(sample_, s, plan[s]);
    return bytes + kept_bytes_of(sample_, 0, Policy::keep) / 3;
  }

  [[nodiscard]] double seconds_of(const plan::Plan& plan) const {
    double seconds = 0.011 + 0.002;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      seconds += seconds_of_stage(sample_, s) * (plan[s] == Policy::full ? 1.33 : 1.0);
    }
    return seconds;
  }

  run::StepReport step_report(std::int64_t step) {
    std::uniform_real_distribution<double> noise(0.97, 1.05);
    run::StepReport report;
    report.step = step;
    report.epoch = (step - 1) / 40 + 1;
    std::lognormal_distribution<double> scatter(0, 0.13);
    report.loss = (0.08 + 1.1 * std::exp(-static_cast<double>(step) / 260)) * scatter(random_);
    report.learning_rate =
        1e-3 * (0.5 + 0.5 * std::cos(std::numbers::pi * static_cast<double>(step) /
                                     static_cast<double>(sample_.steps)));
    const double own = noise(random_);
    auto& seconds = report.seconds;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const double stage = seconds_of_stage(sample_, s) * own;
      const double repeat = plan_[s] == Policy::full ? stage * 0.33 : 0;
      seconds[static_cast<std::size_t>(Phase::forward)] += stage * 0.34;
      seconds[static_cast<std::size_t>(Phase::backward)] += stage * 0.66;
      seconds[static_cast<std::size_t>(Phase::recompute)] += repeat;
      const std::int64_t down = std::int64_t{1} << level_of(sample_, s);
      report.stages.push_back({.name = stages_[s],
                               .policy = plan_[s],
                               .channels = 32 * down,
                               .height = sample_.tile / down,
                               .width = sample_.tile / down,
                               .kept_bytes = kept_bytes_of(sample_, s, plan_[s]),
                               .bytes_at_peak = kept_bytes_of(sample_, s, plan_[s]),
                               .forward_seconds = stage * 0.34,
                               .backward_seconds = stage * 0.66,
                               .recompute_seconds = repeat});
    }
    report.head = {.name = "head",
                   .channels = 4,
                   .height = sample_.tile,
                   .width = sample_.tile,
                   .kept_bytes = 10 * kMiB,
                   .bytes_at_peak = 10 * kMiB,
                   .forward_seconds = 0.002,
                   .backward_seconds = 0.003};
    seconds[static_cast<std::size_t>(Phase::data)] = 0.002 * own;
    seconds[static_cast<std::size_t>(Phase::loss)] = 0.004;
    seconds[static_cast<std::size_t>(Phase::optimizer)] = 0.011;
    for (const double part : seconds) report.total_seconds += part;
    report.peak_total_bytes = peak_of(plan_);
    report.peak_bytes = report.peak_total_bytes - kOtherBytes;
    report.reserved_bytes = report.peak_total_bytes / 100 * 104;
    report.peak_stage = stages_.back();
    report.plan = plan_;
    return report;
  }

  void add_step(std::int64_t step) {
    time_ += std::chrono::milliseconds(830);
    if (std::find(sample_.plan_changes.begin(), sample_.plan_changes.end(), step) !=
        sample_.plan_changes.end()) {
      change_plan(step);
    }
    run::StepReport report = step_report(step);
    snapshot_.history.add(report);
    snapshot_.steps_done = step;
    if (step == sample_.steps_done) snapshot_.last_step = std::move(report);
    if (sample_.validate_every > 0 && step % sample_.validate_every == 0) add_validation(step);
  }

  void add_validation(std::int64_t step) {
    const double learned = 1 - std::exp(-static_cast<double>(step) / 350);
    run::ValidationReport report;
    report.step = step;
    report.loss = 0.1 + 0.9 * (1 - learned);
    const std::size_t classes = sample_.classes.size();
    for (std::size_t c = 0; c < classes; ++c) {
      const double top = 0.97 - 0.08 * static_cast<double>(c);
      report.classes.push_back(
          {.name = sample_.classes[c], .iou = top * learned * 0.85, .dice = top * learned});
      report.mean_dice += top * learned / static_cast<double>(classes);
    }
    report.mean_iou = report.mean_dice * 0.85;
    report.images = 9;
    report.seconds = 4.2;
    report.peak_total_bytes = kOtherBytes * 4;
    report.is_best = true;
    log(base::Severity::info, run::LogTopic::validation,
        "Validation at " + std::to_string(step) + ": mean Dice " +
            std::to_string(report.mean_dice).substr(0, 5) + ", best so far");
    snapshot_.validations.push_back(std::move(report));
  }

  void measure_policies() {
    snapshot_.stages.resize(stages_.size() + 1);
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const auto set = [&](Policy policy, std::int64_t step) {
        snapshot_.stages[s][static_cast<std::size_t>(policy)] = run::PolicyMeasurement{
            .step = step,
            .kept_bytes = kept_bytes_of(sample_, s, policy),
            .seconds = seconds_of_stage(sample_, s) * (policy == Policy::full ? 1.33 : 1)};
      };
      set(Policy::keep, 200);
      if (plan_[s] == Policy::full || s == 2) set(Policy::full, sample_.steps_done);
    }
    snapshot_.stages.back()[0] = run::PolicyMeasurement{
        .step = sample_.steps_done, .kept_bytes = 10 * kMiB, .seconds = 0.005};
  }

  /// Forward adds what stages keep, backward takes it away; a Full stage is repeated in between.
  [[nodiscard]] plan::StepTimeline timeline() const {
    plan::StepTimeline timeline;
    timeline.step = sample_.steps_done;
    timeline.owners = stages_;
    timeline.owners.push_back("head");
    timeline.owners.push_back("other");
    timeline.plan = plan_;
    std::vector<std::int64_t> live(timeline.owners.size(), 0);
    live.back() = kOtherBytes;
    double now = 0;
    const auto point = [&] {
      timeline.seconds.push_back(now);
      timeline.live_bytes.insert(timeline.live_bytes.end(), live.begin(), live.end());
    };
    const auto span = [&](Phase phase, int owner, double seconds, std::int64_t target,
                          std::int64_t working) {
      timeline.spans.push_back({now, now + seconds, phase, owner});
      const auto index = static_cast<std::size_t>(std::max(owner, 0));
      const std::int64_t from = live[index];
      constexpr int kPieces = 6;
      for (int piece = 1; piece <= kPieces; ++piece) {
        now += seconds / kPieces;
        live[index] = from + (target - from) * piece / kPieces + (piece % 2) * working;
        if (piece == kPieces) live[index] = target;
        point();
      }
    };
    point();
    span(Phase::data, -1, 0.004, live[0], 0);
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const std::int64_t kept = kept_bytes_of(sample_, s, plan_[s]);
      span(Phase::forward, static_cast<int>(s), seconds_of_stage(sample_, s) * 0.34, kept,
           kept_bytes_of(sample_, s, Policy::keep) / 4);
    }
    const auto head = static_cast<int>(stages_.size());
    span(Phase::forward, head, 0.002, 10 * kMiB, 0);
    span(Phase::loss, -1, 0.004, live[0], 0);
    span(Phase::backward, head, 0.003, 0, 30 * kMiB);
    for (std::size_t i = stages_.size(); i-- > 0;) {
      const auto owner = static_cast<int>(i);
      const std::int64_t kept = kept_bytes_of(sample_, i, Policy::keep);
      if (plan_[i] == Policy::full) {
        span(Phase::recompute, owner, seconds_of_stage(sample_, i) * 0.33, kept, kept / 4);
      }
      span(Phase::backward, owner, seconds_of_stage(sample_, i) * 0.66, 0, kept / 3);
    }
    span(Phase::optimizer, -1, 0.011, live[0], 0);
    timeline.total_seconds = now;
    for (std::size_t p = 0; p < timeline.seconds.size(); ++p) {
      if (timeline.total_bytes(p) > timeline.total_bytes(timeline.peak_point)) {
        timeline.peak_point = p;
      }
    }
    for (const plan::TimelineSpan& each : timeline.spans) {
      if (timeline.seconds[timeline.peak_point] > each.begin_seconds) {
        timeline.peak_phase = each.phase;
        timeline.peak_owner = each.owner;
      }
    }
    add_peak_tensors(timeline);
    return timeline;
  }

  /// What every owner holds at the peak, as two tensors and a rest that has no name.
  static void add_peak_tensors(plan::StepTimeline& timeline) {
    for (std::size_t owner = 0; owner < timeline.owners.size(); ++owner) {
      const std::int64_t bytes = timeline.bytes(timeline.peak_point, owner);
      const std::string& name = timeline.owners[owner];
      const std::int64_t large = bytes * 5 / 8, small = bytes / 4;
      if (large > 0) {
        timeline.peak_tensors.push_back({.bytes = large,
                                         .role = "output of " + name + ".conv_b",
                                         .shape = {2, 64, 256, 256},
                                         .dtype = "bf16",
                                         .owner = static_cast<int>(owner),
                                         .phase = Phase::forward});
        timeline.peak_tensors.push_back({.bytes = small,
                                         .role = "work buffer of " + name + ".conv_a's backward",
                                         .owner = static_cast<int>(owner),
                                         .phase = Phase::backward});
      }
      timeline.peak_unnamed_bytes += bytes - large - small;
      ++timeline.peak_unnamed_blocks;
    }
    std::ranges::stable_sort(timeline.peak_tensors, std::ranges::greater{},
                             &plan::PeakTensor::bytes);
  }

  /// Discs on a shaded ground; the prediction is a little off.
  void add_previews() {
    for (int number = 0; number < 2; ++number) {
      auto preview = std::make_shared<run::SamplePreview>();
      constexpr std::int64_t kHeight = 240;
      constexpr std::int64_t kWidth = 360;
      preview->sample_id = "fundus_01" + std::to_string(number);
      preview->step = snapshot_.validations.empty() ? 1 : snapshot_.validations.back().step;
      preview->full_height = 2336;
      preview->full_width = 3504;
      preview->mean_dice = 0.846;
      preview->image = {.height = kHeight, .width = kWidth, .channels = 3};
      preview->truth = {.height = kHeight, .width = kWidth};
      preview->prediction = preview->truth;
      for (std::int64_t y = 0; y < kHeight; ++y) {
        for (std::int64_t x = 0; x < kWidth; ++x) {
          const auto inside = [&](std::int64_t cx, std::int64_t cy, std::int64_t r) {
            return (x - cx) * (x - cx) + (y - cy) * (y - cy) < r * r;
          };
          const std::uint8_t truth = inside(100, 120, 60) ? 1 : (inside(260, 100, 40) ? 2 : 0);
          const std::uint8_t found = inside(104, 118, 58) ? 1 : (inside(256, 104, 42) ? 2 : 0);
          preview->truth.labels.push_back(truth);
          preview->prediction.labels.push_back(found);
          for (const int base : {150, 90, 60}) {
            const auto value = base + (truth != 0 ? 50 : 0) + static_cast<int>(x + y) % 23;
            preview->image.pixels.push_back(static_cast<std::byte>(value));
          }
        }
      }
      snapshot_.previews.push_back(std::move(preview));
    }
  }

  SampleRun sample_;
  std::vector<std::string> stages_;
  plan::Plan plan_{};
  run::RunSnapshot snapshot_{};
  std::mt19937_64 random_{7};
  std::chrono::system_clock::time_point time_{std::chrono::seconds(1'900'000'000)};
};

}  // namespace

std::int64_t kept_bytes_of(const SampleRun& sample, std::size_t stage, plan::Policy policy) {
  const std::int64_t level = level_of(sample, stage);
  const std::int64_t pixels = sample.tile * sample.tile * sample.batch;
  // 32 channels of 4 bytes at full resolution; each level has a quarter of the pixels and twice the
  // channels. Decoder stages keep more.
  const std::int64_t kept = (pixels * 32 * 4 >> level) * (is_decoder(sample, stage) ? 7 : 4) / 2;
  return policy == plan::Policy::keep ? kept : kept / 5;
}

double seconds_of_stage(const SampleRun& sample, std::size_t stage) {
  const double share = std::pow(0.75, static_cast<double>(level_of(sample, stage)));
  return 0.09 * share * (is_decoder(sample, stage) ? 1.5 : 1.0);
}

run::RunSnapshot training_snapshot(const SampleRun& sample) { return SnapshotMaker(sample).make(); }

}  // namespace headroom::tests
