#include "core/data/batch.hpp"

#include <utility>

namespace headroom::data {
namespace {

/// Tiles `first` … `end` - 1 of all of them.
template <typename T>
std::vector<T> cut(const std::vector<T>& values, const HostBatch& batch, std::int64_t first,
                   std::int64_t end) {
  const std::int64_t per_tile = static_cast<std::int64_t>(values.size()) / batch.batch;
  return {values.begin() + first * per_tile, values.begin() + end * per_tile};
}

}  // namespace

std::vector<HostBatch> split_batch(HostBatch batch, std::int64_t parts) {
  std::vector<HostBatch> split;
  if (parts == 1) {
    split.push_back(std::move(batch));
    return split;
  }
  for (std::int64_t part = 0; part < parts; ++part) {
    const std::int64_t first = batch.batch * part / parts;
    const std::int64_t end = batch.batch * (part + 1) / parts;
    split.push_back({.batch = end - first,
                     .height = batch.height,
                     .width = batch.width,
                     .channels = batch.channels,
                     .pixels = cut(batch.pixels, batch, first, end),
                     .labels = cut(batch.labels, batch, first, end)});
  }
  return split;
}

}  // namespace headroom::data
