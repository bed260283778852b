#pragma once
// Copies between a device and host memory that run beside the device's own work. What offloading
// asks of a device; a test gives its own. Owned by the network that offloads; called by the thread
// that runs forward or backward.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>

namespace headroom::memory {

/// A copy on its way.
class PendingCopy {
 public:
  virtual ~PendingCopy() = default;
  /// The copy, whole for everything that the caller's stream does from here on.
  [[nodiscard]] virtual at::Tensor wait() = 0;
};

class DeviceCopy {
 public:
  virtual ~DeviceCopy() = default;
  /// Begins to copy what `on_device` holds once the work that is queued now is done. The caller may
  /// let go of it at once; it must not be changed in place before the copy was waited for.
  [[nodiscard]] virtual std::unique_ptr<PendingCopy> to_host(const at::Tensor& on_device) = 0;
  /// The way back, to a new tensor with the same strides.
  [[nodiscard]] virtual std::unique_ptr<PendingCopy> to_device(const at::Tensor& on_host) = 0;
};

/// Through pinned memory, on a stream of its own. Throws base::Error (usage) for the CPU, whose
/// tensors lie in host memory already.
[[nodiscard]] std::shared_ptr<DeviceCopy> make_device_copy(c10::Device device);

}  // namespace headroom::memory
