// Samples that are computed and whose reading can be counted, held up and broken.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/data/sample.hpp"

namespace headroom::tests {

/// 8-bit RGB; every pixel differs from its neighbours and between samples.
inline data::DecodedSample patterned_sample(std::int64_t height, std::int64_t width,
                                            std::int64_t variant) {
  data::DecodedSample sample;
  sample.image.height = sample.labels.height = height;
  sample.image.width = sample.labels.width = width;
  sample.image.channels = 3;
  for (std::int64_t i = 0; i < height * width; ++i) {
    for (std::int64_t c = 0; c < 3; ++c) {
      sample.image.pixels.push_back(
          static_cast<std::byte>((i * 31 + c * 101 + variant * 57) % 251));
    }
    sample.labels.labels.push_back(static_cast<std::uint8_t>((i + variant) % 5));
  }
  return sample;
}

inline std::vector<data::Sample> patterned_samples(std::int64_t count, std::int64_t height,
                                                   std::int64_t width) {
  std::vector<data::Sample> samples;
  for (std::int64_t i = 0; i < count; ++i) {
    samples.push_back({.id = std::to_string(i),
                       .image = std::to_string(i) + ".png",
                       .height = height,
                       .width = width});
  }
  return samples;
}

class FakeReader final : public data::SampleReader {
 public:
  void break_sample(const std::string& id) { broken_.insert(id); }
  void close_gate() { is_open_ = false; }
  void open_gate() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  /// Until so many reads were begun; a test that hangs here is ended by its time limit.
  void wait_for_reads(std::int64_t count) const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reads_ >= count; });
  }
  [[nodiscard]] std::int64_t reads() const {
    const std::lock_guard lock(mutex_);
    return reads_;
  }

 private:
  [[nodiscard]] data::DecodedSample do_read(const data::Sample& sample) const override {
    {
      std::unique_lock lock(mutex_);
      ++reads_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return is_open_; });
    }
    if (broken_.contains(sample.id)) {
      throw base::Error(base::ErrorKind::unusable_data,
                        {"reading", "sample " + sample.id, "mend it"});
    }
    return patterned_sample(sample.height, sample.width, std::stoll(sample.id));
  }

  std::set<std::string> broken_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable std::int64_t reads_ = 0;
  bool is_open_ = true;
};

}  // namespace headroom::tests
