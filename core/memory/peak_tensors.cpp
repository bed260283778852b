#include "core/memory/peak_tensors.hpp"

#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/memory/block_history.hpp"
#include "core/memory/timeline_recording.hpp"

namespace headroom::memory {
namespace {

std::string dtype_name(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return "fp32";
    case at::kDouble:
      return "fp64";
    case at::kHalf:
      return "fp16";
    case at::kBFloat16:
      return "bf16";
    case at::kByte:
      return "uint8";
    case at::kInt:
      return "int32";
    case at::kLong:
      return "int64";
    case at::kBool:
      return "bool";
    default:
      return c10::toString(type);
  }
}

std::string role_of(const NamedTensor& named) {
  switch (named.use) {
    case TensorUse::parameter:
      return "parameter " + named.name;
    case TensorUse::gradient:
      return "gradient of " + named.name;
    case TensorUse::buffer:
      return "buffer " + named.name;
    case TensorUse::optimizer_state:
      return "optimizer state " + named.name;
    case TensorUse::batch:
      return "batch " + named.name;
    case TensorUse::kept_copy:
      return "kept copy of " + named.name;
  }
  return named.name;
}

/// Operations that give memory without values: who called them tells more.
bool only_allocates(std::string_view operation) {
  constexpr std::array<std::string_view, 8> kNames = {
      "empty",     "empty_like",        "empty_strided", "new_empty",
      "new_zeros", "new_empty_strided", "zeros",         "zeros_like"};
  return std::ranges::find(kNames, operation) != kNames.end();
}

bool only_copies(std::string_view operation) {
  constexpr std::array<std::string_view, 4> kNames = {"to", "_to_copy", "clone", "contiguous"};
  return std::ranges::find(kNames, operation) != kNames.end();
}

/// "enc1.conv_a.weight" is of the module enc1.conv_a.
std::string module_of(const std::string& parameter) {
  const auto dot = parameter.rfind('.');
  return dot == std::string::npos ? parameter : parameter.substr(0, dot);
}

/// Cuts `ending` off; false where the text has another.
bool cut_ending(std::string& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.erase(text.size() - ending.size());
  return true;
}

/// "ConvolutionBackward0" is Convolution; of a custom function, "CppNode<a::b::Name>", Name.
std::string node_subject(std::string name) {
  if (cut_ending(name, ">")) return name.substr(name.rfind(':') + 1);
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
  cut_ending(name, "Backward");
  return name;
}

/// What is known of a block by what was done with it.
struct Identity {
  std::string role{};
  std::string parameter{};             ///< it is, or is a copy of
  const SeenTensor* tensor = nullptr;  ///< it was seen as; null: as none
};

class Identification {
 public:
  Identification(const MeterRecording& recording, const TensorLog& log)
      : log_(log), history_(recording.events, log.named()), identities_(history_.blocks().size()) {
    for (const NamedTensor& named : log.named()) take_name(named);
    // The outermost operation comes first, and the first one names.
    for (std::size_t call = 0; call < log.calls().size(); ++call) take_outputs(call);
    take_askers();
  }

  [[nodiscard]] const BlockHistory& history() const { return history_; }
  [[nodiscard]] const std::vector<Identity>& identities() const { return identities_; }

 private:
  void take_name(const NamedTensor& named) {
    const std::size_t block = history_.find(named.tensor.block, named.moment);
    if (block == BlockHistory::kNone) return;
    Identity& identity = identities_[block];
    identity.role = role_of(named);
    identity.tensor = &named.tensor;
    if (named.use == TensorUse::parameter) identity.parameter = named.name;
  }

  void take_outputs(std::size_t index) {
    const LoggedCall& call = log_.calls()[index];
    for (const SeenTensor& output : call.outputs) {
      const std::size_t block = history_.find(output.block, call.end);
      if (block == BlockHistory::kNone) continue;
      const std::size_t born = history_.blocks()[block].born;
      const bool is_new = born != RecordedBlock::kBefore && born >= call.begin;
      if (!is_new) continue;  // a view of what was there, or changed in place
      Identity& identity = identities_[block];
      if (identity.tensor == nullptr) identity.tensor = &output;
      if (!identity.role.empty() || only_allocates(call.name)) continue;
      const std::string parameter = only_copies(call.name) ? parameter_in(call) : std::string();
      identity.role = parameter.empty() ? role_of_output(index) : "copy of " + parameter;
      identity.parameter = parameter;
    }
  }

  /// Blocks that no operation returned belong to the one that asked for them.
  void take_askers() {
    const std::vector<LoggedCall>& calls = log_.calls();
    std::size_t begun = 0;
    for (std::size_t block = 0; block < identities_.size(); ++block) {
      const std::size_t born = history_.blocks()[block].born;
      if (born == RecordedBlock::kBefore) continue;
      while (begun < calls.size() && calls[begun].begin <= born) ++begun;
      Identity& identity = identities_[block];
      if (!identity.role.empty()) continue;
      int asker = static_cast<int>(begun) - 1;
      const auto skips = [&](const LoggedCall& call) {
        return call.end <= born || only_allocates(call.name);
      };
      while (asker >= 0 && skips(call_at(asker))) asker = call_at(asker).caller;
      if (asker < 0) continue;
      const bool is_tensor = identity.tensor != nullptr;
      identity.role = (is_tensor ? "made in " : "work buffer of ") + title(outermost(asker));
    }
  }

  [[nodiscard]] const LoggedCall& call_at(int index) const {
    return log_.calls()[static_cast<std::size_t>(index)];
  }

  /// The operation that a person wrote, or that a node of backward calls.
  [[nodiscard]] int outermost(int index) const {
    while (call_at(index).caller >= 0 && !call_at(call_at(index).caller).is_backward_node &&
           !call_at(index).is_backward_node) {
      index = call_at(index).caller;
    }
    return index;
  }

  /// The first parameter, or copy of one, that it reads.
  [[nodiscard]] std::string parameter_in(const LoggedCall& call) const {
    for (const void* input : call.inputs) {
      const std::size_t block = history_.find(input, call.begin);
      if (block != BlockHistory::kNone && !identities_[block].parameter.empty()) {
        return identities_[block].parameter;
      }
    }
    return {};
  }

  struct Subject {
    std::string name{};  ///< of the module where it reads a parameter, else of the operation
    bool is_backward = false;
  };
  [[nodiscard]] Subject subject_of(const LoggedCall& call) const {
    if (call.is_backward_node) return {node_subject(call.name), true};
    Subject subject{.name = call.name};
    subject.is_backward = cut_ending(subject.name, "_backward");
    if (const std::string parameter = parameter_in(call); !parameter.empty()) {
      subject.name = module_of(parameter);
    }
    return subject;
  }

  [[nodiscard]] std::string title(int index) const {
    const Subject subject = subject_of(call_at(index));
    return subject.is_backward ? subject.name + "'s backward" : subject.name;
  }

  [[nodiscard]] std::string role_of_output(std::size_t index) const {
    const int outer = outermost(static_cast<int>(index));
    if (outer != static_cast<int>(index)) return "made in " + title(outer);
    const Subject subject = subject_of(log_.calls()[index]);
    return (subject.is_backward ? "gradient from " : "output of ") + subject.name;
  }

  const TensorLog& log_;
  BlockHistory history_;
  std::vector<Identity> identities_;
};

/// How many events there were before the live bytes were highest, and how many bytes and blocks
/// were live then.
struct Peak {
  std::size_t moment = 0;
  std::int64_t bytes = 0, blocks = 0;
};

Peak peak_of(const MeterRecording& recording) {
  std::int64_t bytes = 0, blocks = recording.live_blocks_before;
  for (const std::int64_t of_stage : recording.live_before_by_stage) bytes += of_stage;
  Peak peak{.bytes = bytes, .blocks = blocks};
  for (std::size_t index = 0; index < recording.events.size(); ++index) {
    bytes += recording.events[index].bytes;
    blocks += recording.events[index].bytes > 0 ? 1 : -1;
    if (bytes > peak.bytes) peak = {.moment = index + 1, .bytes = bytes, .blocks = blocks};
  }
  return peak;
}

}  // namespace

void add_peak_tensors(plan::StepTimeline& timeline, const MeterRecording& recording,
                      const TensorLog& log) {
  const Peak peak = peak_of(recording);
  const Identification found(recording, log);
  timeline.peak_unnamed_bytes = peak.bytes;
  timeline.peak_unnamed_blocks = peak.blocks;
  const std::vector<RecordedBlock>& blocks = found.history().blocks();
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const Identity& identity = found.identities()[index];
    if (!blocks[index].is_live_at(peak.moment) || identity.role.empty()) continue;
    const MeterBlock& facts = blocks[index].facts;
    plan::PeakTensor tensor{.bytes = facts.bytes, .role = identity.role, .phase = facts.phase};
    tensor.owner = static_cast<int>(timeline_owner(facts.stage, timeline.owners.size() - 2));
    if (identity.tensor != nullptr) {
      tensor.shape = identity.tensor->shape;
      tensor.dtype = dtype_name(identity.tensor->type);
    }
    timeline.peak_unnamed_bytes -= tensor.bytes;
    --timeline.peak_unnamed_blocks;
    timeline.peak_tensors.push_back(std::move(tensor));
  }
  std::ranges::stable_sort(timeline.peak_tensors, std::ranges::greater{}, &plan::PeakTensor::bytes);
}

}  // namespace headroom::memory
