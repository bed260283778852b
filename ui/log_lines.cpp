#include "ui/log_lines.hpp"

#include <fmt/format.h>

#include "ui/text_match.hpp"

namespace headroom::ui {
namespace {

bool passes(const run::LogEntry& entry, LogFilter filter) {
  switch (filter) {
    case LogFilter::events:
      return entry.topic != run::LogTopic::finding;
    case LogFilter::findings:
      return entry.topic == run::LogTopic::finding || entry.severity != base::Severity::info;
    case LogFilter::all:
      break;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> shown_lines(const std::vector<run::LogEntry>& log, LogFilter filter,
                                     std::string_view text) {
  std::vector<std::size_t> lines;
  for (std::size_t i = log.size(); i-- > 0;) {
    if (passes(log[i], filter) && contains_text(log[i].text, text)) lines.push_back(i);
  }
  return lines;
}

std::string clock_text(std::chrono::system_clock::time_point time,
                       std::chrono::minutes utc_offset) {
  using std::chrono::seconds;
  constexpr std::int64_t kDay = 86'400;
  const std::int64_t since_epoch = std::chrono::floor<seconds>(time).time_since_epoch().count();
  const std::int64_t offset = std::chrono::duration_cast<seconds>(utc_offset).count();
  const std::int64_t of_day = ((since_epoch % kDay + offset) % kDay + kDay) % kDay;
  return fmt::format("{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
}

std::string copied_text(const std::vector<run::LogEntry>& log,
                        const std::vector<std::size_t>& lines, std::chrono::minutes utc_offset) {
  std::string text;
  for (const std::size_t line : lines) {
    text += clock_text(log[line].time, utc_offset) + "  " + log[line].text + '\n';
  }
  return text;
}

}  // namespace headroom::ui
