#include "core/train/training_session.hpp"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/byte_size.hpp"
#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/data/prefetcher.hpp"
#include "core/memory/meter.hpp"
#include "core/run/timeline_file.hpp"
#include "core/train/device.hpp"
#include "core/train/losses.hpp"
#include "core/train/memory_adaptation.hpp"
#include "core/train/memory_error.hpp"
#include "core/train/metrics.hpp"
#include "core/train/model_file.hpp"
#include "core/train/model_setup.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/precision.hpp"
#include "core/train/predictor.hpp"
#include "core/train/run_state.hpp"
#include "core/train/sample_score.hpp"
#include "core/train/schedule.hpp"
#include "core/train/train_step.hpp"

namespace headroom::train {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kWeightsRemedy =
    "Try fewer --base-channels or --levels, or a larger --budget";

/// "enc1", …, "head", or the phase where no stage was at work.
std::string peak_place(const memory::StepMeasurement& measured,
                       const std::vector<std::string>& stages) {
  if (measured.peak_stage == memory::kNoStage) {
    return plan::name_of(measured.peak_phase);
  }
  const auto stage = static_cast<std::size_t>(measured.peak_stage);
  return stage < stages.size() ? stages[stage] : "head";
}

/// Timelines that the device cannot give must not be asked for in vain.
void check_timelines(const base::TrainSettings& settings, c10::Device device) {
  if (settings.timeline_every > 0 && !device.is_cpu()) {
    throw base::Error(
        base::ErrorKind::usage,
        {"preparing the run",
         "--timeline-every on " + describe(device) +
             ": a GPU's allocator tells nobody which stage a block belongs to",
         "Leave the flag out, or use headroom bench --timeline FILE.pickle, which PyTorch's memory "
         "viewer opens"});
  }
}

}  // namespace

/// What a pass over the validation side adds up.
struct TrainingSession::Scores {
  explicit Scores(std::int64_t classes) : confusion(classes), sums(classes) {}

  ConfusionMatrix confusion;
  LossSums sums;
  std::int64_t images = 0;
  std::vector<run::SharedPreview> previews;
};

struct TrainingSession::State {
  base::Settings settings;  ///< with classes and channels
  Compute compute;
  std::int64_t budget_bytes = 0;
  plan::Plan chosen_plan;  ///< for "auto"; empty: none was asked for
  TrainingData data;
  std::shared_ptr<StagedModel> model;
  std::unique_ptr<Optimizer> optimizer;
  std::unique_ptr<data::BatchSource> batches;
  std::unique_ptr<TrainStep> train_step;
  RunLength length;
  RunProgress progress;
  plan::Plan last_plan;  ///< of the last step; empty before the first
  std::optional<MemoryAdaptation> adaptation;
  bool was_repeated = false;  ///< the last thing that happened is that memory was freed to repeat
  std::optional<Clock::time_point> last_timeline;

  ~State() {
    if (budget_bytes > 0) {
      memory::meter_of(compute.device).set_budget(0);
    }
  }

  void choose_plan(const TrainingOptions& options, std::int64_t budget, std::stop_token stop);
  void make_model(const ModelFactory& factory);
  void make_steps(const TrainingOptions& options);
  void restore_or_start(const TrainingOptions& options);
  void apply_budget();

  [[nodiscard]] StepAttempt attempt(const char* attempted) const;
  [[nodiscard]] std::int64_t epoch_of(std::int64_t step) const;
  [[nodiscard]] run::SessionFacts facts() const;
  [[nodiscard]] run::StageReport report_stage(const StageShape& shape, plan::Policy policy,
                                              const memory::StageMeasurement& measured) const;
  [[nodiscard]] run::StepReport report(const StepResult& result, double learning_rate) const;
  [[nodiscard]] run::ValidationReport report(const Scores& scores) const;
  [[nodiscard]] ModelDescription description() const;
};

// ---------------------------------------------------------------- prepare

void TrainingSession::State::choose_plan(const TrainingOptions& options, std::int64_t budget,
                                         std::stop_token stop) {
  const bool goes_on_with_its_own = options.resume && !options.plan_is_given;
  if (settings.step.plan != "auto" || goes_on_with_its_own || !options.choose_plan) return;
  chosen_plan = options.choose_plan(settings, budget, std::move(stop));
}

void TrainingSession::State::make_model(const ModelFactory& factory) {
  at::manual_seed(static_cast<std::uint64_t>(settings.step.seed));
  model = factory(settings.model);
  place_model(*model, compute);
  model->train();
  model->check_training_sizes({settings.step.batch, settings.model.channels,
                               settings.step.tile_height, settings.step.tile_width});
  optimizer =
      std::make_unique<Optimizer>(named_parameters(*model), optimizer_options(settings.train));
}

void TrainingSession::State::make_steps(const TrainingOptions& options) {
  const base::StepSettings& step = settings.step;
  batches = std::make_unique<data::Prefetcher>(
      data::TrainingTiles(tile_inputs(data), tile_options(settings)),
      data::PrefetchOptions{.batch = step.batch, .loader_threads = settings.data.loader_threads});
  if (options.wrap_batches) {
    batches = options.wrap_batches(std::move(batches));
  }
  length = run_length(settings.train, batches->batches_per_epoch(), step.accumulate);
  train_step = std::make_unique<TrainStep>(*model, *optimizer, step_options(settings, compute));
}

void TrainingSession::State::restore_or_start(const TrainingOptions& options) {
  const std::string& plan_setting = settings.step.plan;
  const auto stages = model->stage_names();
  model->set_plan(chosen_plan.empty() ? plan_of_setting(plan_setting, stages) : chosen_plan);
  if (!options.resume) {
    progress.peak_rate = settings.train.learning_rate;
    progress.fingerprint = fingerprint_of(data);
    progress.plan_setting = plan_setting;
    return;
  }
  progress = load_run_state(options.run_folder, *model, *optimizer, compute.device);
  if (progress.fingerprint != fingerprint_of(data)) {
    throw base::Error(
        base::ErrorKind::usage,
        {"continuing the run",
         data.summary.root + ": the images, masks, mapping or split have changed since",
         "Put the files back as they were, or start a new run"});
  }
  if (progress.plan_setting == plan_setting && !options.plan_is_given) {
    model->set_plan(plan::parse_plan(progress.plan, stages));
  }
  progress.plan_setting = plan_setting;
}

void TrainingSession::State::apply_budget() {
  memory::MemoryMeter& meter = memory::meter_of(compute.device);
  meter.release_cached();
  const std::int64_t live = meter.reading().live_bytes;
  if (live > budget_bytes) {
    throw base::Error(base::ErrorKind::out_of_memory,
                      {"preparing the run",
                       fmt::format("weights and optimizer state need {}, the budget is {}",
                                   base::format_bytes(live), base::format_bytes(budget_bytes)),
                       kWeightsRemedy});
  }
  meter.set_budget(budget_bytes);
}

run::SessionFacts TrainingSession::State::facts() const {
  run::SessionFacts facts;
  facts.stages = model->stage_names();
  facts.steps = length.steps;
  facts.steps_per_epoch = length.steps_per_epoch;
  facts.validate_every = length.validate_every;
  facts.first_step = progress.step;
  facts.last_validated_step = progress.last_validated_step;
  for (const at::Tensor& parameter : model->parameters()) {
    facts.parameters += parameter.numel();
  }
  facts.device = describe(compute.device);
  facts.precision = name_of(compute.precision);
  facts.budget_bytes = budget_bytes;
  facts.plan = model->plan();
  facts.tiles_at_once = adaptation->tiles_at_once();
  facts.policies = model->policies();
  facts.dataset = data.summary;
  facts.class_names = data.mapping.class_names;
  return facts;
}

// ---------------------------------------------------------------- reports

StepAttempt TrainingSession::State::attempt(const char* attempted) const {
  return {.attempted = attempted,
          .model = *model,
          .settings = settings.step,
          .device = compute.device,
          .number = progress.step + 1,
          .tiles_at_once = adaptation->tiles_at_once()};
}

std::int64_t TrainingSession::State::epoch_of(std::int64_t step) const {
  return step == 0 ? 1 : (step - 1) / length.steps_per_epoch + 1;
}

run::StageReport TrainingSession::State::report_stage(
    const StageShape& shape, plan::Policy policy, const memory::StageMeasurement& measured) const {
  return {.name = shape.name,
          .policy = policy,
          .channels = shape.channels,
          .height = model->padded(settings.step.tile_height) / shape.downscale,
          .width = model->padded(settings.step.tile_width) / shape.downscale,
          .kept_bytes = measured.kept_bytes,
          .bytes_at_peak = measured.bytes_at_peak,
          .forward_seconds = measured.forward_seconds,
          .backward_seconds = measured.backward_seconds,
          .recompute_seconds = measured.recompute_seconds};
}

run::StepReport TrainingSession::State::report(const StepResult& result,
                                               double learning_rate) const {
  const memory::StepMeasurement& measured = result.measured;
  run::StepReport report;
  report.step = progress.step;
  report.epoch = epoch_of(progress.step);
  report.loss = result.loss;
  report.learning_rate = learning_rate;
  report.seconds = measured.seconds;
  report.total_seconds = measured.total_seconds;
  report.peak_bytes = measured.peak_bytes;
  report.peak_total_bytes = measured.peak_total_bytes;
  report.reserved_bytes = measured.reserved_bytes;
  report.peak_stage = peak_place(measured, model->stage_names());
  report.plan = model->plan();
  report.tiles_at_once = adaptation->form().tiles_at_once;
  report.timeline = measured.timeline;
  for (std::size_t i = 0; i < model->stages().size(); ++i) {
    report.stages.push_back(
        report_stage(model->stages()[i], model->plan()[i], measured.stages.at(i)));
  }
  const StageShape head{.name = "head", .channels = model->classes()};
  report.head = report_stage(head, plan::Policy::keep, measured.stages.back());
  return report;
}

run::ValidationReport TrainingSession::State::report(const Scores& scores) const {
  const ClassMetrics mean = scores.confusion.mean();
  run::ValidationReport report;
  report.step = progress.step;
  report.epoch = epoch_of(progress.step);
  report.loss = scores.sums.loss(settings.train.loss);
  report.mean_iou = mean.iou;
  report.mean_dice = mean.dice;
  report.images = scores.images;
  for (std::int64_t c = 0; c < scores.confusion.classes(); ++c) {
    const ClassMetrics of_class = scores.confusion.metrics(c);
    report.classes.push_back({.name = data.mapping.class_names.at(static_cast<std::size_t>(c)),
                              .iou = of_class.iou,
                              .dice = of_class.dice});
  }
  return report;
}

ModelDescription TrainingSession::State::description() const {
  return {.model = settings.model,
          .mapping = data.mapping,
          .normalisation = data.normalisation,
          .precision = compute.precision,
          .tile_height = settings.step.tile_height,
          .tile_width = settings.step.tile_width,
          .step = progress.step};
}

// ---------------------------------------------------------------- session

TrainingSession::TrainingSession(TrainingOptions options) : options_(std::move(options)) {}
TrainingSession::~TrainingSession() = default;

TrainingSession::State& TrainingSession::prepared() const {
  if (!state_) {
    throw base::Error(base::ErrorKind::internal,
                      {"training", "the session is not prepared", "Call prepare first"});
  }
  return *state_;
}

run::SessionFacts TrainingSession::do_prepare(std::stop_token stop) {
  state_.reset();
  auto state = std::make_unique<State>();
  state->settings = options_.settings;
  state->compute = set_up_compute(state->settings.step);
  check_timelines(state->settings.train, state->compute.device);
  const std::int64_t budget =
      resolve_budget(state->settings.step.budget_bytes, state->compute.device);
  state->data = options_.load_data(stop);
  resolve_counts(state->settings.model, state->data.mapping.classes(),
                 state->data.summary.channels);
  // Before the weights are drawn: what it runs uses the random numbers up.
  state->choose_plan(options_, budget, stop);
  const auto error_of = [&state](const std::exception& refusal) {
    return memory_error("preparing the run", "making weights and optimizer state",
                        state->compute.device, kWeightsRemedy, refusal);
  };
  with_memory_errors_as(error_of, [&] {
    state->make_model(options_.make_model);
    state->make_steps(options_);
    state->restore_or_start(options_);
  });
  state->budget_bytes = budget;
  state->apply_budget();
  state->adaptation.emplace(*state->model, *state->train_step, state->settings.step,
                            options_.next_form);
  state->adaptation->set_tiles_at_once(state->progress.tiles_at_once);
  state_ = std::move(state);
  return state_->facts();
}

run::StepReport TrainingSession::do_step(std::stop_token stop) {
  State& state = prepared();
  const double rate = learning_rate({.kind = state.settings.train.schedule,
                                     .peak_rate = state.progress.peak_rate,
                                     .warmup = state.settings.train.warmup,
                                     .steps = state.length.steps},
                                    state.progress.step);
  const auto next = [&state](std::int64_t index, std::stop_token waiting) {
    return state.batches->batch(state.progress.micro_batch + index, std::move(waiting));
  };
  if (run::is_kept_timeline(state.settings.train.timeline_every, state.progress.step + 1) ||
      timeline_is_due(state)) {
    state.train_step->record_next_step();
  }
  return with_memory_errors(state.attempt("training"), [&] {
    const StepResult result =
        state.train_step->run(state.progress.step + 1, rate, next, std::move(stop));
    ++state.progress.step;
    state.last_plan = state.model->plan();
    if (result.measured.timeline) {
      state.last_timeline = options_.clock();
    }
    state.progress.micro_batch += state.settings.step.accumulate;
    state.adaptation->note_peak(result.measured.peak_total_bytes);
    return state.report(result, rate);
  });
}

bool TrainingSession::timeline_is_due(const State& state) const {
  if (options_.timeline_interval <= Clock::duration::zero()) {
    return false;
  }
  return !state.last_timeline || state.last_plan != state.model->plan() ||
         options_.clock() - *state.last_timeline >= options_.timeline_interval;
}

run::ValidationReport TrainingSession::do_validate(std::stop_token stop) {
  State& state = prepared();
  const memory::PhaseMark phase(plan::Phase::validation);
  return with_memory_errors(state.attempt("validating"),
                            [&] { return run_validation(state, std::move(stop)); });
}

run::ValidationReport TrainingSession::run_validation(State& state, std::stop_token stop) {
  memory::MemoryMeter& meter = memory::meter_of(state.compute.device);
  const auto start = Clock::now();
  state.optimizer->zero_grad();
  meter.begin_window();
  Scores scores = score_validation(state, std::move(stop));
  run::ValidationReport report = state.report(scores);
  report.previews = std::move(scores.previews);
  report.peak_total_bytes = meter.reading().peak_bytes;
  // Where no validation pixel counts the mean is no number; the first model is the best one then.
  const double score = std::isfinite(report.mean_dice) ? report.mean_dice : 0.0;
  report.is_best = score > state.progress.best_mean_dice;
  if (report.is_best) {
    const memory::PhaseMark saving(plan::Phase::save);
    save_model_file(options_.run_folder / "model_best.safetensors", state.description(),
                    *state.model);
    state.progress.best_mean_dice = score;
  }
  state.progress.last_validated_step = state.progress.step;
  state.was_repeated = false;
  report.seconds = base::seconds_between(start, Clock::now());
  return report;
}

TrainingSession::Scores TrainingSession::score_validation(State& state, std::stop_token stop) {
  Predictor predictor(*state.model, {.device = state.compute.device,
                                     .precision = state.compute.precision,
                                     .memory_format = state.compute.memory_format,
                                     .normalisation = state.data.normalisation,
                                     .tile_height = state.settings.step.tile_height,
                                     .tile_width = state.settings.step.tile_width});
  Scores scores(state.settings.model.classes);
  for (const std::int64_t index : state.data.split.validation) {
    const bool is_shown = options_.on_preview && scores.images < options_.previews;
    const base::PixelWindow shown =
        is_shown ? shown_window(*state.data.samples, index) : base::PixelWindow{};
    const SampleScore score = score_sample(predictor, *state.data.samples, index, shown, stop);
    scores.confusion += score.confusion;
    scores.sums += score.sums;
    if (is_shown) {
      const auto& id = state.data.samples->samples().at(static_cast<std::size_t>(index)).id;
      const auto part = state.data.samples->get(index, shown).decoded;
      run::SharedPreview preview =
          options_.on_preview({id, state.progress.step, part->image, part->labels, score.shown});
      if (preview) {
        scores.previews.push_back(std::move(preview));
      }
    }
    ++scores.images;
  }
  return scores;
}

std::int64_t TrainingSession::do_save() {
  State& state = prepared();
  const memory::PhaseMark phase(plan::Phase::save);
  state.progress.plan = plan::to_string(state.model->plan(), state.model->stage_names());
  state.progress.tiles_at_once = state.adaptation->tiles_at_once();
  state.optimizer->zero_grad();  // joined weights need room, and the next step frees them anyway
  return with_memory_errors(state.attempt("saving the run"), [&] {
    // What resuming needs comes first: it allocates nothing.
    std::int64_t bytes = save_run_state(options_.run_folder, state.progress, *state.model,
                                        *state.optimizer, state.compute.device);
    bytes += save_model_file(options_.run_folder / "model_last.safetensors", state.description(),
                             *state.model);
    state.was_repeated = false;
    return bytes;
  });
}

run::MemoryRelief TrainingSession::do_relieve_memory(run::RepeatedWork work,
                                                     const base::Error& refusal) {
  State& state = prepared();
  if (state.settings.train.on_oom == base::OutOfMemoryAnswer::stop) {
    base::ErrorParts parts = refusal.parts();
    parts.remedy += ", or --on-oom adapt";
    throw base::Error(refusal.kind(), std::move(parts));
  }
  memory::MemoryMeter& meter = memory::meter_of(state.compute.device);
  const bool is_step = work == run::RepeatedWork::step;
  run::MemoryRelief relief{.work = work,
                           .step = state.progress.step + (is_step ? 1 : 0),
                           .refused_bytes = meter.reading().refused_bytes,
                           .budget_bytes = state.budget_bytes,
                           .before = state.adaptation->form()};
  meter.release_cached();
  if (is_step) {
    state.adaptation->leave_form(relief.refused_bytes, refusal);
  } else if (std::exchange(state.was_repeated, true)) {
    // Neither depends on the plan; blocks that are free now were all that could be given back.
    base::ErrorParts parts = refusal.parts();
    parts.remedy = "Try a larger --budget, or close other programs";
    throw base::Error(refusal.kind(), std::move(parts));
  }
  relief.after = state.adaptation->form();
  return relief;
}

void TrainingSession::do_set_plan(const plan::Plan& plan) { prepared().adaptation->set_plan(plan); }

void TrainingSession::do_set_learning_rate(double peak_rate) {
  prepared().progress.peak_rate = peak_rate;
}

}  // namespace headroom::train
