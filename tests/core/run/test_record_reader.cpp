// The tables of a run's folder, written here by hand as docs and RunRecord have them.
#include "core/run/record_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace headroom::run {
namespace {

using plan::Policy;

class ReadRecord : public testing::Test {
 protected:
  ReadRecord() {
    facts_.stages = {"enc1", "dec1"};
    facts_.class_names = {"background", "cell"};
    facts_.first_step = 3;
  }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  [[nodiscard]] RecordedRun read() const { return read_record(folder_.path(), facts_); }

  tests::TemporaryFolder folder_{};
  SessionFacts facts_{};
};

constexpr const char* kSteps =
    "step,epoch,loss,lr,seconds_data,seconds_forward,seconds_loss,seconds_backward,"
    "seconds_recompute,seconds_optimizer,seconds_validation,seconds_save,peak_bytes,"
    "peak_total_bytes,plan_id\n";

TEST_F(ReadRecord, Steps_AreThoseThatWereDone) {
  write("steps.csv", std::string(kSteps) +
                         "1,1,0.5,0.001,0.25,1,0.25,2,0,0.5,0,0,100,1100,1\n"
                         "2,1,nan,0.002,0.25,1,0.25,2,0,0.5,0,0,200,1200,1\n"
                         "not,a,row\n"
                         "3,1,0.25,0.003,0.25,1,0.25,2,1,0.5,0,0,300,1300,2\n"
                         "4,1,0.125,0.004,0.25,1,0.25,2,1,0.5,0,0,400,1400,2\n");
  const StepHistory history = read().history;
  const auto& loss = history.loss.buckets();
  ASSERT_EQ(loss.size(), 3U) << "step 4 came after the state that is continued";
  EXPECT_EQ(loss[0].last, 0.5);
  EXPECT_TRUE(std::isnan(loss[1].last));
  EXPECT_EQ(loss[2].last_step, 3);
  EXPECT_EQ(history.learning_rate.buckets()[2].last, 0.003);
  EXPECT_EQ(history.step_seconds.buckets()[0].last, 4);
  EXPECT_EQ(history.step_seconds.buckets()[2].last, 5);
  constexpr auto kRecompute = static_cast<std::size_t>(plan::Phase::recompute);
  EXPECT_EQ(history.phase_seconds[kRecompute].buckets()[2].last, 1);
  EXPECT_EQ(history.peak_bytes.buckets()[2].last, 300);
  EXPECT_EQ(history.peak_total_bytes.buckets()[1].last, 1200);
}

TEST_F(ReadRecord, Validations_HaveTheirClasses) {
  write("results.csv",
        "step,epoch,loss,mean_iou,mean_dice,images,seconds,peak_total_bytes,is_best,"
        "iou_background,dice_background,iou_cell,dice_cell\n"
        "2,1,0.75,0.5,0.625,4,1.5,900,1,0.75,0.875,0.25,nan\n"
        "5,1,0.5,0.5,0.625,4,1.5,900,1,0.75,0.875,0.25,0.375\n");
  const std::vector<ValidationReport> validations = read().validations;
  ASSERT_EQ(validations.size(), 1U);
  EXPECT_EQ(validations[0].step, 2);
  EXPECT_EQ(validations[0].loss, 0.75);
  EXPECT_EQ(validations[0].mean_dice, 0.625);
  EXPECT_EQ(validations[0].images, 4);
  EXPECT_TRUE(validations[0].is_best);
  ASSERT_EQ(validations[0].classes.size(), 2U);
  EXPECT_EQ(validations[0].classes[1].name, "cell");
  EXPECT_EQ(validations[0].classes[1].iou, 0.25);
  EXPECT_TRUE(std::isnan(validations[0].classes[1].dice));
}

TEST_F(ReadRecord, Plans_AreThoseOfTheStages) {
  write("plans.csv",
        "id,step,plan,tiles_at_once,cause\n1,1,keep,4,asked\n"
        "2,2,\"enc1=full,dec1=light\",2,out_of_memory\n3,3,enc7=full,2,asked\n"
        "4,9,full,2,asked\n");
  const std::vector<PlanApplied> plans = read().plans;
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0].plan, (plan::Plan{Policy::keep, Policy::keep}));
  EXPECT_EQ(plans[1].step, 2);
  EXPECT_EQ(plans[1].plan, (plan::Plan{Policy::full, Policy::light}));
  EXPECT_EQ(plans[0].tiles_at_once, 4);
  EXPECT_EQ(plans[0].cause, PlanCause::asked);
  EXPECT_EQ(plans[1].tiles_at_once, 2);
  EXPECT_EQ(plans[1].cause, PlanCause::out_of_memory);
}

TEST_F(ReadRecord, WithoutFiles_IsEmpty) {
  const RecordedRun record = read();
  EXPECT_TRUE(record.history.loss.buckets().empty());
  EXPECT_TRUE(record.validations.empty());
  EXPECT_TRUE(record.plans.empty());
}

}  // namespace
}  // namespace headroom::run
