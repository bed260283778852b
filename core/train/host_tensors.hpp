#pragma once
// Host batches as tensors of a device. Worker thread.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/MemoryFormat.h>

#include <cstdint>

#include "core/data/batch.hpp"

namespace headroom::train {

struct DeviceBatch {
  at::Tensor image;   ///< [n, c, h, w] fp32
  at::Tensor labels;  ///< [n, h, w] uint8; undefined where the host batch has none
};

/// Copies into tensors that LibTorch allocated, so that they are metered. Throws base::Error
/// (internal) when a label is neither one of `classes` nor ignored, or a vector has another length
/// than the sizes say.
[[nodiscard]] DeviceBatch to_device(const data::HostBatch& batch, std::int64_t classes,
                                    c10::Device device, c10::MemoryFormat format);

}  // namespace headroom::train
