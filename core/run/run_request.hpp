#pragma once
// What a run is to be: everything that starting it needs. A value.

#include <filesystem>

#include "core/base/settings.hpp"

namespace headroom::run {

enum class RunStart { fresh, resume };

struct RunRequest {
  base::Settings settings{};
  std::filesystem::path data_folder{};
  std::filesystem::path run_folder{};
  RunStart start = RunStart::fresh;
  bool plan_is_given = false;  ///< resume: settings.step.plan replaces the plan that was set last
};

}  // namespace headroom::run
