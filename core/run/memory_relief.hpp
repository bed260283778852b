#pragma once
// Memory that ran out in a run, and what was done about it. A value; any thread.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "core/plan/memory_ladder.hpp"

namespace headroom::run {

/// What of a run can be refused memory and done again.
enum class RepeatedWork { step, validation, save };
[[nodiscard]] const char* name_of(RepeatedWork work);

/// What a session changed for work to fit that memory was refused to. Of the failed attempt nothing
/// is left: weights, buffers, optimizer, generators and the next samples are as before it.
struct MemoryRelief {
  RepeatedWork work = RepeatedWork::step;
  std::int64_t step = 0;           ///< the one that is repeated, or the last that was done
  std::int64_t refused_bytes = 0;  ///< live bytes that it would have had at least; 0: not known
  std::int64_t budget_bytes = 0;
  plan::StepForm before{}, after{};  ///< equal where free blocks were given back and nothing else
};

/// Keys are the members' names; plans are lists of policies in the stages' order.
[[nodiscard]] nlohmann::ordered_json to_json(const MemoryRelief& relief);
/// The inverse. Throws nlohmann::json::exception where something is missing or of another type.
[[nodiscard]] MemoryRelief memory_relief_of_json(const nlohmann::json& object);

}  // namespace headroom::run
