#include "core/memory/tensor_log.hpp"

#include <ATen/core/ivalue.h>

#include <utility>

namespace headroom::memory {
namespace {

TensorLog*& active_log() {
  thread_local TensorLog* log = nullptr;
  return log;
}

/// Which call of which log ends.
struct CallContext final : at::ObserverContext {
  CallContext(TensorLog* of_log, int at_index) : log(of_log), index(at_index) {}
  TensorLog* log;
  int index;
};

SeenTensor seen(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage()) return {};
  return {tensor.storage().data(), tensor.sizes().vec(), tensor.scalar_type()};
}

void add_seen(const c10::IValue& value, std::vector<SeenTensor>& tensors) {
  if (value.isTensor()) {
    tensors.push_back(seen(value.toTensor()));
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) tensors.push_back(seen(tensor));
  }
}

/// "aten::conv2d" is conv2d.
std::string short_name(const char* name) {
  const std::string full = name;
  constexpr std::string_view kLibrary = "aten::";
  return full.starts_with(kLibrary) ? full.substr(kLibrary.size()) : full;
}

}  // namespace

TensorLog::TensorLog() {
  active_log() = this;
  callback_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(&TensorLog::on_begin, &TensorLog::on_end)
          .needsInputs(true)
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
}

TensorLog::~TensorLog() {
  at::removeCallback(callback_);
  active_log() = nullptr;
}

void TensorLog::name(const at::Tensor& tensor, TensorUse use, const std::string& name) {
  SeenTensor now = seen(tensor);
  if (now.block == nullptr) return;
  named_.push_back({.tensor = std::move(now),
                    .use = use,
                    .name = name,
                    .moment = cpu_meter().recorded_events(),
                    .block = CpuMeter::block_of(tensor.storage().data_ptr())});
}

std::unique_ptr<at::ObserverContext> TensorLog::on_begin(const at::RecordFunction& call) {
  TensorLog* log = active_log();
  return log == nullptr ? nullptr : std::make_unique<CallContext>(log, log->begin(call));
}

void TensorLog::on_end(const at::RecordFunction& call, at::ObserverContext* context) {
  const auto* began = static_cast<const CallContext*>(context);
  if (began != nullptr && began->log == active_log()) began->log->end(call, began->index);
}

int TensorLog::begin(const at::RecordFunction& call) {
  LoggedCall logged{.name = short_name(call.name()),
                    .is_backward_node = call.scope() == at::RecordScope::BACKWARD_FUNCTION,
                    .caller = innermost_,
                    .begin = cpu_meter().recorded_events()};
  for (const c10::IValue& input : call.inputs()) {
    if (!input.isTensor()) continue;
    if (const void* block = seen(input.toTensor()).block) logged.inputs.push_back(block);
  }
  calls_.push_back(std::move(logged));
  return innermost_ = static_cast<int>(calls_.size()) - 1;
}

void TensorLog::end(const at::RecordFunction& call, int index) {
  LoggedCall& logged = calls_[static_cast<std::size_t>(index)];
  logged.end = cpu_meter().recorded_events();
  for (const c10::IValue& output : call.outputs()) add_seen(output, logged.outputs);
  innermost_ = logged.caller;
}

}  // namespace headroom::memory
