#include "core/data/prefetcher.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/rounding.hpp"

namespace headroom::data {

namespace {

[[noreturn]] void throw_interrupted() {
  throw base::Error(base::ErrorKind::interrupted,
                    {"reading the next batch", "it was stopped", "resume the run"});
}

}  // namespace

Prefetcher::Prefetcher(TrainingTiles tiles, const PrefetchOptions& options)
    : tiles_(std::move(tiles)), options_(options), most_ahead_(2 * options.loader_threads + 2) {
  for (std::int64_t i = 0; i < options.loader_threads; ++i) {
    loaders_.emplace_back([this](const std::stop_token& stop) { load(stop); });
  }
}

Prefetcher::~Prefetcher() {
  for (auto& loader : loaders_) loader.request_stop();
}

std::int64_t Prefetcher::do_batches_per_epoch() const {
  return base::divide_up(tiles_.tiles_per_epoch(), options_.batch);
}

HostBatch Prefetcher::do_batch(std::int64_t index, std::stop_token stop) {
  if (loaders_.empty()) return build(index, stop);

  Finished result;
  {
    std::unique_lock lock(mutex_);
    if (index != wanted_) {
      finished_.clear();
      next_ = index;
      ++generation_;
    }
    wanted_ = index;
    room_.notify_all();
    if (!ready_.wait(lock, stop, [&] { return finished_.contains(index); })) throw_interrupted();
    result = std::move(finished_.extract(index).mapped());
    wanted_ = index + 1;
  }
  room_.notify_all();
  if (result.failure) std::rethrow_exception(result.failure);
  return std::move(result.batch);
}

void Prefetcher::load(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (room_.wait(lock, stop, [&] { return next_ < wanted_ + most_ahead_; }) &&
         !stop.stop_requested()) {
    const std::int64_t index = next_++;
    const std::int64_t generation = generation_;
    lock.unlock();
    Finished result = build_catching(index, stop);
    lock.lock();
    if (generation == generation_) {
      finished_.emplace(index, std::move(result));
      ready_.notify_all();
    }
  }
}

Prefetcher::Finished Prefetcher::build_catching(std::int64_t index,
                                                const std::stop_token& stop) const {
  try {
    return {build(index, stop), nullptr};
  } catch (...) {
    return {{}, std::current_exception()};
  }
}

HostBatch Prefetcher::build(std::int64_t index, const std::stop_token& stop) const {
  HostBatch batch;
  batch.batch = options_.batch;
  batch.height = tiles_.height();
  batch.width = tiles_.width();
  batch.channels = tiles_.channels();
  const std::int64_t tile_pixels = batch.height * batch.width;
  const std::int64_t tile_values = tile_pixels * batch.channels;
  batch.pixels.resize(static_cast<std::size_t>(batch.batch * tile_values));
  batch.labels.resize(static_cast<std::size_t>(batch.batch * tile_pixels));
  for (std::int64_t i = 0; i < batch.batch; ++i) {
    if (stop.stop_requested()) throw_interrupted();
    tiles_.build(index * batch.batch + i,
                 std::span(batch.pixels)
                     .subspan(static_cast<std::size_t>(i * tile_values),
                              static_cast<std::size_t>(tile_values)),
                 std::span(batch.labels)
                     .subspan(static_cast<std::size_t>(i * tile_pixels),
                              static_cast<std::size_t>(tile_pixels)));
  }
  return batch;
}

}  // namespace headroom::data
