#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stop_token>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/signal_watch.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"

namespace headroom::app {

int perform(const SampleCommand& command) {
  std::stop_source stop;
  {
    const SignalWatch watch([&stop] { stop.request_stop(); });
    formats::generate_sample_set(command.options, command.folder, stop.get_token());
  }
  const std::string folder = base::display_path(command.folder);
  if (command.output.json) {
    const nlohmann::ordered_json document = {
        {"folder", folder},
        {"kind", formats::name_of(command.options.kind)},
        {"count", command.options.count},
        {"size", command.options.size},
        {"seed", command.options.seed},
        {"classes", formats::class_names_of(command.options.kind)}};
    write_output(base::dump_json(document, 2) + '\n');
  } else {
    write_output(fmt::format("{} pictures of {}x{} with masks in {}\n", command.options.count,
                             command.options.size, command.options.size, folder));
  }
  return 0;
}

}  // namespace headroom::app
