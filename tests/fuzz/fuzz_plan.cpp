// Plans as text: refused with an Error of the kind usage, or the same after writing and reading.

#include "core/base/error.hpp"
#include "core/plan/plan.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  const std::vector<std::string> stages = plan::unet_stage_names(3);
  try {
    const plan::Plan plan = plan::parse_plan(std::string(fuzz::text_of(data, size)), stages);
    fuzz::require(plan.size() == stages.size());
    fuzz::require(plan::parse_plan(plan::to_string(plan, stages), stages) == plan);
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::usage);
  }
  return 0;
}
