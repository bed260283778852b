#include "core/data/sample_cache.hpp"

#include <exception>
#include <utility>

#include "core/base/error.hpp"

namespace headroom::data {

SampleCache::SampleCache(std::vector<Sample> samples, std::shared_ptr<const SampleReader> reader,
                         std::int64_t max_bytes)
    : samples_(std::move(samples)), reader_(std::move(reader)), max_bytes_(max_bytes) {
  if (!reader_) {
    throw base::Error(base::ErrorKind::internal,
                      {"preparing the cache of images", "there is no reader", "report this"});
  }
}

std::shared_ptr<const DecodedSample> SampleCache::get(std::int64_t index) {
  std::promise<Decoded> promise;
  {
    std::unique_lock lock(mutex_);
    if (const auto kept = kept_.find(index); kept != kept_.end()) {
      recent_.splice(recent_.begin(), recent_, kept->second.place);
      return kept->second.decoded;
    }
    if (const auto reading = being_read_.find(index); reading != being_read_.end()) {
      const std::shared_future<Decoded> result = reading->second;
      lock.unlock();
      return result.get();
    }
    being_read_.emplace(index, promise.get_future().share());
  }
  try {
    auto decoded = std::make_shared<const DecodedSample>(
        reader_->read(samples_.at(static_cast<std::size_t>(index))));
    keep(index, decoded);
    promise.set_value(decoded);
    return decoded;
  } catch (...) {
    // Those who wait get the same error; the next to ask reads anew.
    {
      const std::lock_guard lock(mutex_);
      being_read_.erase(index);
    }
    promise.set_exception(std::current_exception());
    throw;
  }
}

void SampleCache::keep(std::int64_t index, const Decoded& decoded) {
  std::vector<Decoded> evicted;  // freed after the lock is released
  const std::lock_guard lock(mutex_);
  being_read_.erase(index);
  const std::int64_t added = decoded->byte_size();
  if (added > max_bytes_) return;
  while (bytes_ + added > max_bytes_) {
    const auto oldest = kept_.find(recent_.back());
    bytes_ -= oldest->second.decoded->byte_size();
    evicted.push_back(std::move(oldest->second.decoded));
    kept_.erase(oldest);
    recent_.pop_back();
  }
  recent_.push_front(index);
  kept_.emplace(index, Kept{decoded, recent_.begin()});
  bytes_ += added;
}

std::int64_t SampleCache::cached_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace headroom::data
