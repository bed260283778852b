// Time and memory of all policies on a device, several inputs and precisions after each other, as
// one JSON document: {"runs": [what `headroom bench --json` prints]}.
//
//   gpu_bench [--device cuda|cpu] [--quick] [--repeat N]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/memory/runtime.hpp"
#include "core/train/bench.hpp"
#include "models/unet.hpp"

namespace headroom {
namespace {

struct Options {
  std::string device = "cuda";
  std::int64_t repeat = 10;
  bool is_quick = false;
};

struct Input {
  std::int64_t side, batch;
};

std::vector<std::string> plans(const std::string& device) {
  std::vector<std::string> plans = {"keep", "light", "full"};
  const std::string rest = "dec4=light,dec3=light,dec2=light,dec1=light";
  plans.push_back("enc1=full,enc2=full,enc3=full,enc4=full,enc5=full," + rest);
  if (device != "cpu") {
    plans.push_back("offload");
    plans.push_back("enc1=offload,enc2=offload,enc3=full,enc4=full,enc5=full," + rest);
  }
  return plans;
}

nlohmann::json measure(const Options& options, Input input, base::Precision precision) {
  base::Settings settings;
  settings.model.levels = 5;
  settings.model.base_channels = options.is_quick ? 4 : 32;
  settings.step.tile_height = settings.step.tile_width = input.side;
  settings.step.batch = input.batch;
  settings.step.precision = precision;
  settings.step.device = options.device;
  settings.train.loss = base::LossKind::ce;
  const train::BenchReport report = train::bench_plans(
      {.settings = settings, .plans = plans(options.device), .repeat = options.repeat, .warmup = 2},
      models::make_model, {});
  return nlohmann::json::parse(train::to_json(report));
}

/// What does not fit in this device's memory must not cost the figures of what does.
nlohmann::json measure_or_error(const Options& options, Input input, base::Precision precision) {
  try {
    return measure(options, input, precision);
  } catch (const base::Error& error) {
    if (error.kind() != base::ErrorKind::out_of_memory) throw;
    return {{"side", input.side}, {"batch", input.batch}, {"error", error.what()}};
  }
}

void run(const Options& options) {
  memory::install_runtime();
  const std::vector<Input> inputs = options.is_quick
                                        ? std::vector<Input>{{64, 2}}
                                        : std::vector<Input>{{256, 2}, {512, 8}, {1024, 8}};
  nlohmann::json runs = nlohmann::json::array();
  for (const Input& input : inputs) {
    for (const base::Precision precision : {base::Precision::fp32, base::Precision::bf16}) {
      fmt::print(stderr, "{}x{}, batch {}\n", input.side, input.side, input.batch);
      runs.push_back(measure_or_error(options, input, precision));
    }
  }
  fmt::print("{}\n", nlohmann::json{{"runs", runs}}.dump(2));
}

}  // namespace
}  // namespace headroom

int main(int count, char** arguments) {
  headroom::Options options;
  CLI::App app{"Time and memory of all policies on a device, as JSON", "gpu_bench"};
  app.add_option("--device", options.device, "cuda, cuda:N or cpu")->capture_default_str();
  app.add_option("--repeat", options.repeat, "Measured steps of each plan")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--quick", options.is_quick, "One small network and input");
  CLI11_PARSE(app, count, arguments);
  try {
    headroom::run(options);
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "gpu_bench: {}\n", problem.what());
    return 1;
  }
}
