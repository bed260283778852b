#pragma once
// What the program around the dashboard knows: the machine, recent folders, what runs in the
// background. A value that the program refreshes; draw functions read it.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/plan_forecast.hpp"
#include "ui/data_folder.hpp"

namespace headroom::ui {

struct MachineFacts {
  std::string device{};  ///< "RTX 3060, 12 GiB", "CPU, 2 threads"
  bool is_gpu = false;
  std::int64_t device_total_bytes = 0, device_free_bytes = 0;
  std::int64_t device_others_bytes = 0;  ///< held on a GPU by other programs; 0: none, or not known
  std::int64_t memory_total_bytes = 0, memory_free_bytes = 0;
  std::int64_t disk_free_bytes = 0;  ///< where runs are written
  std::string renderer{};            ///< of the window: "llvmpipe (LLVM 15.0.6)"
  bool renders_in_software = false;
};

/// A run that can be continued.
struct RecentRun {
  std::filesystem::path folder{};
  std::string name{};
  std::int64_t steps_done = 0, steps = 0;
  std::string saved{};  ///< "today at 14:52"
};

/// Work in the background that the person waits for.
struct BusyWork {
  std::string text{};       ///< "Scanning aerial_dubai"
  double share = -1;        ///< 0 … 1; below 0: not known
  bool can_cancel = false;  ///< by the request CancelWork
  std::chrono::steady_clock::time_point since{};
};

struct FolderEntry {
  std::string name{};
  bool is_run = false;
};

/// What the folder dialog shows.
struct FolderListing {
  std::filesystem::path folder{};
  std::vector<FolderEntry> folders{};
  std::int64_t files = 0;
  std::string problem{};  ///< not empty: why it cannot be read
};

/// Whether the costs are known of the network that is looked at.
enum class CostsState { looked_for, missing, known };

/// What plans and sizes are predicted to cost, for the latest request Foresee or one shortly
/// before.
struct Outlook {
  CostsState costs = CostsState::looked_for;
  std::shared_ptr<const run::PlanForecast> plans{};  ///< null: not there yet
  std::shared_ptr<const run::FitForecast> fits{};    ///< null: not there yet
  std::string problem{};                             ///< not empty: why it will not come
};

struct Shell {
  MachineFacts machine{};
  std::filesystem::path home_folder{};   ///< the person's own; empty: not known
  std::vector<RecentRun> recent_runs{};  ///< latest first
  std::vector<std::filesystem::path> recent_folders{};
  std::optional<BusyWork> busy{};
  std::shared_ptr<const DataFolder> data{};  ///< the folder that was read last; null: none
  SamplePictures pictures{};                 ///< by request LookAtSamples
  std::optional<FolderListing> listing{};
  Outlook outlook{};
  std::string problem{};                     ///< of the last request that failed; empty: none
  std::string problem_remedy{};              ///< what can be done about it; may be empty
  std::int64_t problem_number = 0;           ///< grows with every problem
  std::filesystem::path written_timeline{};  ///< the latest by request WriteTimeline
  std::filesystem::path written_mapping{};   ///< the latest by request SaveMapping
  std::chrono::minutes utc_offset{0};        ///< of local time
  bool is_closing = false;                   ///< the run is being saved before the window goes
};

}  // namespace headroom::ui
