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
  {
    const std::lock_guard lock(mutex_);
    progress_ = std::move(progress);
  }
  if (on_news_) on_news_();
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

JobQueue::JobQueue(std::function<void()> on_news)
    : on_news_(std::move(on_news)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

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

bool JobQueue::is_less_urgent(const Entry& a, const Entry& b) {
  return a.priority != b.priority ? a.priority < b.priority : a.number > b.number;
}

std::optional<JobQueue::Entry> JobQueue::next(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  running_.reset();
  wake_.wait(lock, stop, [this] { return !waiting_.empty(); });
  // What still waits when the queue ends was cancelled, and is run so that its handle gets to know.
  if (waiting_.empty()) return std::nullopt;
  std::pop_heap(waiting_.begin(), waiting_.end(), is_less_urgent);
  Entry entry = std::move(waiting_.back());
  waiting_.pop_back();
  running_ = entry.context;
  return entry;
}

void JobQueue::work(const std::stop_token& stop) {
  lower_priority_of_this_thread();
  while (std::optional<Entry> entry = next(stop)) {
    entry->run();
    if (on_news_) on_news_();
  }
}

}  // namespace headroom::run
