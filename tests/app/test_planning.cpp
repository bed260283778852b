// Plans for a budget, the map of what fits, and what both rest on: predictions against real steps,
// and calibrations that are measured once.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/base/byte_size.hpp"
#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Planning : public CliTest {
 protected:
  [[nodiscard]] static std::vector<std::string> words(const std::string& command,
                                                      std::initializer_list<std::string> more) {
    std::vector<std::string> arguments = {
        command, "--levels", "2", "--base-channels", "4", "--precision", "fp32", "--threads", "1"};
    arguments.insert(arguments.end(), more);
    return arguments;
  }
  [[nodiscard]] json plan_for(std::initializer_list<std::string> more) const {
    std::vector<std::string> arguments = words("plan", {"--tile", "64", "--batch", "2"});
    arguments.insert(arguments.end(), more);
    return run_json(arguments);
  }
  /// The curve's ends: least peak of any plan, peak of the fastest.
  static std::int64_t least_of(const json& plan) {
    return plan["pareto"].front()["peak_total_bytes"];
  }
  static std::int64_t most_of(const json& plan) {
    return plan["pareto"].back()["peak_total_bytes"];
  }
  [[nodiscard]] fs::path stored_calibration() const {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(at("home/calibrations")))
      files.push_back(entry.path());
    EXPECT_EQ(files.size(), 1U);
    return files.at(0);
  }
};

/// "enc1=full,…" with every stage named, from {"enc1": "full", …}.
std::string plan_text(const json& policies) {
  std::string text;
  for (const auto& [stage, policy] : policies.items())
    text += (text.empty() ? "" : ",") + stage + '=' + policy.get<std::string>();
  return text;
}

void expect_within(double relative, std::int64_t predicted, std::int64_t measured) {
  EXPECT_NEAR(static_cast<double>(predicted) / static_cast<double>(measured), 1.0, relative)
      << predicted << " predicted, measured " << measured;
}

TEST_F(Planning, Plan_ForABudgetInTheMiddle_FitsWhenItIsRun) {
  const json all = plan_for({});
  ASSERT_GE(all["pareto"].size(), 2U);
  EXPECT_EQ(all["stages"], (json{"enc1", "enc2", "dec1"}));
  EXPECT_GT(all["calibration_seconds"], 0.0);
  for (std::size_t i = 1; i < all["pareto"].size(); ++i) {
    EXPECT_GT(all["pareto"][i]["peak_bytes"], all["pareto"][i - 1]["peak_bytes"]);
    EXPECT_LT(all["pareto"][i]["seconds_per_step"], all["pareto"][i - 1]["seconds_per_step"]);
  }

  const std::int64_t budget = (least_of(all) + most_of(all)) / 2;
  const json chosen = plan_for({"--budget", std::to_string(budget)});
  EXPECT_EQ(chosen["budget_bytes"], budget);
  EXPECT_EQ(chosen["calibration_seconds"], 0.0) << "measured again";
  EXPECT_GE(chosen["solve_ms"], 0.0);
  EXPECT_EQ(chosen["plan"].size(), 3U);
  EXPECT_LE(chosen["predicted"]["peak_total_bytes"], budget);
  EXPECT_GT(chosen["predicted"]["seconds_per_step"], 0.0);
  EXPECT_EQ(chosen["pareto"], all["pareto"]);

  const json measured = run_json(
      words("bench", {"--tile", "64", "--batch", "2", "--repeat", "1", "--budget",
                      std::to_string(budget), "--plans", plan_text(chosen["plan"])}))["cases"][0];
  EXPECT_LE(measured["peak_total_bytes"], budget);
  EXPECT_EQ(measured["predicted_peak_bytes"], chosen["predicted"]["peak_bytes"]);
  expect_within(0.01, measured["predicted_peak_total_bytes"], measured["peak_total_bytes"]);
  expect_within(0.01, measured["predicted_peak_bytes"], measured["peak_bytes"]);
}

TEST_F(Planning, Measure_RunsSoManyPointsAndThePredictionsHold) {
  const json plan = plan_for({"--measure", "2"});
  int points = 0;
  for (const json& point : plan["pareto"]) {
    if (!point.contains("measured")) continue;
    ++points;
    expect_within(0.01, point["peak_total_bytes"], point["measured"]["peak_total_bytes"]);
    expect_within(0.01, point["peak_bytes"], point["measured"]["peak_bytes"]);
    EXPECT_GT(point["measured"]["seconds_per_step"], 0.0);
  }
  EXPECT_EQ(points, 2);
  const auto text = run(words("plan", {"--tile", "64", "--batch", "2", "--measure", "1"}));
  for (const char* word : {"predicted", "measured peak", "error", "%", "calibrated before"})
    EXPECT_THAT(text.output, HasSubstr(word));
}

TEST_F(Planning, BudgetBelowEveryPlan_SaysNeedBudgetAndWhatFits) {
  const json plan = plan_for({});
  const std::int64_t budget = least_of(plan) * 9 / 10;
  expect_refusal(run(words("plan", {"--tile", "64", "--batch", "2", "--budget",
                                    std::to_string(budget), "--quiet"})),
                 4,
                 {"the least needs " + base::format_bytes(least_of(plan)),
                  "budget is " + base::format_bytes(budget), "--tile", "--batch 1"});
  expect_refusal(run(words("fit", {"--budget", "1000", "--quiet"})), 4, {"1000 B", "--levels"});
}

TEST_F(Planning, DamagedCalibration_IsMadeAnewWithAWarning) {
  const json first = plan_for({});
  const std::string whole = read_text(stored_calibration());
  for (const std::string& damaged : {std::string(), whole.substr(0, whole.size() / 2),
                                     std::string("[]"), std::string(R"({"facts":1})")}) {
    write_text(stored_calibration(), damaged);
    const auto result = run(words("plan", {"--tile", "64", "--batch", "2", "--json"}));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("warning"));
    const json plan = json::parse(result.output);
    EXPECT_GT(plan["calibration_seconds"], 0.0);
    EXPECT_EQ(least_of(plan), least_of(first));
  }
  EXPECT_GT(plan_for({"--recalibrate"})["calibration_seconds"], 0.0);
}

TEST_F(Planning, Calibration_CountsForItsNetworkAndEverySizeOfIt) {
  EXPECT_GT(plan_for({})["calibration_seconds"], 0.0);
  EXPECT_EQ(plan_for({"--tile", "96", "--batch", "3", "--seed", "5"})["calibration_seconds"], 0.0);
  EXPECT_GT(plan_for({"--loss", "ce"})["calibration_seconds"], 0.0);
  EXPECT_GT(plan_for({"--norm", "group"})["calibration_seconds"], 0.0);
}

TEST_F(Planning, Fit_VerifiedCellRunsAndTheNextSizeDoesNot) {
  const json fit = run_json(words(
      "fit", {"--budget", "8MiB", "--batches", "1,4", "--sides", "32,4096", "--verify", "1"}));
  EXPECT_EQ(fit["budget_bytes"], 8 << 20);
  EXPECT_EQ(fit["probes"], 2);
  ASSERT_EQ(fit["largest"].size(), 2U);
  EXPECT_GT(fit["largest"][0]["side"], fit["largest"][1]["side"]);
  int verified = 0;
  for (const json& largest : fit["largest"]) {
    if (!largest["verified"]) continue;
    ++verified;
    EXPECT_TRUE(largest["next_side_fails"]) << largest;
    const auto cell = std::find_if(fit["cells"].begin(), fit["cells"].end(), [&](const json& each) {
      return each["batch"] == largest["batch"] && each["side"] == largest["side"];
    });
    ASSERT_NE(cell, fit["cells"].end());
    EXPECT_LE((*cell)["measured_peak_bytes"], 8 << 20);
    expect_within(0.01, (*cell)["predicted_peak_bytes"], (*cell)["measured_peak_bytes"]);
  }
  EXPECT_EQ(verified, 1);
  for (const json& cell : fit["cells"]) {
    EXPECT_EQ(cell["fits"], cell["side"] != 4096) << cell;
    EXPECT_EQ(cell["plan"].is_null(), cell["side"] == 4096);
  }
}

TEST_F(Planning, Bench_WithoutACalibration_PredictsNothing) {
  const json bench = run_json(words("bench", {"--tile", "64", "--repeat", "1", "--plans", "keep"}));
  EXPECT_TRUE(bench["cases"][0]["predicted_peak_bytes"].is_null());
}

TEST_F(Planning, PlanAuto_TrainsUnderABudgetThatKeepIsAbove) {
  write_discs(at("data"), 6);
  const json plan = plan_for({});
  const std::int64_t budget = (least_of(plan) + most_of(plan)) / 2;
  const auto result =
      run(small_training(at("data"), at("run"), {"--budget", std::to_string(budget)}));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("plan auto: "));
  EXPECT_THAT(result.errors, testing::Not(HasSubstr("plan auto: keep")));
  const json bench =
      run_json(words("bench", {"--tile", "64", "--batch", "2", "--repeat", "1", "--budget",
                               std::to_string(budget), "--plans", "auto"}))["cases"][0];
  EXPECT_EQ(bench["name"], "auto");
  EXPECT_NE(bench["plan"], "keep");
  EXPECT_LE(bench["peak_total_bytes"], budget);
}

}  // namespace
}  // namespace headroom::app
