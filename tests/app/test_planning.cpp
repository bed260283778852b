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
using testing::Not;

constexpr std::int64_t kMiB = 1 << 20;

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
    std::vector<std::string> arguments = words("plan", {"--tile", "160", "--batch", "2"});
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
  [[nodiscard]] fs::path calibrations() const { return fs::path(at("home")) / "calibrations"; }
  [[nodiscard]] std::vector<fs::path> stored_calibrations() const {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(calibrations()))
      files.push_back(entry.path());
    return files;
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
  EXPECT_FALSE(chosen["effects"].empty());
  EXPECT_LE(chosen["predicted"]["peak_total_bytes"], budget);
  EXPECT_GT(chosen["predicted"]["seconds_per_step"], 0.0);
  EXPECT_EQ(chosen["pareto"], all["pareto"]);

  const json measured = run_json(
      words("bench", {"--tile", "160", "--batch", "2", "--repeat", "1", "--budget",
                      std::to_string(budget), "--plans", plan_text(chosen["plan"])}))["cases"][0];
  EXPECT_LE(measured["peak_total_bytes"], budget);
  EXPECT_EQ(measured["predicted_peak_bytes"], chosen["predicted"]["peak_bytes"]);
  expect_within(0.005, measured["predicted_peak_total_bytes"], measured["peak_total_bytes"]);
  expect_within(0.005, measured["predicted_peak_bytes"], measured["peak_bytes"]);
}

TEST_F(Planning, Measure_RunsSoManyPointsAndThePredictionsHold) {
  const json plan = plan_for({"--measure", "2"});
  int points = 0;
  for (const json& point : plan["pareto"]) {
    if (!point.contains("measured")) continue;
    ++points;
    expect_within(0.005, point["peak_total_bytes"], point["measured"]["peak_total_bytes"]);
    expect_within(0.005, point["peak_bytes"], point["measured"]["peak_bytes"]);
    EXPECT_GT(point["measured"]["seconds_per_step"], 0.0);
  }
  EXPECT_EQ(points, 2);
  const auto text = run(words("plan", {"--tile", "160", "--batch", "2", "--measure", "1"}));
  for (const char* word : {"predicted peak", "predicted step", " ms", "MiB", "measured peak",
                           "error", "%", "calibrated before"})
    EXPECT_THAT(text.output, HasSubstr(word));
}

TEST_F(Planning, BudgetBelowEveryPlan_SaysNeedBudgetAndWhatFits) {
  const json plan = plan_for({});
  const std::int64_t budget = least_of(plan) * 9 / 10;
  expect_refusal(run(words("plan", {"--tile", "160", "--batch", "2", "--budget",
                                    std::to_string(budget), "--quiet"})),
                 4,
                 {"the least needs " + base::format_bytes(least_of(plan)),
                  "budget is " + base::format_bytes(budget), "--tile 1", "--batch 1"});
  expect_refusal(run(words("fit", {"--budget", "1000", "--quiet"})), 4, {"1000 B", "--levels"});
}

TEST_F(Planning, Fit_VerifiedCellRunsAndTheNextSizeDoesNot) {
  const json fit = run_json(words(
      "fit", {"--budget", "8MiB", "--batches", "1,4", "--sides", "32,4096", "--verify", "1"}));
  EXPECT_EQ(fit["budget_bytes"], 8 * kMiB);
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
    EXPECT_LE((*cell)["measured_peak_bytes"], 8 * kMiB);
    expect_within(0.005, (*cell)["predicted_peak_bytes"], (*cell)["measured_peak_bytes"]);
  }
  EXPECT_EQ(verified, 1);
  for (const json& cell : fit["cells"]) {
    EXPECT_EQ(cell["fits"], cell["side"] != 4096) << cell;
    EXPECT_EQ(cell["plan"].is_null(), cell["side"] == 4096);
  }
}

TEST_F(Planning, Fit_WithAReserveAndHeights_KeepsToWhatIsLeft) {
  const json fit = run_json(words("fit", {"--budget", "8MiB", "--reserve", "2MiB", "--batches", "2",
                                          "--sides", "64", "--heights", "64,16384"}));
  EXPECT_EQ(fit["reserve_bytes"], 2 * kMiB);
  for (const json& cell : fit["cells"]) EXPECT_LE(cell["predicted_peak_bytes"], 6 * kMiB) << cell;
  ASSERT_EQ(fit["widest"].size(), 2U);
  const json& wide = fit["widest"][0];
  EXPECT_EQ(wide["height"], 64);
  EXPECT_GT(wide["width"], fit["largest"][0]["side"]);
  EXPECT_LE(wide["predicted_peak_bytes"], 6 * kMiB);
  EXPECT_GT(wide["predicted_peak_bytes"], 5 * kMiB);
  EXPECT_FALSE(fit["widest"][1]["fits"]);
  const auto text = run(words("fit", {"--budget", "8MiB", "--sides", "64,4096", "--quiet"}));
  for (const char* word : {"enc1 enc2 dec1", "predicted step", "largest tile", "--tile"})
    EXPECT_THAT(text.output, HasSubstr(word));
  expect_refusal(run(words("fit", {"--budget", "8MiB", "--reserve", "8MiB"})), 2, {"--reserve"});
}

TEST_F(Planning, PlanAuto_TrainsUnderABudgetThatKeepIsAbove) {
  write_discs(at("data"), 6);
  const json plan = run_json(words("plan", {"--tile", "64", "--batch", "2"}));
  const std::int64_t budget = (least_of(plan) + most_of(plan)) / 2;
  const auto result =
      run(small_training(at("data"), at("run"), {"--budget", std::to_string(budget)}));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("plan auto: "));
  EXPECT_THAT(result.errors, Not(HasSubstr("plan auto: keep")));
  EXPECT_THAT(result.errors, Not(HasSubstr("measuring"))) << "calibrated before";
  const json bench =
      run_json(words("bench", {"--tile", "64", "--batch", "2", "--repeat", "1", "--budget",
                               std::to_string(budget), "--plans", "auto"}))["cases"][0];
  EXPECT_EQ(bench["name"], "auto");
  EXPECT_NE(bench["plan"], "keep");
  EXPECT_LE(bench["peak_total_bytes"], budget);
}

TEST_F(Planning, DamagedCalibration_IsMeasuredAnewWithAWarning) {
  const json first = plan_for({});
  ASSERT_EQ(stored_calibrations().size(), 1U);
  const fs::path file = stored_calibrations().front();
  const std::string whole = read_text(file);
  for (const std::string& damaged :
       {whole.substr(0, whole.size() / 2), std::string(R"({"facts":1})")}) {
    write_text(file, damaged);
    const auto result = run(words("plan", {"--tile", "160", "--batch", "2", "--json"}));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("is damaged; the network is measured anew"));
    const json plan = json::parse(result.output);
    EXPECT_GT(plan["calibration_seconds"], 0.0);
    EXPECT_EQ(least_of(plan), least_of(first));
  }
}

TEST_F(Planning, NetworkThatDiffers_IsMeasuredButNotAnotherSizeOrSeed) {
  EXPECT_TRUE(run_json(words("bench", {"--tile", "64", "--repeat", "1", "--plans",
                                       "keep"}))["cases"][0]["predicted_peak_bytes"]
                  .is_null());
  EXPECT_GT(plan_for({})["calibration_seconds"], 0.0);
  EXPECT_EQ(plan_for({"--tile", "96", "--batch", "3", "--seed", "5"})["calibration_seconds"], 0.0);
  EXPECT_GT(plan_for({"--loss", "ce"})["calibration_seconds"], 0.0);
  EXPECT_EQ(stored_calibrations().size(), 2U);
  write_discs(at("grey"), 4, 1);
  const json grey = run_json(words("plan", {at("grey"), "--tile", "64"}));
  EXPECT_GT(grey["calibration_seconds"], 0.0);
  EXPECT_EQ(grey["channels"], 1);
  EXPECT_EQ(grey["classes"], 2);
}

TEST_F(Planning, CalibrationThatCannotBeKept_IsOnlyAWarning) {
  fs::create_directories(at("home"));
  write_text(calibrations(), "not a folder");
  const auto result = run(words("plan", {"--tile", "160", "--json", "--recalibrate"}));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("calibration counts for this time only"));
  EXPECT_GT(json::parse(result.output)["calibration_seconds"], 0.0);
}

}  // namespace
}  // namespace headroom::app
