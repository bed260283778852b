#include "app/local_time.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace headroom::app {
namespace {

std::tm local(std::time_t seconds) {
  std::tm broken_down{};
  ::localtime_r(&seconds, &broken_down);
  return broken_down;
}

bool is_same_day(const std::tm& a, const std::tm& b) {
  return a.tm_year == b.tm_year && a.tm_yday == b.tm_yday;
}

}  // namespace

std::chrono::minutes local_utc_offset() {
  return std::chrono::minutes(local(std::time(nullptr)).tm_gmtoff / 60);
}

std::string when_text(std::filesystem::file_time_type time) {
  const auto on_wall = std::chrono::time_point_cast<std::chrono::system_clock::duration>(
      std::chrono::file_clock::to_sys(time));
  const std::tm then = local(std::chrono::system_clock::to_time_t(on_wall));
  const std::time_t now = std::time(nullptr);
  constexpr std::time_t kDay = 24 * 60 * 60;
  std::string day = fmt::format("{:%Y-%m-%d}", then);
  if (is_same_day(then, local(now))) day = "today";
  if (is_same_day(then, local(now - kDay))) day = "yesterday";
  return fmt::format("{} at {:%H:%M}", day, then);
}

}  // namespace headroom::app
