#pragma once
// Work on the CPU in chunks, on LibTorch's own threads. For passes over pixels that LibTorch has no
// operation for. Any thread may call it.

#include <cstdint>
#include <functional>

namespace headroom::train {

/// work(chunk) for 0 … count - 1, in any order and on any of the threads. Results must not depend
/// on either: a chunk writes its own place, and sums over chunks are taken in their order.
void for_each_chunk(std::int64_t count, const std::function<void(std::int64_t)>& work);

}  // namespace headroom::train
