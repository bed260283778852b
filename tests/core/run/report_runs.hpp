// Run folders written by hand, as RunRecord writes them, whose figures a test can tell by itself.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "core/run/run_folder.hpp"

namespace headroom::run {

inline void write_run_file(const std::filesystem::path& folder, const char* name,
                           const std::string& text) {
  std::ofstream(folder / name, std::ios::binary) << text;
}

inline constexpr const char* kStepsHeader =
    "step,epoch,loss,lr,seconds_data,seconds_forward,seconds_loss,seconds_backward,"
    "seconds_recompute,seconds_optimizer,seconds_validation,seconds_save,peak_bytes,"
    "peak_total_bytes,plan_id\n";

inline std::string prepared_line(std::int64_t first_step, const std::string& time) {
  return R"({"time":")" + time + R"(","event":"prepared","stages":["enc1","enc2","dec1"],)" +
         R"("steps":8,"steps_per_epoch":4,"validate_every":4,"first_step":)" +
         std::to_string(first_step) +
         R"(,"last_validated_step":0,"parameters":1234,"device":"CPU, 2 threads",)"
         R"("precision":"fp32","budget_bytes":4096,"plan":["keep","keep","keep"],)"
         R"("tiles_at_once":0,"policies":["keep","light","full"],"class_names":["ground","<cell>"],)"
         R"("dataset":{"root":"/data","layout":"folders","samples":12,"channels":3,)"
         R"("dtype":"u8","fingerprint":"f","findings":[]}})"
         "\n";
}

/// Steps 1 to 3 keep, 4 to 6 full (asked), 7 to 8 keep again; memory ran out at step 7.
/// Seconds without data: keep 9, 1, 3 | 9, 4 -> those that count 1, 3, 4: median 3 (step 1 is the
/// first under its plan, so is 7); full 9, 5, 7 -> 5, 7: median 6 = 2 x Keep.
inline void write_example_run(const std::filesystem::path& folder) {
  RunDescription description;
  description.data_folder = "/data";
  description.environment = {{"torch", "2.15.0"}, {"cpu", "A & B"}};
  description.data_fingerprint = "abc";
  description.build_commit = "1234567";
  description.memory_reliefs.push_back({.work = RepeatedWork::step,
                                        .step = 7,
                                        .refused_bytes = 5000,
                                        .budget_bytes = 4096,
                                        .before = {plan::Plan(3, plan::Policy::full), 2},
                                        .after = {plan::Plan(3, plan::Policy::keep), 2}});
  RunFolder::create(folder, {}).write_description(description);
  write_run_file(folder, "steps.csv",
                 std::string(kStepsHeader) +
                     "1,1,1,0.001,1,4,1,3,0,1,0,0,100,3000,1\n"
                     "2,1,0.5,0.001,1,1,0,0,0,0,0,0,100,3000,1\n"
                     "3,1,nan,0.001,1,3,0,0,0,0,0,0,200,3100,1\n"
                     "4,1,0.25,0.001,1,9,0,0,0,0,0,0,60,2960,2\n"
                     "5,2,0.25,0.001,1,3,0,1,1,0,0,0,50,2950,2\n"
                     "6,2,0.25,0.001,1,3,0,1,3,0,0,0,50,2950,2\n"
                     "7,2,0.25,0.001,1,9,0,0,0,0,0,0,100,3000,3\n"
                     "8,2,0.125,0.001,1,4,0,0,0,0,0,0,100,3000,3\n");
  write_run_file(folder, "results.csv",
                 "step,epoch,loss,mean_iou,mean_dice,images,seconds,peak_total_bytes,is_best,"
                 "iou_ground,dice_ground,iou_<cell>,dice_<cell>\n"
                 "4,1,0.75,0.5,0.625,4,1.5,900,1,0.75,0.875,0.25,0.375\n"
                 "8,2,0.5,0.375,0.5,4,1.5,900,0,0.5,0.75,0.25,nan\n");
  write_run_file(folder, "plans.csv",
                 "id,step,plan,tiles_at_once,cause\n1,1,keep,2,asked\n2,4,full,2,asked\n"
                 "3,7,keep,2,out_of_memory\n");
  write_run_file(folder, "events.jsonl",
                 prepared_line(0, "2026-01-01T00:00:00.000Z") +
                     prepared_line(4, "2026-01-01T01:00:00.000Z") +
                     R"({"time":"2026-01-01T02:00:00.000Z","event":"finished",)"
                     R"("outcome":"completed","step":8})"
                     "\n");
}

}  // namespace headroom::run
