#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/environment.hpp"
#include "app/signal_watch.hpp"
#include "app/text.hpp"
#include "core/base/build_info.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/json_text.hpp"
#include "core/memory/cuda_loader.hpp"
#include "core/train/device.hpp"
#include "core/train/precision.hpp"

namespace headroom::app {
namespace {

struct DeviceLine {
  std::string id;  ///< as --device takes it
  std::string name;
  train::DeviceMemory memory;
  memory::DeviceUse use;
  std::string precision;  ///< that auto chooses
};

DeviceLine describe_device(const std::string& id) {
  const auto device = train::resolve_device(id);
  return {id, train::describe(device), train::memory_of(device), train::use_of(device),
          train::name_of(train::resolve_precision(base::Precision::automatic, device))};
}

std::vector<DeviceLine> all_devices(const memory::CudaLoader& cuda) {
  std::vector<DeviceLine> devices = {describe_device("cpu")};
  for (int index = 0; index < cuda.device_count(); ++index)
    devices.push_back(describe_device(fmt::format("cuda:{}", index)));
  return devices;
}

std::string as_text(const std::vector<DeviceLine>& devices, const memory::CudaLoader& cuda,
                    const std::map<std::string, std::string>& environment) {
  std::vector<std::vector<std::string>> rows = {
      {"device", "name", "free", "total", "used by others", "auto precision"}};
  for (const DeviceLine& device : devices)
    rows.push_back({device.id, device.name, base::format_bytes(device.memory.available_bytes),
                    base::format_bytes(device.memory.total_bytes),
                    base::format_bytes(device.use.others_bytes), device.precision});
  std::string text = format_table(rows);
  if (!cuda.why_not().empty()) text += fmt::format("no GPU: {}\n", cuda.why_not());
  for (const auto& [name, value] : environment) text += fmt::format("{}: {}\n", name, value);
  return text;
}

nlohmann::ordered_json as_json(const std::vector<DeviceLine>& devices,
                               const memory::CudaLoader& cuda,
                               const std::map<std::string, std::string>& environment) {
  nlohmann::ordered_json document = {{"devices", nlohmann::ordered_json::array()},
                                     {"no_gpu", cuda.why_not()},
                                     {"environment", environment}};
  for (const DeviceLine& device : devices)
    document["devices"].push_back({{"id", device.id},
                                   {"name", device.name},
                                   {"available_bytes", device.memory.available_bytes},
                                   {"total_bytes", device.memory.total_bytes},
                                   {"allocated_bytes", device.use.allocated_bytes},
                                   {"reserved_bytes", device.use.reserved_bytes},
                                   {"used_bytes", device.use.used_bytes},
                                   {"used_by_others_bytes", device.use.others_bytes},
                                   {"auto_precision", device.precision}});
  return document;
}

}  // namespace

int perform(const DevicesCommand& command) {
  let_signals_end_process();
  const memory::CudaLoader cuda = memory::CudaLoader::load();
  const std::vector<DeviceLine> devices = all_devices(cuda);
  std::map<std::string, std::string> environment = describe_environment();
  environment["build"] = base::build_commit();
  write_output(command.output.json ? base::dump_json(as_json(devices, cuda, environment), 2) + '\n'
                                   : as_text(devices, cuda, environment));
  return 0;
}

}  // namespace headroom::app
