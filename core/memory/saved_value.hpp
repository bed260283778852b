#pragma once
// What stands for a tensor that autograd saved. Internal to the checkpointing engine.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

namespace headroom::memory {

class Region;
using RegionPtr = std::shared_ptr<Region>;

class OffloadedTensor;
using OffloadedPtr = std::shared_ptr<OffloadedTensor>;

/// The tensor itself, detached: a saved tensor with its graph would hold itself in a cycle.
struct KeptTensor {
  at::Tensor tensor;
  std::int64_t version =
      0;  ///< hooks switch autograd's own check for in-place changes off, so it is made here
  std::string stage_name{};  ///< for the message when it was changed
};

struct RegionOutput {
  RegionPtr region;
};

struct RegionInternal {
  RegionPtr region;
  std::size_t index = 0;  ///< in the order of saving
};

struct InHostMemory {
  OffloadedPtr tensor;
  bool saved_by_its_run = false;  ///< by an operation of the run that offloaded it
};

using SavedValue = std::variant<KeptTensor, RegionOutput, RegionInternal, InHostMemory>;

/// What a caller wants the value for.
enum class Use {
  backward,  ///< an operation's backward takes it
  repeat,    ///< something else is repeated with it
  ahead,     ///< the same, and then its backward takes it: nothing lies between but that repeat
};

/// Ends a backward that cannot give what forward promised: base::Error (internal).
[[noreturn]] void throw_broken(const std::string& stage, const std::string& what);

[[nodiscard]] KeptTensor keep(const at::Tensor& tensor, const std::string& stage_name);
[[nodiscard]] at::Tensor value_of(const SavedValue& saved, Use use);

/// Says whether two tensors are the same view of the same storage. Holds the storage weakly, so
/// that a freed address, given to another tensor, is not taken for it.
class TensorIdentity {
 public:
  explicit TensorIdentity(const at::Tensor& tensor);
  [[nodiscard]] bool is(const at::Tensor& tensor) const;
  [[nodiscard]] const void* storage() const { return storage_; }

 private:
  const void* storage_;
  c10::weak_intrusive_ptr<c10::StorageImpl> weak_;
  std::int64_t offset_;
  c10::DimVector sizes_, strides_;
};

}  // namespace headroom::memory
