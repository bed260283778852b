#pragma once
// Measured time and peak of given plans: the step that training runs, on generated input, the cases
// interleaved so that noise hits all alike.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/settings.hpp"
#include "core/memory/step_recorder.hpp"
#include "core/train/model_factory.hpp"

namespace headroom::train {

/// What is recorded of one more step of each plan, which is not measured.
enum class BenchRecording {
  none,
  timelines,  ///< CPU: BenchCase::timeline
  snapshot    ///< CUDA: BenchReport::snapshot
};

struct BenchOptions {
  base::Settings settings{};         ///< model and step; input is generated
  std::vector<std::string> plans{};  ///< "keep", "full" or "enc1=full,dec1=full"; at least one
  std::int64_t repeat = 10;
  std::int64_t warmup = 2;  ///< unmeasured rounds
  BenchRecording recording = BenchRecording::none;
  std::function<void(std::int64_t done, std::int64_t rounds)> on_progress{};
};

struct BenchCase {
  std::string name{};  ///< as given
  plan::Plan plan{};
  std::vector<double> seconds{};  ///< of every measured step, sorted
  memory::StepMeasurement
      median{};  ///< of the step with the median time; its bytes are the same in all
  /// StepMeasurement::peak_total_bytes as predicted, filled in by who has a prediction.
  std::optional<std::int64_t> predicted_peak_total_bytes{};
  std::int64_t rss_peak_bytes = 0;  ///< highest resident memory of the process in its steps
  double recompute_macs_fraction =
      0;  ///< convolution work repeated, of that of a step (three times the forward)
  std::shared_ptr<const plan::StepTimeline> timeline{};  ///< null where none was asked for
};

struct BenchReport {
  base::Settings settings{};  ///< classes and channels resolved
  std::string device{};
  std::string precision{}, memory_format{};  ///< resolved
  std::int64_t threads = 0;
  std::int64_t parameters = 0;  ///< values that training changes
  std::vector<std::string> stages{};
  std::vector<BenchCase> cases{};
  std::string snapshot{};  ///< of the recorded steps, for PyTorch's memory viewer
};

/// With several cases, every turn of one begins with unmeasured steps, so that no case pays for, or
/// shows, the memory that another left. Throws base::Error; usage where the device cannot record
/// what is asked for, before anything is measured.
[[nodiscard]] BenchReport bench_plans(const BenchOptions& options, const ModelFactory& make_model,
                                      std::stop_token stop);

/// As `bench --json` prints it.
[[nodiscard]] std::string to_json(const BenchReport& report);

}  // namespace headroom::train
