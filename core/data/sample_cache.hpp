#pragma once
// Decoded samples, kept in memory up to a bound. Shared by loader threads and the worker; safe from
// any thread.

#include <cstdint>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/data/sample.hpp"

namespace headroom::data {

/// Least-recently-used cache over a SampleReader. Two threads that ask for one sample decode it
/// once; no lock is held while a file is read. A sample larger than the bound is handed out and not
/// kept.
class SampleCache {
 public:
  /// Throws Error (internal) when `reader` is null. max_bytes 0 keeps nothing.
  SampleCache(std::vector<Sample> samples, std::shared_ptr<const SampleReader> reader,
              std::int64_t max_bytes);

  /// Waits while another thread decodes the same sample. Throws what the reader throws; a later
  /// call tries again.
  [[nodiscard]] std::shared_ptr<const DecodedSample> get(std::int64_t index);

  [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }
  [[nodiscard]] std::int64_t cached_bytes() const;

 private:
  using Decoded = std::shared_ptr<const DecodedSample>;
  struct Kept {
    Decoded decoded;
    std::list<std::int64_t>::iterator place;  ///< in recent_
  };

  void keep(std::int64_t index, const Decoded& decoded);

  const std::vector<Sample> samples_;
  const std::shared_ptr<const SampleReader> reader_;
  const std::int64_t max_bytes_;

  mutable std::mutex mutex_;  ///< guards all below
  std::unordered_map<std::int64_t, Kept> kept_;
  std::list<std::int64_t> recent_;  ///< most recently used first
  std::unordered_map<std::int64_t, std::shared_future<Decoded>> being_read_;
  std::int64_t bytes_ = 0;
};

}  // namespace headroom::data
