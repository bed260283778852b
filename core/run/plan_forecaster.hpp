#pragma once
// Keeps the forecasts for the latest question: computes them in the background, on threads of low
// priority, and only what a change of the question touches. Owned by the program behind the
// dashboard; every method on one thread, none waits.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/duration.hpp"
#include "core/run/jobs.hpp"
#include "core/run/plan_forecast.hpp"

namespace headroom::run {

/// Whether a training needs the processor more.
enum class ForecastPace { at_once, beside_training };

class PlanForecaster {
 public:
  /// Beside a training a curve or a map is begun no sooner after the one before.
  static constexpr std::chrono::milliseconds kLeastIntervalBesideTraining{250};

  /// `on_news`: called on a job's thread when an answer is there; may be empty.
  explicit PlanForecaster(std::function<void()> on_news = {},
                          base::SteadyClock clock = std::chrono::steady_clock::now);

  /// The question to answer from now on; nothing: none. Answers to an earlier one are kept until
  /// there are new ones, but for those to other costs.
  void ask(std::optional<ForecastQuestion> question);
  /// Takes what was answered and begins what is due. True when an answer has changed.
  bool poll(ForecastPace pace);

  /// To the latest question, or to one shortly before; null: there is none yet.
  [[nodiscard]] const std::shared_ptr<const PlanForecast>& plans() const { return plans_.answer; }
  [[nodiscard]] const std::shared_ptr<const FitForecast>& fits() const { return fits_.answer; }
  /// Why there is none, where a computation failed; empty: it did not.
  [[nodiscard]] const std::string& problem() const {
    return plans_.problem.empty() ? fits_.problem : plans_.problem;
  }
  [[nodiscard]] bool is_computing() const { return plans_.job || fits_.job; }
  /// Something is computed, or due.
  [[nodiscard]] bool is_busy() const;

 private:
  template <typename Answer>
  struct Line {
    std::shared_ptr<const Answer> answer{};
    std::optional<Job<Answer>> job{};
    std::optional<ForecastQuestion> begun{};  ///< what job or answer is of
    std::optional<std::chrono::steady_clock::time_point> begun_at{};
    std::string problem{};
  };

  template <typename Answer>
  bool take(Line<Answer>& line);
  template <typename Answer>
  [[nodiscard]] bool may_begin(const Line<Answer>& line, ForecastPace pace) const;
  /// Another plan or budget on a curve that is there costs next to nothing.
  [[nodiscard]] bool has_curve() const;
  template <typename Answer>
  static void drop(Line<Answer>& line);
  [[nodiscard]] bool plans_are_due() const;
  [[nodiscard]] bool fits_are_due() const;

  base::SteadyClock clock_;
  std::optional<ForecastQuestion> question_{};
  Line<PlanForecast> plans_{};
  Line<FitForecast> fits_{};
  JobQueue plan_jobs_;  ///< last: they end first
  JobQueue fit_jobs_;   ///< a map must not keep the curve waiting
};

}  // namespace headroom::run
