#pragma once
// The story of a run as events.jsonl has it: when it was started, on what, and how it ended. Any
// thread.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/run/session.hpp"

namespace headroom::run {

/// unfinished: it is still being trained, or ended without a word (killed, loss of power).
enum class RunEnd { completed, stopped, failed, unfinished };
[[nodiscard]] const char* name_of(RunEnd end);

struct RunStory {
  std::string began{}, ended{};         ///< UTC; empty without events
  std::optional<SessionFacts> facts{};  ///< of the last start; of its data set the root, layout,
                                        ///< samples and channels
  std::vector<std::int64_t> resumed_after{};  ///< steps
  RunEnd end = RunEnd::unfinished;
  std::optional<base::ErrorParts> error{};  ///< of a failed run
  std::int64_t unreadable = 0;              ///< lines
};

/// Empty where there is no such file. Throws Error (io).
[[nodiscard]] RunStory read_story(const std::filesystem::path& run_folder);

}  // namespace headroom::run
