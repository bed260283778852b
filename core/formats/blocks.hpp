#pragma once
// Images cut into blocks, so that one image can be on both sides of a split without a pixel in
// common. Any one thread.

#include <cstdint>
#include <functional>
#include <stop_token>

#include "core/formats/scan.hpp"

namespace headroom::formats {

struct BlockOptions {
  std::int64_t tile_height = 512;  ///< of training
  std::int64_t tile_width = 512;
  std::int64_t wanted = 5;  ///< blocks of all images together, where they are large enough
  std::int64_t threads = 1;
};

/// Each image becomes samples that are its blocks, a grid of equal ones, named "scene.tif@r2c3" by
/// row and column from 0. Their sides are four tiles long, or shorter where that gives fewer than
/// `wanted`, but not below about one tile; large blocks have fewer pixels near the other side,
/// which are alike. Images that are no larger stay whole. Blocks without a pixel that is learned
/// are left out. Class pixels and digests are counted anew; an info finding tells what was done.
/// `progress` is called in the caller's thread. Throws what the reader throws, Error (interrupted)
/// on stop; then the data set is as it was.
void cut_into_blocks(Dataset& dataset, const BlockOptions& options,
                     const std::function<void(const ScanProgress&)>& progress,
                     std::stop_token stop);

}  // namespace headroom::formats
