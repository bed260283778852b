#pragma once
// Saved tensors that wait for backward in host memory. Internal to the checkpointing engine. A
// tensor is owned by what was saved of it; the run that offloaded it only knows it.

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/memory/checkpoint.hpp"
#include "core/memory/device_copy.hpp"
#include "core/memory/recorder_state.hpp"
#include "core/memory/saved_value.hpp"

namespace headroom::memory {

class OffloadedTensor {
 public:
  struct Origin {
    RegionOptions stage{};
    std::weak_ptr<OffloadedTensor> saved_before{};  ///< by the same run; backward wants it next
  };
  /// Begins the copy to the host.
  OffloadedTensor(const at::Tensor& tensor, std::shared_ptr<DeviceCopy> copy, Origin origin);

  /// False where the tensor was changed in place since it was saved.
  [[nodiscard]] bool is_version_of(const at::Tensor& tensor) const {
    return tensor._version() == version_;
  }
  /// One more operation of the run that offloaded it saved it.
  void add_consumer() { ++consumers_; }
  /// Begins the way back; does nothing where it has begun.
  void begin_fetch();
  /// For one of the run's own operations in backward: stays on the device until the last of them
  /// has it, and what was saved before it is on its way from here on.
  [[nodiscard]] at::Tensor take();
  /// For anybody else: does not stay longer than the caller holds it.
  [[nodiscard]] at::Tensor look();

 private:
  void check_unchanged() const;

  std::shared_ptr<DeviceCopy> copy_;
  Origin origin_;
  std::shared_ptr<RecorderState> recorder_;
  c10::VariableVersion version_counter_;
  std::int64_t version_;
  std::unique_ptr<PendingCopy> to_host_, to_device_;
  std::size_t consumers_ = 0, asked_ = 0;
  bool was_fetched_ = false;
};

/// One run of a body whose saved tensors are offloaded.
class OffloadedRun {
 public:
  OffloadedRun(std::shared_ptr<DeviceCopy> copy, RegionOptions stage)
      : copy_(std::move(copy)), stage_(std::move(stage)) {}

  /// The tensor's place in host memory; the same for a tensor that was saved before.
  [[nodiscard]] OffloadedPtr save(const at::Tensor& tensor);
  /// Begins to fetch what backward wants first.
  void begin_fetch() const;

 private:
  std::shared_ptr<DeviceCopy> copy_;
  RegionOptions stage_;
  std::vector<std::pair<TensorIdentity, std::weak_ptr<OffloadedTensor>>> saved_;
};

}  // namespace headroom::memory
