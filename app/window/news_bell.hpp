#pragma once
// One thread waits for news, others ring. A ring before the wait is not lost.

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace headroom::app {

class NewsBell {
 public:
  /// Any thread.
  void ring() {
    {
      const std::lock_guard lock(mutex_);
      rung_ = true;
    }
    bell_.notify_one();
  }
  /// Until it rings, or `most_seconds` have passed.
  void wait(double most_seconds) {
    std::unique_lock lock(mutex_);
    bell_.wait_for(lock, std::chrono::duration<double>(most_seconds), [this] { return rung_; });
    rung_ = false;
  }

 private:
  std::mutex mutex_{};
  std::condition_variable bell_{};
  bool rung_ = false;
};

}  // namespace headroom::app
