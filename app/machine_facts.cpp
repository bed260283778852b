#include "app/machine_facts.hpp"

#include <system_error>

#include "core/base/machine_memory.hpp"
#include "core/train/device.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

/// On the file system that `folder` will be made on.
std::int64_t free_disk_bytes(fs::path folder) {
  std::error_code failure;
  while (!fs::exists(folder, failure) && folder.has_parent_path() &&
         folder != folder.parent_path()) {
    folder = folder.parent_path();
  }
  const fs::space_info space = fs::space(folder, failure);
  return failure ? 0 : static_cast<std::int64_t>(space.available);
}

}  // namespace

ui::MachineFacts read_machine_facts(const fs::path& home) {
  const auto device = train::resolve_device("auto");
  const train::DeviceMemory on_device = train::memory_of(device);
  const base::MachineMemory memory = base::read_machine_memory();
  return {.device = train::describe(device),
          .is_gpu = !device.is_cpu(),
          .device_total_bytes = on_device.total_bytes,
          .device_free_bytes = on_device.available_bytes,
          .device_others_bytes = device.is_cpu() ? 0 : train::use_of(device).others_bytes,
          .memory_total_bytes = memory.total_bytes,
          .memory_free_bytes = memory.available_bytes,
          .disk_free_bytes = free_disk_bytes(home)};
}

}  // namespace headroom::app
