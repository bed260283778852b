#include <algorithm>
#include <string>
#include <vector>

#include "core/train/bench.hpp"
#include "core/train/random_plans.hpp"
#include "models/unet.hpp"
#include "tools/engine_figures/parts.hpp"

namespace headroom {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

train::BenchReport bench(const base::Settings& settings, std::vector<std::string> plans) {
  return train::bench_plans(
      {.settings = settings, .plans = std::move(plans), .repeat = 1, .warmup = 0},
      models::make_model, {});
}

double ratio_of_reserved(const train::BenchCase& one) {
  return static_cast<double>(one.median.reserved_bytes) /
         static_cast<double>(one.median.peak_total_bytes);
}

}  // namespace

Figures measure_resident(const PartOptions& options) {
  base::Settings settings = reference_settings(options);
  settings.step.batch = 1;
  settings.step.tile_height = settings.step.tile_width = options.is_quick ? 256 : 1024;
  settings.model.base_channels = options.is_quick ? 16 : 32;
  const std::string mixture =
      "enc1=full,enc2=full,enc3=full,enc4=full,enc5=full,dec4=light,dec3=light,dec2=light,"
      "dec1=light";
  const train::BenchReport report = bench(settings, {"keep", "light", "full", mixture});

  Figures figures;
  const train::BenchCase& keep = report.cases.front();
  for (const train::BenchCase& one : report.cases) {
    const std::string name = one.name == mixture ? "encoder full, decoder light" : one.name;
    const auto add = [&](const std::string& what, double value, const char* unit) {
      figures.push_back(
          {.part = "resident", .what = name + ": " + what, .value = value, .unit = unit});
    };
    add("tensor peak", static_cast<double>(one.median.peak_total_bytes) / kMiB, "MiB");
    add("resident peak", static_cast<double>(one.rss_peak_bytes) / kMiB, "MiB");
    if (&one == &keep) continue;
    const auto tensors =
        static_cast<double>(keep.median.peak_total_bytes - one.median.peak_total_bytes);
    const auto resident = static_cast<double>(keep.rss_peak_bytes - one.rss_peak_bytes);
    add("fall of the resident peak of that of the tensor peak", 100 * resident / tensors, "%");
    figures.back().bar = 80;
    figures.back().is_floor = true;
  }
  return figures;
}

Figures measure_reserved(const PartOptions& options) {
  const base::Settings settings = reference_settings(options);
  const std::vector<std::string> stages = plan::unet_stage_names(settings.model.levels);
  std::vector<std::string> plans = {"keep", "light", "full"};
  const std::int64_t random_plans = options.is_quick ? 5 : 37;
  for (std::int64_t i = 0; i < random_plans; ++i) {
    plans.push_back(plan::to_string(
        train::random_plan({plan::Policy::keep, plan::Policy::light, plan::Policy::full},
                           stages.size(), /*seed=*/0, i),
        stages));
  }
  const train::BenchReport report = bench(settings, plans);
  const auto worst = std::ranges::max_element(report.cases, {}, ratio_of_reserved);
  return {{.part = "reserved",
           .what = "plans measured",
           .value = static_cast<double>(report.cases.size())},
          {.part = "reserved",
           .what = "highest reserved / peak",
           .value = ratio_of_reserved(*worst),
           .bar = 1.15}};
}

}  // namespace headroom
