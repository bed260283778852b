#include "core/train/host_tensors.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/image.hpp"

namespace headroom::train {
namespace {

void check_batch(const data::HostBatch& batch, std::int64_t classes) {
  const std::int64_t pixels = batch.batch * batch.height * batch.width;
  const auto values = static_cast<std::int64_t>(batch.pixels.size());
  const auto labels = static_cast<std::int64_t>(batch.labels.size());
  if (values != pixels * batch.channels || (labels != pixels && labels != 0)) {
    throw base::Error(base::ErrorKind::internal,
                      {"loading a batch",
                       fmt::format("{}x{}x{}x{} with {} values and {} labels", batch.batch,
                                   batch.height, batch.width, batch.channels, values, labels),
                       "report this"});
  }
  const auto is_bad = [&](std::uint8_t l) { return l >= classes && l != base::kIgnoreLabel; };
  if (const auto bad = std::ranges::find_if(batch.labels, is_bad); bad != batch.labels.end()) {
    throw base::Error(
        base::ErrorKind::internal,
        {"loading a batch", fmt::format("label {} with {} classes", *bad, classes), "report this"});
  }
}

}  // namespace

DeviceBatch to_device(const data::HostBatch& batch, std::int64_t classes, c10::Device device,
                      c10::MemoryFormat format) {
  check_batch(batch, classes);
  DeviceBatch on_device;
  // from_blob has no const form; the views are only read.
  auto* pixels = const_cast<float*>(batch.pixels.data());
  const at::Tensor image =
      at::from_blob(pixels, {batch.batch, batch.height, batch.width, batch.channels}, at::kFloat)
          .permute({0, 3, 1, 2});
  on_device.image = at::empty(image.sizes(), image.options().device(device).memory_format(format));
  on_device.image.copy_(image);
  if (!batch.labels.empty()) {
    auto* labels = const_cast<std::uint8_t*>(batch.labels.data());
    const at::Tensor view =
        at::from_blob(labels, {batch.batch, batch.height, batch.width}, at::kByte);
    on_device.labels = at::empty(view.sizes(), view.options().device(device));
    on_device.labels.copy_(view);
  }
  return on_device;
}

}  // namespace headroom::train
