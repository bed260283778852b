#include "core/run/plan_forecaster.hpp"

#include <utility>

#include "core/base/error.hpp"

namespace headroom::run {

PlanForecaster::PlanForecaster(std::function<void()> on_news, base::SteadyClock clock)
    : clock_(std::move(clock)), plan_jobs_(on_news), fit_jobs_(on_news) {}

template <typename Answer>
void PlanForecaster::drop(Line<Answer>& line) {
  if (line.job) line.job->cancel();
  line = {};
}

void PlanForecaster::ask(std::optional<ForecastQuestion> question) {
  if (!question || (question_ && question_->costs != question->costs)) {
    drop(plans_);
    drop(fits_);
  }
  question_ = std::move(question);
}

bool PlanForecaster::plans_are_due() const {
  return question_ && (!plans_.begun || !are_equal(*plans_.begun, *question_));
}

bool PlanForecaster::fits_are_due() const {
  return question_ && (!fits_.begun || !have_same_map(*fits_.begun, *question_));
}

template <typename Answer>
bool PlanForecaster::may_begin(const Line<Answer>& line, ForecastPace pace) const {
  if (line.job) return false;
  return pace == ForecastPace::at_once || !line.begun_at ||
         clock_() - *line.begun_at >= kLeastIntervalBesideTraining;
}

bool PlanForecaster::has_curve() const {
  return plans_.answer && have_same_curve(plans_.answer->question, *question_);
}

template <typename Answer>
bool PlanForecaster::take(Line<Answer>& line) {
  if (!line.job || !line.job->is_done()) return false;
  Job<Answer> done = *std::exchange(line.job, std::nullopt);
  try {
    line.answer = std::make_shared<const Answer>(done.take());
    line.problem.clear();
    return true;
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) {
      line.begun.reset();
      return false;
    }
    line.problem = error.what();
  } catch (const std::exception& error) {
    line.problem = error.what();
  }
  line.answer = nullptr;
  return true;
}

bool PlanForecaster::poll(ForecastPace pace) {
  // What runs for another size or budget would only be thrown away.
  if (plans_.job && question_ && !have_same_curve(*plans_.begun, *question_)) plans_.job->cancel();
  if (fits_.job && fits_are_due()) fits_.job->cancel();
  const bool has_plans = take(plans_);
  const bool has_fits = take(fits_);
  if (plans_are_due() && may_begin(plans_, has_curve() ? ForecastPace::at_once : pace)) {
    plans_.begun = question_;
    if (!has_curve()) plans_.begun_at = clock_();
    plans_.job = plan_jobs_.submit(
        JobPriority::normal, [question = *question_, before = plans_.answer](JobContext& context) {
          return forecast_plans(question, before.get(), context.stop());
        });
  }
  if (fits_are_due() && may_begin(fits_, pace)) {
    fits_.begun = question_;
    fits_.begun_at = clock_();
    fits_.job = fit_jobs_.submit(JobPriority::normal, [question = *question_](JobContext& context) {
      return forecast_fits(question, context.stop());
    });
  }
  return has_plans || has_fits;
}

bool PlanForecaster::is_busy() const { return is_computing() || plans_are_due() || fits_are_due(); }

}  // namespace headroom::run
