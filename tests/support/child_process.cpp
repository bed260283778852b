#include "tests/support/child_process.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace headroom::tests {
namespace {

using Clock = std::chrono::steady_clock;

struct Channel {
  int parent = -1;
  int child = -1;
};

int checked(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

void close_if_open(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

Channel open_pipe() {
  std::array<int, 2> ends{};
  checked(::pipe2(ends.data(), O_CLOEXEC), "pipe2");
  return {ends[0], ends[1]};
}

Channel open_terminal(int columns) {
  Channel channel;
  channel.parent = checked(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "posix_openpt");
  checked(::grantpt(channel.parent), "grantpt");
  checked(::unlockpt(channel.parent), "unlockpt");
  std::array<char, 128> name{};
  if (::ptsname_r(channel.parent, name.data(), name.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "ptsname_r");
  channel.child = checked(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC), "open terminal");
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = 24;
  checked(::ioctl(channel.child, TIOCSWINSZ, &size), "TIOCSWINSZ");
  return channel;
}

/// "NAME=value" entries of this process with the changes applied.
std::vector<std::string> merged_environment(
    const std::map<std::string, std::optional<std::string>>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) entries.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (value) entries.push_back(name + "=" + *value);
  }
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// In the child, between fork and exec: only async-signal-safe calls.
void become_program(const ProcessOptions& options, const Channel& output, const Channel& errors,
                    char** arguments, char** environment) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int input = ::open("/dev/null", O_RDONLY);
  if (input < 0 || ::dup2(input, STDIN_FILENO) < 0) _exit(127);
  if (options.close_output) {
    ::close(STDOUT_FILENO);
  } else if (::dup2(output.child, STDOUT_FILENO) < 0) {
    _exit(127);
  }
  if (::dup2(errors.child, STDERR_FILENO) < 0) _exit(127);
  if (!options.working_folder.empty() && ::chdir(options.working_folder.c_str()) != 0) _exit(127);
  if (options.obey_permissions) {
    // Somebody else than root has nothing to drop, and is refused.
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
  }
  ::execve(arguments[0], arguments, environment);
  _exit(127);
}

/// False at the end of the stream.
bool append_available(int fd, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(fd, buffer.data(), buffer.size());
  // A terminal whose other end is closed answers EIO.
  if (count <= 0) return count < 0 && errno == EINTR;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

}  // namespace

ChildProcess::ChildProcess(ProcessOptions options)
    : options_(std::move(options)), start_(Clock::now()), deadline_(start_ + options_.timeout) {
  Channel output;
  if (options_.output_file.empty()) {
    output = open_pipe();
  } else {
    output.child =
        checked(::open(options_.output_file.c_str(), O_WRONLY | O_CLOEXEC), "open output");
  }
  Channel errors =
      options_.terminal_columns > 0 ? open_terminal(options_.terminal_columns) : open_pipe();
  if (options_.break_output) close_if_open(output.parent);

  std::vector<std::string> arguments = options_.arguments;
  std::vector<std::string> environment = merged_environment(options_.environment);
  std::vector<char*> argument_pointers = pointers_to(arguments);
  std::vector<char*> environment_pointers = pointers_to(environment);
  pid_ = checked(::fork(), "fork");
  if (pid_ == 0) {
    become_program(options_, output, errors, argument_pointers.data(), environment_pointers.data());
  }
  close_if_open(output.child);
  close_if_open(errors.child);
  output_fd_ = output.parent;
  errors_fd_ = errors.parent;
}

ChildProcess::~ChildProcess() {
  kill_now();
  close_if_open(output_fd_);
  close_if_open(errors_fd_);
}

void ChildProcess::kill_now() noexcept {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

void ChildProcess::send_signal(int signal) const { checked(::kill(pid_, signal), "kill"); }

bool ChildProcess::read_some() {
  std::vector<pollfd> waited;
  if (output_fd_ >= 0) waited.push_back({output_fd_, POLLIN, 0});
  if (errors_fd_ >= 0) waited.push_back({errors_fd_, POLLIN, 0});
  if (waited.empty()) return false;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
  const int ready = ::poll(waited.data(), waited.size(),
                           static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
  if (ready < 0 && errno == EINTR) return true;
  if (ready <= 0) {
    result_.timed_out = true;
    return false;
  }
  for (const pollfd& entry : waited) {
    if (entry.revents == 0) continue;
    int& fd = entry.fd == output_fd_ ? output_fd_ : errors_fd_;
    std::string& text = entry.fd == output_fd_ ? result_.output : result_.errors;
    if (!append_available(fd, text)) close_if_open(fd);
  }
  return true;
}

bool ChildProcess::wait_for_errors(const std::string& text) {
  while (result_.errors.find(text) == std::string::npos) {
    if (errors_fd_ < 0 || !read_some()) return false;
  }
  return true;
}

ProcessResult ChildProcess::wait() {
  while (read_some()) {
  }
  if (result_.timed_out) ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  result_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
  return result_;
}

ProcessResult run_process(ProcessOptions options) {
  return ChildProcess(std::move(options)).wait();
}

}  // namespace headroom::tests
