#include "core/memory/device_copy.hpp"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <fmt/format.h>

#include <utility>

#include "core/base/error.hpp"

namespace headroom::memory {
namespace {

/// A copy on a side stream; its event is recorded behind it.
class StreamedCopy final : public PendingCopy {
 public:
  StreamedCopy(at::Tensor destination, c10::Event done, c10::Device device)
      : destination_(std::move(destination)), done_(std::move(done)), device_(device) {}

  [[nodiscard]] at::Tensor wait() override {
    done_.block(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
    return destination_;
  }

 private:
  at::Tensor destination_;
  c10::Event done_;
  c10::Device device_;
};

/// LibTorch's device interface serves every accelerator, so that no CUDA header is needed here.
class StreamCopy final : public DeviceCopy {
 public:
  explicit StreamCopy(c10::Device device)
      : device_(device), implementation_(device.type()), side_(side_stream()) {}

  [[nodiscard]] std::unique_ptr<PendingCopy> to_host(const at::Tensor& on_device) override {
    const at::NoGradGuard no_grad;
    at::Tensor host = at::empty_strided(on_device.sizes(), on_device.strides(),
                                        on_device.options().device(at::kCPU).pinned_memory(true));
    auto copy = begin(std::move(host), on_device);
    // The block may be freed now, but is given to nobody before the side stream is through with it.
    implementation_.recordDataPtrOnStream(on_device.storage().data_ptr(), side_);
    return copy;
  }

  [[nodiscard]] std::unique_ptr<PendingCopy> to_device(const at::Tensor& on_host) override {
    const at::NoGradGuard no_grad;
    // Made on the caller's stream, whose work frees it again.
    return begin(at::empty_strided(on_host.sizes(), on_host.strides(),
                                   on_host.options().device(device_).pinned_memory(false)),
                 on_host);
  }

 private:
  [[nodiscard]] c10::Stream side_stream() const {
    return implementation_.getStreamFromGlobalPool(device_);
  }

  [[nodiscard]] std::unique_ptr<PendingCopy> begin(at::Tensor destination,
                                                   const at::Tensor& source) {
    c10::Event reached(device_.type());
    reached.record(implementation_.getStream(device_));
    reached.block(side_);
    {
      const c10::StreamGuard on_side(side_);
      destination.copy_(source, /*non_blocking=*/true);
    }
    c10::Event done(device_.type());
    done.record(side_);
    return std::make_unique<StreamedCopy>(std::move(destination), std::move(done), device_);
  }

  c10::Device device_;
  c10::impl::VirtualGuardImpl implementation_;
  c10::Stream side_;
};

}  // namespace

std::shared_ptr<DeviceCopy> make_device_copy(c10::Device device) {
  if (device.is_cpu()) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "setting offload up",
                       .subject = "tensors on the CPU lie in host memory already",
                       .remedy = "use the policies keep, light and full"});
  }
  return std::make_shared<StreamCopy>(device);
}

}  // namespace headroom::memory
