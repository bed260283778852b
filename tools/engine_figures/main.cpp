// What the checkpointing engine and the meter cost, whether they leak, and how the process's memory
// follows the tensors': the figures that `headroom bench` and `headroom verify` do not print.
//
//   engine_figures [--part cost|leak|resident|reserved]… [--out FILE.json]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/memory/runtime.hpp"
#include "tools/engine_figures/parts.hpp"

namespace headroom {
namespace {

struct Part {
  std::string_view name;
  Figures (*measure)(const PartOptions& options);
};
constexpr std::array kParts = {Part{"cost", measure_costs}, Part{"leak", measure_leak},
                               Part{"resident", measure_resident},
                               Part{"reserved", measure_reserved}};

int measure(const std::vector<std::string>& wanted, const PartOptions& options,
            const std::string& out) {
  memory::install_runtime();
  Figures all;
  for (const Part& part : kParts) {
    if (!wanted.empty() && std::ranges::find(wanted, part.name) == wanted.end()) continue;
    fmt::print(stderr, "measuring {}\n", part.name);
    Figures figures = part.measure(options);
    fmt::print("{}", as_text(figures));
    std::fflush(stdout);
    std::ranges::move(figures, std::back_inserter(all));
  }
  if (!out.empty()) base::write_file_atomically(out, as_json(all));
  return std::ranges::all_of(all, is_met) ? 0 : 1;
}

}  // namespace
}  // namespace headroom

int main(int count, char** arguments) {
  std::vector<std::string> parts;
  std::string out;
  headroom::PartOptions options;
  CLI::App app{
      "Costs of the checkpointing engine and the meter, leaks, and resident memory; ends with 1 "
      "where a bar is "
      "not met. Let the machine be idle.",
      "engine_figures"};
  app.add_option("--part", parts, "What to measure; repeatable; default: all")
      ->check(CLI::IsMember({"cost", "leak", "resident", "reserved"}));
  app.add_option("--threads", options.threads, "Compute threads")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--quick", options.is_quick,
               "Small and few: shows that the parts work, the figures mean nothing");
  app.add_option("--out", out, "Also write the figures here, as JSON");
  CLI11_PARSE(app, count, arguments);
  try {
    return headroom::measure(parts, options, out);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "engine_figures: {}\n", problem.what());
    return 2;
  }
}
