// The panel What fits driven by the mouse: cells, what they tell, and what they ask for.
#include "ui/what_fits.hpp"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "core/run/calibration.hpp"
#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_outlook.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/fit_grid.hpp"

namespace headroom::tests {
namespace {

struct WhatFits : ::testing::Test {
  HeadlessDashboard window{1920, 1080};
  run::RunSnapshot run = training_snapshot();
  void make_ready() { run = {.state = run::RunState::ready, .request = run.request}; }
  [[nodiscard]] std::string text_of(const char* name) const {
    const ui::ProbedItem* const item = window.find(name);
    return item == nullptr ? "not there" : item->text;
  }
};

TEST_F(WhatFits, EveryBatchAndSide_IsACell) {
  window.show(run, sample_outlook({}, run));
  const plan::FitMap& map = window.shell.outlook.fits->map;
  EXPECT_EQ(map.batches.size(), 8U);
  EXPECT_EQ(map.sides.size(), 10U);
  for (const std::int64_t batch : map.batches) {
    for (const std::int64_t side : map.sides) {
      const std::string name = "fits/cell/" + std::to_string(batch) + "x" + std::to_string(side);
      EXPECT_NE(window.find(name), nullptr) << name;
    }
  }
}

TEST_F(WhatFits, Cells_TellPredictedMeasuredAndWhatDoesNotFit) {
  window.show(run, sample_outlook({}, run));
  const plan::FitMap& map = window.shell.outlook.fits->map;
  EXPECT_NE(text_of("fits/cell/2x1024").find("measured"), std::string::npos) << "the run's own";
  EXPECT_NE(text_of("fits/cell/1x1024").find("predicted"), std::string::npos);
  EXPECT_EQ(text_of("fits/cell/1x1024").find("measured"), std::string::npos);
  const std::string beyond = "fits/cell/16x" + std::to_string(map.sides.back());
  EXPECT_EQ(text_of(beyond.c_str()), "does not fit");
}

TEST_F(WhatFits, AtFirst_TheRunsOwnSizeIsPicked) {
  window.show(run, sample_outlook({}, run));
  EXPECT_EQ(text_of("fits/picked").find("Batch 2, 1"), 0U);
  EXPECT_NE(text_of("fits/picked").find("measured"), std::string::npos);
}

TEST_F(WhatFits, OwnSizeByAnotherPlanThanTheCells_IsSaidToBeTheRunsPlan) {
  const ui::Outlook outlook = sample_outlook({}, run);
  const plan::FitCell* const own =
      ui::cell_of(outlook.fits->map, {.batch = 2, .height = 1024, .width = 1024});
  ASSERT_TRUE(own != nullptr && own->fits());
  run.applied_plan = own->cheapest->plan;
  window.show(run, outlook);
  EXPECT_EQ(text_of("fits/picked").find("the run's plan"), std::string::npos);
  run.applied_plan.back() =
      run.applied_plan.back() == plan::Policy::full ? plan::Policy::light : plan::Policy::full;
  window.show(run, outlook);
  EXPECT_NE(text_of("fits/picked").find("measured with the run's plan"), std::string::npos);
}

TEST_F(WhatFits, BeforeTheStart_UseSetsTileBatchAndPlan) {
  make_ready();
  window.show(run, sample_outlook({}, run));
  window.click("fits/cell/4x1024");
  window.frame();
  EXPECT_EQ(text_of("fits/picked").find("Batch 4"), 0U);
  EXPECT_TRUE(window.asked.commands.empty()) << "picking alone asks for nothing";
  window.click("fits/use");
  const auto asked = window.commands<run::Configure>();
  ASSERT_EQ(asked.size(), 1U);
  const base::StepSettings& step = asked[0].request.settings.step;
  EXPECT_EQ(step.batch, 4);
  EXPECT_EQ(step.tile_height, 1024);
  EXPECT_EQ(step.tile_width, 1024);
  const plan::FitCell* const cell =
      ui::cell_of(window.shell.outlook.fits->map, {.batch = 4, .height = 1024, .width = 1024});
  ASSERT_NE(cell, nullptr);
  EXPECT_EQ(plan::parse_plan(step.plan, plan::unet_stage_names(5)), cell->cheapest->plan);
}

TEST_F(WhatFits, DoubleClickOnACell_UsesIt) {
  make_ready();
  window.show(run, sample_outlook({}, run));
  window.double_click("fits/cell/1x1024");
  const auto asked = window.commands<run::Configure>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].request.settings.step.batch, 1);
}

TEST_F(WhatFits, InARun_AnotherSizeIsRefusedAndItsOwnChangesThePlanAlone) {
  window.show(run, sample_outlook({.budget_bytes = std::int64_t{2} << 30}, run));
  window.click("fits/cell/1x1024");
  window.frame();
  EXPECT_FALSE(window.find("fits/use")->enabled);
  EXPECT_NE(text_of("fits/use").find("keeps its tile and batch"), std::string::npos);
  window.click("fits/cell/2x1024");
  window.frame();
  ASSERT_TRUE(window.find("fits/use")->enabled);
  window.click("fits/use");
  ASSERT_EQ(window.asked.commands.size(), 1U);
  const auto asked = window.commands<run::SetPlan>();
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0].plan,
            ui::cell_of(window.shell.outlook.fits->map, {.batch = 2, .height = 1024, .width = 1024})
                ->cheapest->plan);
  window.click("plan/undo");
  EXPECT_EQ(window.commands<run::SetPlan>().back().plan, run.requested_plan);
}

TEST_F(WhatFits, CellThatDoesNotFit_SaysWhatTheLeastNeeds) {
  make_ready();
  window.show(run, sample_outlook({}, run));
  const std::string beyond =
      "fits/cell/16x" + std::to_string(window.shell.outlook.fits->map.sides.back());
  window.click(beyond);
  window.frame();
  EXPECT_NE(text_of("fits/picked").find("does not fit"), std::string::npos);
  EXPECT_FALSE(window.find("fits/use")->enabled);
  window.double_click(beyond);
  EXPECT_TRUE(window.asked.commands.empty());
}

TEST_F(WhatFits, Verify_AsksForStepsOfThePickedCellAndShowsWhatCame) {
  make_ready();
  window.show(run, sample_outlook({}, run));
  window.click("fits/cell/4x1024");
  window.frame();
  window.click("fits/verify");
  const auto asked = window.commands<run::CheckFit>();
  ASSERT_EQ(asked.size(), 1U);
  const run::FitCheckRequest& request = asked[0].request;
  EXPECT_EQ(request.cell.shape, (plan::BatchShape{.batch = 4, .height = 1024, .width = 1024}));
  EXPECT_EQ(request.costs, window.shell.outlook.fits->question.costs);
  run.checked_fit = request.cell.shape;
  window.run = shared(run);
  window.frame();
  window.click("fits/cancel");
  EXPECT_EQ(window.commands<run::CancelMeasurement>().size(), 1U);
  run.checked_fit.reset();
  run.fit_checks = {{.cost_key = run::cost_key(request.settings),
                     .shape = request.cell.shape,
                     .plan = request.cell.cheapest->plan,
                     .budget_bytes = request.limits.budget_bytes,
                     .peak_bytes = std::int64_t{5} << 30}};
  window.run = shared(run);
  window.frame();
  EXPECT_NE(text_of("fits/cell/4x1024").find("measured"), std::string::npos);
  EXPECT_NE(text_of("fits/picked").find("5.00 GiB peak, measured"), std::string::npos);
  EXPECT_FALSE(window.find("fits/verify")->enabled);
  // Of another network it says nothing.
  run.fit_checks[0].cost_key = "other";
  window.run = shared(run);
  window.frame();
  EXPECT_EQ(text_of("fits/cell/4x1024").find("measured"), std::string::npos);
}

TEST_F(WhatFits, CheckThatRanOutOfMemory_IsToldAtTheCell) {
  make_ready();
  window.show(run, sample_outlook({}, run));
  window.click("fits/cell/4x1024");
  window.frame();
  window.click("fits/verify");
  const run::FitCheckRequest request = window.commands<run::CheckFit>().at(0).request;
  run.fit_checks = {{.cost_key = run::cost_key(request.settings),
                     .shape = request.cell.shape,
                     .plan = request.cell.cheapest->plan,
                     .budget_bytes = request.limits.budget_bytes}};
  window.run = shared(run);
  window.frame();
  EXPECT_NE(text_of("fits/cell/4x1024").find("failed"), std::string::npos);
  EXPECT_NE(text_of("fits/picked").find("memory ran out"), std::string::npos);
}

TEST_F(WhatFits, WithoutCosts_OffersTheCalibration) {
  make_ready();
  window.show(run, {.costs = ui::CostsState::missing});
  EXPECT_NE(text_of("fits/state").find("Needs a calibration"), std::string::npos);
  window.click("fits/calibrate");
  EXPECT_EQ(window.commands<run::Calibrate>().size(), 1U);
}

TEST_F(WhatFits, ForecastThatFailed_SaysWhy) {
  make_ready();
  window.show(run, {.costs = ui::CostsState::known, .problem = "the costs are broken"});
  EXPECT_NE(text_of("fits/state").find("the costs are broken"), std::string::npos);
}

TEST(MsPerMegapixel, IsOfTheWholeBatch) {
  plan::FitCell cell{.shape = {.batch = 2, .height = 500, .width = 1000}};
  EXPECT_EQ(ui::ms_per_megapixel(cell), 0);
  cell.cheapest = plan::PlanChoice{.predicted = {.seconds_per_step = 0.06}};
  EXPECT_NEAR(ui::ms_per_megapixel(cell), 60, 1e-9);
}

}  // namespace
}  // namespace headroom::tests
