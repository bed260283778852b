#pragma once
// A training run with tensors: what the worker drives. Owns model, optimizer, batch source and
// everything else of the run; every method is called on the worker thread.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "core/base/duration.hpp"
#include "core/base/image.hpp"
#include "core/base/settings.hpp"
#include "core/data/batch.hpp"
#include "core/plan/memory_ladder.hpp"
#include "core/plan/plan.hpp"
#include "core/run/session.hpp"
#include "core/train/model_factory.hpp"
#include "core/train/training_data.hpp"

namespace headroom::train {

/// A validation image with its prediction, for the run's previews; of an image that is read by
/// parts its middle. The references are valid during the call.
struct Preview {
  const std::string& sample_id;
  std::int64_t step;
  const base::Image& image;
  const base::LabelImage& truth;
  const base::LabelImage& prediction;
};

struct TrainingOptions {
  base::Settings settings{};
  std::filesystem::path run_folder{};  ///< exists
  bool resume = false;                 ///< continue from run_folder's state_last
  bool plan_is_given = false;          ///< resume: settings.step.plan replaces the plan set last
  ModelFactory make_model{};
  std::function<TrainingData(std::stop_token)> load_data{};
  /// The plan that "auto" stands for, of settings with classes and channels; empty: Keep. It may
  /// run steps of its own.
  std::function<plan::Plan(const base::Settings& settings, std::int64_t budget_bytes,
                           std::stop_token stop)>
      choose_plan{};
  /// Stands between loaders and steps, for measurements; may be empty.
  std::function<std::unique_ptr<data::BatchSource>(std::unique_ptr<data::BatchSource>)>
      wrap_batches{};
  /// Decides what is changed when a step does not fit.
  plan::NextForm next_form = plan::next_on_ladder;
  /// Called for the first `previews` validation images; what it returns, where that is not null, is
  /// part of the report. May be empty.
  std::function<run::SharedPreview(const Preview&)> on_preview{};
  std::int64_t previews = 4;
  /// A step is recorded for its timeline when so long has passed since the last one that was, and
  /// when it is the first after a change of plan; 0: none is.
  std::chrono::steady_clock::duration timeline_interval{};
  base::SteadyClock clock = std::chrono::steady_clock::now;  ///< for that interval
};

/// Epochs in reports count from 1. A resumed run goes on with the plan and the learning rate that
/// were set last, unless a plan is given or settings.step.plan is another than the run was started
/// with; it keeps computing as few tiles at once as it had come to.
class TrainingSession final : public run::Session {
 public:
  explicit TrainingSession(TrainingOptions options);
  ~TrainingSession() override;

 private:
  [[nodiscard]] run::SessionFacts do_prepare(std::stop_token stop) override;
  [[nodiscard]] run::StepReport do_step(std::stop_token stop) override;
  [[nodiscard]] run::ValidationReport do_validate(std::stop_token stop) override;
  std::int64_t do_save() override;
  run::MemoryRelief do_relieve_memory(run::RepeatedWork work, const base::Error& refusal) override;
  void do_set_plan(const plan::Plan& plan) override;
  void do_set_learning_rate(double peak_rate) override;

  struct State;
  struct Scores;
  [[nodiscard]] State& prepared() const;
  [[nodiscard]] Scores score_validation(State& state, std::stop_token stop);
  [[nodiscard]] run::ValidationReport run_validation(State& state, std::stop_token stop);
  [[nodiscard]] bool timeline_is_due(const State& state) const;

  TrainingOptions options_;
  std::unique_ptr<State> state_;  ///< made by prepare
};

}  // namespace headroom::train
