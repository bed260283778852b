#include "app/self_test.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/train/verify.hpp"
#include "models/unet.hpp"

namespace headroom::app {

run::SelfTestReport self_test(std::stop_token stop) {
  train::VerifyOptions options;
  options.settings.model.levels = 3;
  options.settings.model.base_channels = 4;
  options.settings.step.tile_height = options.settings.step.tile_width = 32;
  options.settings.step.batch = 1;
  options.settings.step.device = "cpu";
  options.settings.step.threads = 1;  // more would wait for each other longer than they compute
  options.settings.step.precision = base::Precision::fp32;
  options.steps = 1;
  const train::VerifyReport found =
      train::verify_plans(options, models::make_model, std::move(stop));
  run::SelfTestReport report{
      .plans = found.plans, .equal = found.equal, .seconds = found.seconds, .problem = {}};
  if (!found.failures.empty()) {
    const train::VerifyFailure& first = found.failures.front();
    report.problem = fmt::format("plan {}: {}", first.plan, first.what);
  }
  return report;
}

}  // namespace headroom::app
