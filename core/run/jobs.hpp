#pragma once
// Work in the background that must not disturb training: one thread at low priority, most urgent
// job first. Jobs are submitted, watched and cancelled from any thread; results travel as values.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace headroom::run {

enum class JobPriority { low, normal, high };

struct JobProgress {
  double share = 0;  ///< 0 … 1
  std::string text{};
};

/// What a job and its handle share.
class JobContext {
 public:
  /// `on_news` is called after each report; may be empty.
  explicit JobContext(std::function<void()> on_news = {}) : on_news_(std::move(on_news)) {}
  /// Requested when the handle cancels or the queue ends; the job then throws base::Error
  /// (interrupted).
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
  void cancel() { stop_.request_stop(); }
  void report(JobProgress progress);
  [[nodiscard]] JobProgress progress() const;

 private:
  std::stop_source stop_{};
  mutable std::mutex mutex_{};
  JobProgress progress_{};
  std::function<void()> on_news_;
};

/// A job that was submitted. Letting go of the handle does not cancel the job.
template <typename Result>
class Job {
 public:
  Job(std::shared_ptr<JobContext> context, std::future<Result> result)
      : context_(std::move(context)), result_(std::move(result)) {}

  [[nodiscard]] bool is_done() const {
    return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  [[nodiscard]] JobProgress progress() const { return context_->progress(); }
  /// A job that has not begun never does; one that runs is asked to end. take() throws base::Error
  /// (interrupted).
  void cancel() { context_->cancel(); }
  /// The result, once; waits for it. Throws what the job threw.
  [[nodiscard]] Result take() { return result_.get(); }

 private:
  std::shared_ptr<JobContext> context_;
  std::future<Result> result_;
};

class JobQueue {
 public:
  /// `on_news`, where given, is called on the job thread when a job has reported progress and when
  /// its result is there.
  explicit JobQueue(std::function<void()> on_news = {});
  /// Cancels everything and joins.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  /// `work` is called on the job thread: Result work(JobContext&). Jobs of one priority run in
  /// order.
  template <typename Work>
  [[nodiscard]] auto submit(JobPriority priority, Work work)
      -> Job<std::invoke_result_t<Work&, JobContext&>>;

 private:
  struct Entry {
    JobPriority priority = JobPriority::normal;
    std::int64_t number = 0;
    std::shared_ptr<JobContext> context{};
    std::function<void()> run{};
  };

  void enqueue(JobPriority priority, std::shared_ptr<JobContext> context,
               std::function<void()> run);
  [[nodiscard]] static bool is_less_urgent(const Entry& a, const Entry& b);
  /// Waits; nothing when the queue has ended.
  [[nodiscard]] std::optional<Entry> next(const std::stop_token& stop);
  void work(const std::stop_token& stop);

  std::function<void()> on_news_;
  std::mutex mutex_{};
  std::condition_variable_any wake_{};
  std::vector<Entry> waiting_{};  ///< a heap, most urgent in front
  std::shared_ptr<JobContext> running_{};
  std::int64_t next_number_ = 0;
  std::jthread thread_{};  ///< last: it starts when all else is there, and ends first
};

/// Throws base::Error (interrupted) when the job was cancelled before it began.
void check_not_cancelled(const JobContext& context);

template <typename Work>
auto JobQueue::submit(JobPriority priority, Work work)
    -> Job<std::invoke_result_t<Work&, JobContext&>> {
  using Result = std::invoke_result_t<Work&, JobContext&>;
  auto context = std::make_shared<JobContext>(on_news_);
  auto task =
      std::make_shared<std::packaged_task<Result()>>([work = std::move(work), context]() mutable {
        check_not_cancelled(*context);
        return work(*context);
      });
  Job<Result> job(context, task->get_future());
  enqueue(priority, std::move(context), [task] { (*task)(); });
  return job;
}

}  // namespace headroom::run
