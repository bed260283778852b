#include "app/environment.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <chrono>
#include <fstream>
#include <system_error>
#include <thread>

#include "core/base/byte_size.hpp"
#include "core/base/machine_memory.hpp"
#include "core/formats/library_versions.hpp"
#include "core/train/torch_version.hpp"

namespace headroom::app {
namespace {

/// The first "model name" of /proc/cpuinfo; "unknown" where the system names none.
std::string cpu_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string system_name() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
}

}  // namespace

std::map<std::string, std::string> describe_environment() {
  std::map<std::string, std::string> environment = formats::library_versions();
  environment["torch"] = train::torch_version();
  environment["cpu"] = cpu_name();
  environment["cores"] = fmt::format("{}", std::thread::hardware_concurrency());
  environment["memory"] = base::format_bytes(base::read_machine_memory().total_bytes);
  environment["system"] = system_name();
  return environment;
}

std::string describe_build(std::string_view commit, const std::filesystem::path& program) {
  if (commit != "unknown" && !commit.ends_with("-dirty")) return std::string(commit);
  std::error_code failure;
  const auto bytes = std::filesystem::file_size(program, failure);
  const auto written = std::filesystem::last_write_time(program, failure).time_since_epoch();
  if (failure) return std::string(commit);
  const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(written).count();
  return fmt::format("{} {} {}", commit, bytes, nanoseconds);
}

}  // namespace headroom::app
