#pragma once
// Decoded samples, kept in memory up to a bound: whole while they are small, else by blocks. Shared
// by loader threads and the worker; safe from any thread.

#include <compare>
#include <cstdint>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/pixel_window.hpp"
#include "core/data/sample.hpp"

namespace headroom::data {

/// Decoded pixels, and where their upper left corner lies in the sample.
struct SamplePart {
  std::shared_ptr<const DecodedSample> decoded{};
  std::int64_t top = 0;
  std::int64_t left = 0;
};

/// Least-recently-used cache over a SampleReader. Two threads that ask for the same pixels decode
/// them once; no lock is held while a file is read. What is larger than the bound is handed out and
/// not kept. What is handed out depends on the files alone, never on what is kept.
class SampleCache {
 public:
  /// Throws Error (internal) when `reader` is null. max_bytes 0 keeps nothing.
  SampleCache(std::vector<Sample> samples, std::shared_ptr<const SampleReader> reader,
              std::int64_t max_bytes);

  /// Waits while another thread decodes the same sample. Throws what the reader throws; a later
  /// call tries again.
  [[nodiscard]] std::shared_ptr<const DecodedSample> get(std::int64_t index);
  /// At least the pixels inside `window`, which lies in the sample: of one that is read by parts
  /// exactly these, else the whole. Waits and throws as above.
  [[nodiscard]] SamplePart get(std::int64_t index, const base::PixelWindow& window);

  /// A sample with blocks that is larger than a quarter of the bound (where nothing is kept: than
  /// 64 MiB).
  [[nodiscard]] bool is_read_by_parts(std::int64_t index) const;
  /// Windows that cover the sample once, row by row, for one pass over it: one for all of it unless
  /// it is read by parts.
  [[nodiscard]] std::vector<base::PixelWindow> parts(std::int64_t index) const;
  /// One of them. Parts are not kept: a pass over a large image would drop all else.
  [[nodiscard]] std::shared_ptr<const DecodedSample> read_part(std::int64_t index,
                                                               const base::PixelWindow& part);

  [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }
  [[nodiscard]] std::int64_t cached_bytes() const;

 private:
  using Decoded = std::shared_ptr<const DecodedSample>;
  struct Key {
    std::int64_t sample = 0;
    std::int64_t block = 0;  ///< counted along the rows; -1: the whole sample
    auto operator<=>(const Key&) const = default;
  };
  struct Kept {
    Decoded decoded;
    std::list<Key>::iterator place;  ///< in recent_
  };

  [[nodiscard]] const Sample& sample(std::int64_t index) const {
    return samples_.at(static_cast<std::size_t>(index));
  }
  [[nodiscard]] Decoded fetch(const Key& key, const std::function<DecodedSample()>& read);
  [[nodiscard]] Decoded join_blocks(std::int64_t index, const base::PixelWindow& window);
  void keep(const Key& key, const Decoded& decoded);

  const std::vector<Sample> samples_;
  const std::shared_ptr<const SampleReader> reader_;
  const std::int64_t max_bytes_;

  mutable std::mutex mutex_;  ///< guards all below
  std::map<Key, Kept> kept_;
  std::list<Key> recent_;  ///< most recently used first
  std::map<Key, std::shared_future<Decoded>> being_read_;
  std::int64_t bytes_ = 0;
};

}  // namespace headroom::data
