#pragma once
// The folder of one run: made, locked and described. Owned by the one process that writes the run;
// readers use read_run_description and need no lock.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/settings.hpp"
#include "core/run/memory_relief.hpp"

namespace headroom::run {

/// run.json.
struct RunDescription {
  base::Settings settings{};
  std::filesystem::path data_folder{};
  std::map<std::string, std::string> environment{};  ///< versions, device, threads: for the report
  std::string data_fingerprint{};  ///< as DatasetSummary has it; empty until prepared
  std::string build_commit{};
  std::vector<MemoryRelief> memory_reliefs{};  ///< in the order in which memory ran out
};

/// Throws Error: usage when the folder holds no run, or one that a newer version wrote; io.
[[nodiscard]] RunDescription read_run_description(const std::filesystem::path& folder);

class RunFolder {
 public:
  /// Makes the folder (parents included). Throws Error: usage when it is no folder, not empty,
  /// inside `data_folder`, or another process works in it; io.
  [[nodiscard]] static RunFolder create(const std::filesystem::path& folder,
                                        const std::filesystem::path& data_folder);
  /// A run that is there. Throws Error: usage when it is no run, of a newer version, or another
  /// process writes it; io.
  [[nodiscard]] static RunFolder open(const std::filesystem::path& folder);
  RunFolder(RunFolder&&) noexcept = default;
  RunFolder& operator=(RunFolder&&) = delete;
  /// Gives the lock back. What create() made is removed again when nothing was written.
  ~RunFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes run.json atomically.
  void write_description(const RunDescription& description) const;

 private:
  enum class Origin { made, was_empty, had_run };

  RunFolder(std::filesystem::path path, base::FileDescriptor lock, Origin origin);

  std::filesystem::path path_;
  base::FileDescriptor lock_;
  Origin origin_;
};

}  // namespace headroom::run
