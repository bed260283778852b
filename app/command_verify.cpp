#include "core/train/verify.hpp"

#include <fmt/format.h>

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/text.hpp"
#include "core/base/duration.hpp"
#include "core/base/error.hpp"
#include "core/base/text_number.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

[[noreturn]] void refuse(std::string subject, const char* remedy) {
  throw base::Error(
      base::ErrorKind::usage,
      {.attempted = "reading the command line", .subject = std::move(subject), .remedy = remedy});
}

std::vector<plan::Policy> parse_policies(const std::string& text) {
  std::vector<plan::Policy> policies;
  for (const std::string& name : split_list(text)) {
    plan::Policy policy = plan::Policy::keep;
    if (!plan::parse_policy(name, policy))
      refuse(fmt::format("--policies {}: no policy {}", text, name),
             "Policies are keep, light, full and, on a GPU, offload");
    policies.push_back(policy);
  }
  return policies;
}

/// 0: all combinations.
std::int64_t parse_random_plans(const std::string& text) {
  constexpr std::string_view kRandom = "random:";
  if (text == "all") return 0;
  if (text.starts_with(kRandom)) {
    const auto count = base::parse_integer(std::string_view(text).substr(kRandom.size()));
    if (count && *count > 0) return *count;
  }
  refuse(fmt::format("--plans {}", text), "Give all, or random:N with N above 0");
}

std::string as_text(const train::VerifyReport& report) {
  std::string text = fmt::format(
      "{} of {} plans equal to Keep in every bit of loss, gradients, buffers, generator "
      "states and weights, over {} steps ({})\n",
      report.equal, report.plans, report.steps, base::format_duration(report.seconds));
  std::vector<std::vector<std::string>> rows = {{"stage", "regions repeated"}};
  for (std::size_t stage = 0; stage < report.stages.size(); ++stage)
    rows.push_back({report.stages[stage], fmt::format("{}", report.recomputed_regions[stage])});
  text += format_table(rows);
  for (const train::VerifyFailure& failure : report.failures)
    text +=
        fmt::format("difference: plan {}, step {}: {}\n", failure.plan, failure.step, failure.what);
  return text;
}

}  // namespace

int perform(const VerifyCommand& command) {
  ProgressDisplay display(progress_style(command.output.quiet));
  train::VerifyOptions options;
  options.settings = command.given.applied_to({});
  options.policies = parse_policies(command.policies);
  options.random_plans = parse_random_plans(command.plans);
  options.steps = command.steps;
  options.on_progress = [&display](std::int64_t done, std::int64_t plans) {
    display.update(make_progress("verifying plans", done, plans), ProgressDisplay::Clock::now());
  };
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  const train::VerifyReport report =
      train::verify_plans(options, models::make_model, stop.get_token());
  display.clear();
  write_output(command.output.json ? train::to_json(report) + '\n' : as_text(report));
  return report.failures.empty() ? 0 : static_cast<int>(base::ErrorKind::internal);
}

}  // namespace headroom::app
