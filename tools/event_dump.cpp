#include <fmt/format.h>
#include <cstdlib>
#include <string>
#include "core/memory/runtime.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/model_setup.hpp"
#include "core/train/bench.hpp"
#include "models/unet.hpp"
using namespace headroom;
int main(int argc, char** argv) {
  memory::install_runtime();
  base::Settings s;
  s.model.levels = std::atoi(argv[1]);
  s.model.base_channels = std::atoi(argv[2]);
  s.step.precision = std::string(argv[3]) == "bf16" ? base::Precision::bf16 : base::Precision::fp32;
  s.step.batch = std::atoi(argv[4]);
  s.step.tile_height = s.step.tile_width = std::atoi(argv[5]);
  const std::string text = argv[6];
  if (argc > 7) s.model.norm = std::string(argv[7]) == "group" ? base::NormKind::group : base::NormKind::instance;
  train::GeneratedTask task(s, models::make_model);
  task.restart(train::plan_of_setting(text, task.model().stage_names()));
  for (int i = 1; i <= 2; ++i) static_cast<void>(task.step(i, {}));
  task.record_next_step();
  const auto r = task.step(3, {});
  const auto& t = *r.measured.timeline;
  std::size_t span = 0;
  for (std::size_t i = 0; i < t.seconds.size(); ++i) {
    while (span + 1 < t.spans.size() && t.spans[span].end_seconds < t.seconds[i]) ++span;
    int owner = -9; long delta = 0;
    if (i) for (std::size_t o = 0; o < t.owners.size(); ++o) if (long d = t.bytes(i, o) - t.bytes(i - 1, o)) { owner = (int)o; delta = d; }
    fmt::print("{} {} {} {} {} {}\n", i, plan::kPhaseNames[(size_t)t.spans[span].phase], t.spans[span].owner, owner, delta, t.total_bytes(i));
  }
}
