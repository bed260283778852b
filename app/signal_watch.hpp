#pragma once
// Turns SIGINT and SIGTERM into a request to stop. The first signal calls the function given, on
// the watch's own thread; a second one ends the process at once with code 130: what was saved
// before is whole, since files appear only by rename.

#include <csignal>
#include <functional>
#include <thread>

namespace headroom::app {

/// Blocks SIGINT and SIGTERM in this thread and every thread it starts, and ignores SIGPIPE. `main`
/// calls it before any other thread exists; signals then wait until a SignalWatch takes them.
void prepare_signals();

/// Gives both signals their usual effect again, which is to end the process. For commands that
/// leave nothing behind when they are ended.
void let_signals_end_process();

class SignalWatch {
 public:
  /// Throws base::Error (internal) when the system gives no descriptor.
  explicit SignalWatch(std::function<void()> on_first_signal);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  void watch();

  std::function<void()> on_first_signal_;
  int signals_fd_ = -1;
  int end_fd_ = -1;  ///< readable once the watch is over
  std::jthread thread_;
};

}  // namespace headroom::app
