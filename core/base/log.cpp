#include "core/base/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::base {
namespace {

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

spdlog::level::level_enum least_level(LogVerbosity verbosity) {
  switch (verbosity) {
    case LogVerbosity::normal:
      return spdlog::level::info;
    case LogVerbosity::quiet:
      return spdlog::level::warn;
    case LogVerbosity::verbose:
      return spdlog::level::debug;
  }
  return spdlog::level::info;
}

/// "warning: " and the like; nothing for info.
class LevelPrefix : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& text) override {
    if (message.level == spdlog::level::info) return;
    const auto name = spdlog::level::to_string_view(message.level);
    text.append(name.data(), name.data() + name.size());
    for (const char c : {':', ' '}) text.push_back(c);
  }

  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<LevelPrefix>();
  }
};

}  // namespace

Log::Log(LogVerbosity verbosity) {
  auto terminal = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<LevelPrefix>('*').set_pattern("%*%v");
  terminal->set_formatter(std::move(formatter));
  terminal->set_level(least_level(verbosity));
  logger_ = std::make_unique<spdlog::logger>("headroom", std::move(terminal));
  logger_->set_level(spdlog::level::debug);
  logger_->flush_on(spdlog::level::debug);
}

Log::~Log() = default;

void Log::add_file(const std::filesystem::path& file) {
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.native());
    sink->set_formatter(std::make_unique<spdlog::pattern_formatter>(
        "%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc));
    logger_->sinks().push_back(std::move(sink));
  } catch (const spdlog::spdlog_ex& problem) {
    throw Error(ErrorKind::io, {.attempted = "opening the log file",
                                .subject = display_path(file),
                                .remedy = "Check that the folder is there and can be written",
                                .detail = problem.what()});
  }
}

void Log::write(LogLevel level, std::string_view message) {
  logger_->log(spdlog_level(level), spdlog::string_view_t(message.data(), message.size()));
}

}  // namespace headroom::base
