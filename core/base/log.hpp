#pragma once
// Messages for the person at the terminal and for a file: a thin front of spdlog. Owned by `main`
// and handed down by reference; any thread may write.

#include <filesystem>
#include <memory>
#include <string_view>

namespace spdlog {
class logger;
}

namespace headroom::base {

enum class LogLevel { debug, info, warning, error };

/// What reaches stderr. The file, where there is one, gets every level.
enum class LogVerbosity {
  normal,
  quiet,
  verbose
};  ///< info and up; errors and warnings; debug too

class Log {
 public:
  /// Writes to stderr: "warning: …", "error: …", "debug: …"; info without a prefix.
  explicit Log(LogVerbosity verbosity);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Every message from now on goes into `file` too (appended, with UTC time and level). Not while
  /// other threads write. Throws Error (io) when it cannot be opened.
  void add_file(const std::filesystem::path& file);

  void write(LogLevel level, std::string_view message);
  void debug(std::string_view message) { write(LogLevel::debug, message); }
  void info(std::string_view message) { write(LogLevel::info, message); }
  void warning(std::string_view message) { write(LogLevel::warning, message); }
  void error(std::string_view message) { write(LogLevel::error, message); }

 private:
  std::unique_ptr<spdlog::logger> logger_;
};

}  // namespace headroom::base
