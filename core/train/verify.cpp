#include "core/train/verify.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/generator_state.hpp"
#include "core/train/random_plans.hpp"

namespace headroom::train {
namespace {

constexpr std::int64_t kMostPlans = 65536;

/// Everything that a plan must not change, after one step.
struct Outcome {
  at::Tensor loss;
  std::vector<at::Tensor> gradients, buffers, weights;
  std::vector<at::Tensor> generators;
};

/// Equal to the last bit, NaN and signed zero included.
bool bits_equal(const at::Tensor& a, const at::Tensor& b) {
  const auto as_integers = [](const at::Tensor& t) {
    return t.is_floating_point() ? t.view(t.element_size() == 8 ? at::kLong : at::kInt) : t;
  };
  return a.defined() == b.defined() &&
         (!a.defined() || (a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() &&
                           at::equal(as_integers(a), as_integers(b))));
}

double difference(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || !b.defined()) {
    return std::numeric_limits<double>::infinity();
  }
  const at::Tensor gap = (a.to(at::kDouble) - b.to(at::kDouble)).abs();
  return at::isnan(gap).any().item<bool>() ? std::numeric_limits<double>::infinity()
                                           : gap.max().item<double>();
}

std::vector<at::Tensor> copies_of(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> copies;
  for (const at::Tensor& tensor : tensors) {
    copies.push_back(tensor.defined() ? tensor.detach().clone() : tensor);
  }
  return copies;
}

std::vector<at::Tensor> gradients_of(const StagedModel& model) {
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : model.parameters()) {
    gradients.push_back(parameter.grad());
  }
  return gradients;
}

class Verifier {
 public:
  Verifier(const VerifyOptions& options, const ModelFactory& make_model)
      : options_(options), task_(options.settings, make_model) {
    report_.steps = options.steps;
    report_.stages = task_.model().stage_names();
    report_.recomputed_regions.resize(report_.stages.size());
    for (const auto& parameter : task_.model().named_parameters()) {
      parameter_names_.push_back(parameter.key());
    }
    for (const auto& buffer : task_.model().named_buffers()) {
      buffer_names_.push_back(buffer.key());
    }
  }

  VerifyReport run(std::stop_token stop) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<plan::Plan> plans = plans_to_try();
    report_.plans = static_cast<std::int64_t>(plans.size());
    task_.restart(plan::Plan(report_.stages.size(), plan::Policy::keep));
    for (std::int64_t step = 1; step <= options_.steps; ++step) {
      reference_.push_back(outcome(task_.step(step, stop)));
    }
    std::int64_t done = 0;
    for (const plan::Plan& plan : plans) {
      try_plan(plan, stop);
      if (options_.on_progress) {
        options_.on_progress(++done, report_.plans);
      }
    }
    report_.seconds = base::seconds_between(start, std::chrono::steady_clock::now());
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::vector<plan::Plan> plans_to_try() const {
    const std::size_t stages = report_.stages.size();
    const auto choices = static_cast<std::int64_t>(options_.policies.size());
    std::vector<plan::Plan> plans;
    if (options_.random_plans > 0) {
      for (std::int64_t i = 0; i < options_.random_plans; ++i) {
        plans.push_back(random_plan(options_.policies, stages, options_.settings.step.seed, i));
      }
      return plans;
    }
    std::int64_t count = 1;
    for (std::size_t s = 0; s < stages && count <= kMostPlans; ++s) {
      count *= choices;
    }
    if (count > kMostPlans) {
      throw base::Error(base::ErrorKind::usage,
                        {"verifying all plans",
                         fmt::format("{} policies on {} stages are more than {} plans", choices,
                                     stages, kMostPlans),
                         "Use --plans random:N, fewer --levels or fewer --policies"});
    }
    for (std::int64_t i = 0; i < count; ++i) {
      plan::Plan plan;
      for (std::int64_t rest = i; plan.size() < stages; rest /= choices) {
        plan.push_back(options_.policies[static_cast<std::size_t>(rest % choices)]);
      }
      plans.push_back(std::move(plan));
    }
    return plans;
  }

  [[nodiscard]] Outcome outcome(const StepResult& result) {
    Outcome outcome;
    outcome.loss = at::scalar_tensor(result.loss, at::kDouble);
    outcome.gradients = copies_of(gradients_of(task_.model()));
    outcome.buffers = copies_of(task_.model().buffers());
    outcome.weights = copies_of(task_.model().parameters());
    for (const auto& [name, state] : generator_states(task_.compute().device)) {
      outcome.generators.push_back(state.clone());
    }
    return outcome;
  }

  void try_plan(const plan::Plan& plan, const std::stop_token& stop) {
    const std::size_t failures_before = report_.failures.size();
    task_.restart(plan);
    for (std::int64_t step = 1; step <= options_.steps; ++step) {
      const StepResult result = task_.step(step, stop);
      check_recompute(plan, step, result);
      compare(plan, step, outcome(result));
    }
    report_.equal += report_.failures.size() == failures_before ? 1 : 0;
  }

  void fail(const plan::Plan& plan, std::int64_t step, std::string what) {
    report_.failures.push_back({plan::to_string(plan, report_.stages), step, std::move(what)});
  }

  void check_recompute(const plan::Plan& plan, std::int64_t step, const StepResult& result) {
    for (std::size_t s = 0; s < plan.size(); ++s) {
      const memory::StageMeasurement& stage = result.measured.stages[s];
      report_.recomputed_regions[s] += stage.recomputed_regions;
      const bool recomputes = plan[s] != plan::Policy::keep;
      if (recomputes && (stage.regions == 0 || stage.recomputed_regions < stage.regions)) {
        fail(plan, step,
             fmt::format("{}: {} of {} regions were recomputed", report_.stages[s],
                         stage.recomputed_regions, stage.regions));
      }
      if (!recomputes && stage.recomputed_regions > 0) {
        fail(plan, step, fmt::format("{}: recomputed although it keeps", report_.stages[s]));
      }
    }
  }

  void compare(const plan::Plan& plan, std::int64_t step, const Outcome& found) {
    const Outcome& expected = reference_[static_cast<std::size_t>(step - 1)];
    compare_one(plan, step, "loss", found.loss, expected.loss, report_.max_abs_diff.loss);
    for (std::size_t i = 0; i < parameter_names_.size(); ++i) {
      compare_one(plan, step, "gradient of " + parameter_names_[i], found.gradients[i],
                  expected.gradients[i], report_.max_abs_diff.gradients);
      compare_one(plan, step, "weight " + parameter_names_[i], found.weights[i],
                  expected.weights[i], report_.max_abs_diff.weights);
    }
    for (std::size_t i = 0; i < buffer_names_.size(); ++i) {
      compare_one(plan, step, "buffer " + buffer_names_[i], found.buffers[i], expected.buffers[i],
                  report_.max_abs_diff.buffers);
    }
    for (std::size_t i = 0; i < found.generators.size(); ++i) {
      if (!bits_equal(found.generators[i], expected.generators[i])) {
        report_.generators_equal = false;
        fail(plan, step, "the random generator stands elsewhere");
      }
    }
  }

  void compare_one(const plan::Plan& plan, std::int64_t step, const std::string& name,
                   const at::Tensor& found, const at::Tensor& expected, double& highest) {
    if (bits_equal(found, expected)) {
      return;
    }
    const double gap = difference(found, expected);
    highest = std::max(highest, gap);
    fail(plan, step, fmt::format("{} differs by up to {}", name, gap));
  }

  const VerifyOptions& options_;
  GeneratedTask task_;
  VerifyReport report_;
  std::vector<Outcome> reference_;  ///< by step
  std::vector<std::string> parameter_names_, buffer_names_;
};

}  // namespace

VerifyReport verify_plans(const VerifyOptions& options, const ModelFactory& make_model,
                          std::stop_token stop) {
  if (options.steps < 1 || options.policies.empty()) {
    throw base::Error(base::ErrorKind::usage,
                      {"verifying plans",
                       fmt::format("{} steps, {} policies", options.steps, options.policies.size()),
                       "Give --steps of at least 1 and at least one policy"});
  }
  return Verifier(options, make_model).run(std::move(stop));
}

std::string to_json(const VerifyReport& report) {
  nlohmann::ordered_json recomputed = nlohmann::ordered_json::object();
  for (std::size_t s = 0; s < report.stages.size(); ++s) {
    recomputed[report.stages[s]] = report.recomputed_regions[s];
  }
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  for (const VerifyFailure& failure : report.failures) {
    failures.push_back({{"plan", failure.plan}, {"step", failure.step}, {"what", failure.what}});
  }
  const nlohmann::ordered_json document = {{"plans", report.plans},
                                           {"equal", report.equal},
                                           {"steps", report.steps},
                                           {"recomputed_regions", recomputed},
                                           {"max_abs_diff",
                                            {{"loss", report.max_abs_diff.loss},
                                             {"gradients", report.max_abs_diff.gradients},
                                             {"buffers", report.max_abs_diff.buffers},
                                             {"weights", report.max_abs_diff.weights}}},
                                           {"rng_equal", report.generators_equal},
                                           {"failures", failures},
                                           {"seconds", report.seconds}};
  return document.dump(2);
}

}  // namespace headroom::train
