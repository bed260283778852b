#include "app/console.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/error.hpp"

namespace headroom::app {
namespace {

/// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void fill_standard_descriptors() {
  // open gives the lowest free number, which is one of the three as long as one of them is closed.
  int descriptor = ::open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

void write_output(std::string_view text) {
  const int failure = write_all(STDOUT_FILENO, text);
  if (failure == 0 || failure == EPIPE) return;
  throw base::Error(base::ErrorKind::io, {.attempted = "writing to standard output",
                                          .subject = std::strerror(failure),
                                          .remedy = "free some space or send it elsewhere"});
}

void write_errors(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }

int terminal_columns() noexcept {
  winsize size{};
  if (::isatty(STDERR_FILENO) == 0 || ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::string_view(kind) == "dumb") return 0;
  return size.ws_col == 0 ? 80 : size.ws_col;
}

}  // namespace headroom::app
