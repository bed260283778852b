#include "app/signal_watch.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace headroom::app {
namespace {

constexpr int kInterruptedExitCode = static_cast<int>(base::ErrorKind::interrupted);

sigset_t stopping_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

int checked_descriptor(int descriptor) {
  if (descriptor < 0)
    throw base::Error(base::ErrorKind::internal,
                      {.attempted = "watching for signals",
                       .subject = std::strerror(errno),
                       .remedy = "raise the limit of open files (ulimit -n)"});
  return descriptor;
}

}  // namespace

void prepare_signals() {
  const sigset_t set = stopping_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void let_signals_end_process() {
  const sigset_t set = stopping_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

SignalWatch::SignalWatch(std::function<void()> on_first_signal)
    : on_first_signal_(std::move(on_first_signal)) {
  const sigset_t set = stopping_signals();
  signals_fd_ = checked_descriptor(::signalfd(-1, &set, SFD_CLOEXEC));
  end_fd_ = checked_descriptor(::eventfd(0, EFD_CLOEXEC));
  thread_ = std::jthread([this] { watch(); });
}

SignalWatch::~SignalWatch() {
  const std::uint64_t one = 1;
  // A write to a fresh event counter cannot fail or block.
  [[maybe_unused]] const ssize_t written = ::write(end_fd_, &one, sizeof one);
  thread_.join();
  ::close(signals_fd_);
  ::close(end_fd_);
}

void SignalWatch::watch() {
  bool stopping = false;
  while (true) {
    std::array<pollfd, 2> waited{pollfd{signals_fd_, POLLIN, 0}, pollfd{end_fd_, POLLIN, 0}};
    if (::poll(waited.data(), waited.size(), -1) < 0) continue;
    if (waited[1].revents != 0) return;
    signalfd_siginfo received{};
    if (::read(signals_fd_, &received, sizeof received) != sizeof received) continue;
    if (std::exchange(stopping, true)) _exit(kInterruptedExitCode);
    on_first_signal_();
  }
}

}  // namespace headroom::app
