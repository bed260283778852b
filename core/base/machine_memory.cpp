#include "core/base/machine_memory.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"

namespace headroom::base {
namespace {

namespace fs = std::filesystem;

/// Where one version of control groups keeps its figures.
struct GroupFiles {
  const char* limit;
  const char* used;
  const char*
      reclaimable;  ///< key in memory.stat: cached files that are given back when memory is short
};
constexpr GroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file"};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

/// Nothing where the file cannot be read: most machines have only some of these.
std::optional<std::string> contents_of(const fs::path& file) {
  std::error_code missing;
  if (!fs::is_regular_file(file, missing)) return std::nullopt;
  try {
    return read_file(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The number behind `key` in lines of "key 123" or "key: 123 kB".
std::optional<std::int64_t> number_behind(const std::string& text, const std::string& key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    std::string_view rest = std::string_view(line).substr(key.size());
    if (!rest.starts_with(' ') && !rest.starts_with(':')) continue;
    const std::size_t begin = rest.find_first_of("0123456789");
    if (begin == std::string_view::npos) continue;
    const std::size_t end = rest.find_first_not_of("0123456789", begin);
    return parse_integer(rest.substr(begin, end - begin));
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_in(const fs::path& file) {
  const std::optional<std::string> text = contents_of(file);
  if (!text) return std::nullopt;
  // "max" (no limit) is no number.
  return parse_integer(std::string_view(*text).substr(0, text->find('\n')));
}

void apply_group_limit(const fs::path& group, const GroupFiles& files, MachineMemory& memory) {
  const std::optional<std::int64_t> limit = number_in(group / files.limit);
  if (!limit || *limit >= memory.total_bytes) return;
  memory.total_bytes = *limit;
  const std::int64_t used = number_in(group / files.used).value_or(0);
  const std::optional<std::string> statistics = contents_of(group / "memory.stat");
  const std::int64_t reclaimable =
      statistics ? number_behind(*statistics, files.reclaimable).value_or(0) : 0;
  memory.available_bytes =
      std::clamp<std::int64_t>(*limit - used + reclaimable, 0, memory.available_bytes);
}

/// Every group from `group_path` up to the root of the hierarchy limits what is in it.
void apply_group_limits(const fs::path& hierarchy, const fs::path& group_path,
                        const GroupFiles& files, MachineMemory& memory) {
  fs::path relative = group_path.relative_path();
  while (!relative.empty()) {
    apply_group_limit(hierarchy / relative, files, memory);
    relative = relative.parent_path();
  }
  apply_group_limit(hierarchy, files, memory);
}

}  // namespace

MachineMemory read_machine_memory(const fs::path& root) {
  const fs::path meminfo_file = root / "proc/meminfo";
  const std::string meminfo = read_file(meminfo_file);
  const std::optional<std::int64_t> total_kib = number_behind(meminfo, "MemTotal");
  const std::optional<std::int64_t> available_kib = number_behind(meminfo, "MemAvailable");
  if (!total_kib || !available_kib) {
    throw Error(ErrorKind::io,
                {.attempted = "reading the machine's memory",
                 .subject = display_path(meminfo_file) + ": has no MemTotal or no MemAvailable",
                 .remedy = "Give the budget by hand (--budget 6GiB)"});
  }
  MachineMemory memory{.total_bytes = *total_kib * 1024, .available_bytes = *available_kib * 1024};

  // Lines are "number:controllers:path"; version 2 has number 0 and no controllers.
  std::istringstream groups(contents_of(root / "proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group_path = line.substr(second + 1);
    if (controllers == ",,") {
      apply_group_limits(root / "sys/fs/cgroup", group_path, kVersion2, memory);
    } else if (controllers.find(",memory,") != std::string::npos) {
      apply_group_limits(root / "sys/fs/cgroup/memory", group_path, kVersion1, memory);
    }
  }
  return memory;
}

}  // namespace headroom::base
