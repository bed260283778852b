#include "core/data/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/error.hpp"

namespace headroom::data {

namespace {

class SharedLoop {
 public:
  SharedLoop(std::int64_t count, const ParallelOptions& options,
             const std::function<void(std::int64_t)>& work)
      : count_(count), options_(options), work_(work) {}

  void run(bool is_caller) {
    while (!options_.stop.stop_requested() && !failed_) {
      const std::int64_t item = next_++;
      if (item >= count_) return;
      try {
        work_(item);
      } catch (...) {
        remember(item, std::current_exception());
        return;
      }
      const std::int64_t done = ++done_;
      if (is_caller && options_.progress) options_.progress(done);
    }
  }

  void finish() const {
    if (failure_) std::rethrow_exception(failure_);
    if (done_ < count_) {
      throw base::Error(base::ErrorKind::interrupted,
                        {"working through the files", "it was stopped", "start it again"});
    }
    if (options_.progress) options_.progress(count_);
  }

 private:
  void remember(std::int64_t item, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_ || item < failed_item_) {
      failure_ = std::move(failure);
      failed_item_ = item;
    }
    failed_ = true;
  }

  const std::int64_t count_;
  const ParallelOptions& options_;
  const std::function<void(std::int64_t)>& work_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> done_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;  ///< guards the two below while threads run
  std::exception_ptr failure_{};
  std::int64_t failed_item_ = 0;
};

}  // namespace

void parallel_for(std::int64_t count, const ParallelOptions& options,
                  const std::function<void(std::int64_t)>& work) {
  SharedLoop loop(count, options, work);
  {
    std::vector<std::jthread> others;
    const std::int64_t threads =
        std::clamp<std::int64_t>(options.threads, 1, std::max<std::int64_t>(count, 1));
    for (std::int64_t i = 1; i < threads; ++i) others.emplace_back([&loop] { loop.run(false); });
    loop.run(true);
  }
  loop.finish();
}

}  // namespace headroom::data
