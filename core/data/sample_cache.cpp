#include "core/data/sample_cache.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"
#include "core/data/image_parts.hpp"

namespace headroom::data {

namespace {

constexpr std::int64_t kWholeSample = -1;
/// Samples up to this size are decoded whole where nothing is kept.
constexpr std::int64_t kSmallBytes = std::int64_t{64} << 20;
/// Of one part in a pass over a sample, at most.
constexpr std::int64_t kPartBytes = std::int64_t{32} << 20;

/// What the image has of a block.
base::PixelWindow block_window(const Sample& sample, std::int64_t row, std::int64_t column) {
  base::PixelWindow window{.left = column * sample.block.width, .top = row * sample.block.height};
  window.width = std::min(sample.block.width, sample.width - window.left);
  window.height = std::min(sample.block.height, sample.height - window.top);
  return window;
}

}  // namespace

SampleCache::SampleCache(std::vector<Sample> samples, std::shared_ptr<const SampleReader> reader,
                         std::int64_t max_bytes)
    : samples_(std::move(samples)), reader_(std::move(reader)), max_bytes_(max_bytes) {
  if (!reader_) {
    throw base::Error(base::ErrorKind::internal,
                      {"preparing the cache of images", "there is no reader", "report this"});
  }
}

std::shared_ptr<const DecodedSample> SampleCache::get(std::int64_t index) {
  return fetch({index, kWholeSample}, [&] { return reader_->read(sample(index)); });
}

SamplePart SampleCache::get(std::int64_t index, const base::PixelWindow& window) {
  if (!is_read_by_parts(index)) return {get(index)};
  return {max_bytes_ == 0 ? read_part(index, window) : join_blocks(index, window), window.top,
          window.left};
}

bool SampleCache::is_read_by_parts(std::int64_t index) const {
  const Sample& one = sample(index);
  const std::int64_t small_bytes = max_bytes_ > 0 ? max_bytes_ / 4 : kSmallBytes;
  return one.block.height > 0 && one.height * one.width * one.pixel_bytes > small_bytes;
}

std::vector<base::PixelWindow> SampleCache::parts(std::int64_t index) const {
  const Sample& one = sample(index);
  if (!is_read_by_parts(index)) return {{.width = one.width, .height = one.height}};
  return cut_into_parts({.height = one.height,
                         .width = one.width,
                         .pixel_bytes = one.pixel_bytes,
                         .block = one.block},
                        max_bytes_ > 0 ? std::min(kPartBytes, max_bytes_ / 4) : kPartBytes);
}

std::shared_ptr<const DecodedSample> SampleCache::read_part(std::int64_t index,
                                                            const base::PixelWindow& part) {
  if (!is_read_by_parts(index)) return get(index);
  return std::make_shared<const DecodedSample>(reader_->read(sample(index), part));
}

SampleCache::Decoded SampleCache::join_blocks(std::int64_t index, const base::PixelWindow& window) {
  const Sample& one = sample(index);
  const base::BlockSize& size = one.block;
  const std::int64_t columns = base::divide_up(one.width, size.width);
  auto joined = std::make_shared<DecodedSample>();
  for (std::int64_t row = window.top / size.height; row * size.height < window.bottom(); ++row) {
    for (std::int64_t column = window.left / size.width; column * size.width < window.right();
         ++column) {
      const base::PixelWindow place = block_window(one, row, column);
      const Decoded block =
          fetch({index, row * columns + column}, [&] { return reader_->read(one, place); });
      if (joined->image.pixels.empty()) {
        joined->image = make_part(block->image, window);
        joined->labels = {.height = window.height, .width = window.width};
        joined->labels.labels.resize(static_cast<std::size_t>(window.height * window.width));
      }
      copy_overlap(block->image, place, joined->image, window);
      copy_overlap(block->labels, place, joined->labels, window);
    }
  }
  return joined;
}

SampleCache::Decoded SampleCache::fetch(const Key& key,
                                        const std::function<DecodedSample()>& read) {
  std::promise<Decoded> promise;
  {
    std::unique_lock lock(mutex_);
    if (const auto kept = kept_.find(key); kept != kept_.end()) {
      recent_.splice(recent_.begin(), recent_, kept->second.place);
      return kept->second.decoded;
    }
    if (const auto reading = being_read_.find(key); reading != being_read_.end()) {
      const std::shared_future<Decoded> result = reading->second;
      lock.unlock();
      return result.get();
    }
    being_read_.emplace(key, promise.get_future().share());
  }
  try {
    auto decoded = std::make_shared<const DecodedSample>(read());
    keep(key, decoded);
    promise.set_value(decoded);
    return decoded;
  } catch (...) {
    // Those who wait get the same error; the next to ask reads anew.
    {
      const std::lock_guard lock(mutex_);
      being_read_.erase(key);
    }
    promise.set_exception(std::current_exception());
    throw;
  }
}

void SampleCache::keep(const Key& key, const Decoded& decoded) {
  std::vector<Decoded> evicted;  // freed after the lock is released
  const std::lock_guard lock(mutex_);
  being_read_.erase(key);
  const std::int64_t added = decoded->byte_size();
  if (added > max_bytes_) return;
  while (bytes_ + added > max_bytes_) {
    const auto oldest = kept_.find(recent_.back());
    bytes_ -= oldest->second.decoded->byte_size();
    evicted.push_back(std::move(oldest->second.decoded));
    kept_.erase(oldest);
    recent_.pop_back();
  }
  recent_.push_front(key);
  kept_.emplace(key, Kept{decoded, recent_.begin()});
  bytes_ += added;
}

std::int64_t SampleCache::cached_bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace headroom::data
