#include "core/run/jobs.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "core/base/error.hpp"

namespace headroom::run {
namespace {

constexpr int kNiceness = 10;

/// Linux keeps the niceness per thread. Jobs work as well without it, so a refusal does not matter.
void lower_priority_of_this_thread() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
}

}  // namespace

void JobContext::report(JobProgress progress) {
  const std::lock_guard lock(mutex_);
  progress_ = std::move(progress);
}

JobProgress JobContext::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void check_not_cancelled(const JobContext& context) {
  if (!context.stop().stop_requested()) return;
  throw base::Error(base::ErrorKind::interrupted, {.attempted = "working in the background",
                                                   .subject = "the job was cancelled",
                                                   .remedy = "Ask for it again if it is needed"});
}

JobQueue::JobQueue() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

JobQueue::~JobQueue() {
  thread_.request_stop();
  std::shared_ptr<JobContext> running;
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : waiting_) entry.context->cancel();
    running = running_;
  }
  if (running) running->cancel();
}

void JobQueue::enqueue(JobPriority priority, std::shared_ptr<JobContext> context,
                       std::function<void()> run) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({priority, next_number_++, std::move(context), std::move(run)});
    std::push_heap(waiting_.begin(), waiting_.end(), is_less_urgent);
  }
  wake_.notify_one();
}
