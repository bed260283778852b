#pragma once
// Runs a program as a person would, for black-box tests: arguments as bytes, its own environment,
// both outputs captured, signals, and a time limit that kills. A ChildProcess is owned and called
// by one thread.

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::tests {

struct ProcessOptions {
  /// Program first; found as given, not on PATH.
  std::vector<std::string> arguments{};
  /// Added to the environment of the test itself; nothing removes the variable.
  std::map<std::string, std::optional<std::string>> environment{};
  std::filesystem::path working_folder{};  ///< empty: the test's own
  /// Opened for standard output in place of the capture: "/dev/full".
  std::filesystem::path output_file{};
  bool close_output = false;  ///< standard output is no open file at all
  /// The reader of standard output is gone before the program starts.
  bool break_output = false;
  /// Standard error is a pseudo-terminal of this many columns; 0: a pipe.
  int terminal_columns = 0;
  /// Permissions of files bind the program even where the test is run by root.
  bool obey_permissions = false;
  std::chrono::milliseconds timeout = std::chrono::seconds(60);
};

struct ProcessResult {
  int exit_code = -1;      ///< -1 where a signal ended it
  int signal = 0;          ///< the signal that ended it, or 0
  bool timed_out = false;  ///< killed by the limit
  std::string output{};
  std::string errors{};
  double seconds = 0;
};

class ChildProcess {
 public:
  /// Throws std::system_error when it cannot be started.
  explicit ChildProcess(ProcessOptions options);
  /// Kills what still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void send_signal(int signal) const;
  /// Reads until the errors so far contain `text`; false when the program ended or the limit passed
  /// before.
  [[nodiscard]] bool wait_for_errors(const std::string& text);
  /// Reads to the end of both outputs and waits for the program.
  [[nodiscard]] ProcessResult wait();

 private:
  [[nodiscard]] bool read_some();
  void kill_now() noexcept;

  ProcessOptions options_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point deadline_;
  pid_t pid_ = -1;
  int output_fd_ = -1;
  int errors_fd_ = -1;
  ProcessResult result_{};
};

/// Starts, reads and waits.
[[nodiscard]] ProcessResult run_process(ProcessOptions options);

}  // namespace headroom::tests
