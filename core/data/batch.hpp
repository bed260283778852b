#pragma once
// Batches on the host, before they become tensors. Built by loader threads, moved once to the
// worker.

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headroom::data {

/// A micro-batch. Pixels are normalised; their order [n, h, w, c] is what channels-last tensors
/// hold, so that no copy is needed.
struct HostBatch {
  std::int64_t batch = 0, height = 0, width = 0, channels = 0;
  std::vector<float> pixels{};         ///< [n, h, w, c]
  std::vector<std::uint8_t> labels{};  ///< [n, h, w]; base::kIgnoreLabel where nothing is learned
};

/// The tiles in order, in `parts` batches as even as can be; at most one for each tile.
[[nodiscard]] std::vector<HostBatch> split_batch(HostBatch batch, std::int64_t parts);

/// Where the trainer gets its micro-batches from. The k-th batch depends on the seed and k alone,
/// never on threads or timing.
class BatchSource {
 public:
  virtual ~BatchSource() = default;
  /// Micro-batch `index` (0-based over the whole run). Indices are asked for in order; a gap
  /// restarts the prefetch there. Waits for a loader when it must; throws base::Error when a file
  /// broke, or (interrupted) when `stop` is requested.
  [[nodiscard]] HostBatch batch(std::int64_t index, std::stop_token stop) {
    return do_batch(index, stop);
  }
  /// Micro-batches of one pass over the training side.
  [[nodiscard]] std::int64_t batches_per_epoch() const { return do_batches_per_epoch(); }

 private:
  [[nodiscard]] virtual HostBatch do_batch(std::int64_t index, std::stop_token stop) = 0;
  [[nodiscard]] virtual std::int64_t do_batches_per_epoch() const = 0;
};

}  // namespace headroom::data
