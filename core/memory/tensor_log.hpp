#pragma once
// What the tensors of a recorded step are: every operation that this thread calls tells what it
// made, and the trainer names the rest. Nothing is kept alive, and nothing is known of memory: the
// meter's events are what this is joined with. Owned by the recording of a step.

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/memory/cpu_meter.hpp"
#include "core/memory/step_recorder.hpp"

namespace headroom::memory {

/// A tensor as it was when it was seen.
struct SeenTensor {
  const void* block = nullptr;  ///< where its storage begins; null: it has none
  std::vector<std::int64_t> shape{};
  at::ScalarType type = at::kFloat;
};

/// An operation, or a node of the autograd graph in backward, from call to return. Moments are
/// counts of the meter's events until then.
struct LoggedCall {
  static constexpr int kNoCaller = -1;

  std::string name{};  ///< "conv2d", "ConvolutionBackward0"
  bool is_backward_node = false;
  int caller = kNoCaller;  ///< index of the call that this one was made from
  std::size_t begin = 0, end = 0;
  std::vector<const void*> inputs{};  ///< where the storages of its tensors begin
  std::vector<SeenTensor> outputs{};
};

/// A tensor that the trainer named.
struct NamedTensor {
  SeenTensor tensor{};
  TensorUse use = TensorUse::parameter;
  std::string name{};
  std::size_t moment = 0;             ///< as LoggedCall has it
  std::optional<MeterBlock> block{};  ///< as the meter knew it then; nothing for foreign memory
};

class TensorLog {
 public:
  /// Calls on this thread are logged from here on; one log on a thread at a time.
  TensorLog();
  ~TensorLog();
  TensorLog(const TensorLog&) = delete;
  TensorLog& operator=(const TensorLog&) = delete;

  void name(const at::Tensor& tensor, TensorUse use, const std::string& name);

  /// In the order of their beginning.
  [[nodiscard]] const std::vector<LoggedCall>& calls() const { return calls_; }
  /// In the order of naming.
  [[nodiscard]] const std::vector<NamedTensor>& named() const { return named_; }

 private:
  static std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction& call);
  static void on_end(const at::RecordFunction& call, at::ObserverContext* context);
  [[nodiscard]] int begin(const at::RecordFunction& call);
  void end(const at::RecordFunction& call, int index);

  std::vector<LoggedCall> calls_{};
  std::vector<NamedTensor> named_{};
  int innermost_ = LoggedCall::kNoCaller;
  at::CallbackHandle callback_{};
};

}  // namespace headroom::memory
