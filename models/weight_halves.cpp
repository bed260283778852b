#include "models/weight_halves.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/nn/module.h>

#include "core/base/error.hpp"

namespace headroom::models {
namespace {

const std::string kSkipHalf = ".conv_a_skip.weight";
const std::string kWhole = ".conv_a.weight";

/// "dec1.conv_a.weight" for "dec1.conv_a_skip.weight"; empty for every other name.
std::string whole_of(const std::string& name) {
  return name.ends_with(kSkipHalf) ? name.substr(0, name.size() - kSkipHalf.size()) + kWhole
                                   : std::string();
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw base::Error(
      base::ErrorKind::usage,
      {.attempted = "loading the model",
       .subject = fmt::format("tensor {}: {}", name, what),
       .remedy = "use a model file made for these settings (levels, base-channels, norm, "
                 "classes, channels)"});
}

}  // namespace

train::NamedTensors named_tensors(const torch::nn::Module& module) {
  train::NamedTensors tensors;
  for (const auto& parameter : module.named_parameters()) {
    tensors.emplace(parameter.key(), parameter.value());
  }
  for (const auto& buffer : module.named_buffers()) {
    tensors.emplace(buffer.key(), buffer.value());
  }
  return tensors;
}

train::NamedTensors join_halves(const train::NamedTensors& own) {
  train::NamedTensors file;
  for (const auto& [name, tensor] : own) {
    if (const std::string whole = whole_of(name); !whole.empty()) {
      file.insert_or_assign(whole,
                            at::cat({tensor.detach(), own.at(whole).detach()}, 1).contiguous());
    } else {
      file.try_emplace(name, tensor.detach().contiguous());
    }
  }
  return file;
}

void copy_into(const train::NamedTensors& own, const train::NamedTensors& file) {
  const train::NamedTensors expected = join_halves(own);
  for (const auto& [name, tensor] : expected) {
    const auto found = file.find(name);
    if (found == file.end()) {
      refuse(name, "missing in the file");
    }
    if (found->second.sizes() != tensor.sizes()) {
      refuse(name,
             fmt::format("[{}] in the file, [{}] in the network",
                         fmt::join(found->second.sizes(), ", "), fmt::join(tensor.sizes(), ", ")));
    }
  }
  for (const auto& entry : file) {
    if (!expected.contains(entry.first)) {
      refuse(entry.first, "the network has no such tensor");
    }
  }
  const at::NoGradGuard no_grad;
  for (const auto& [name, target] : own) {
    at::Tensor destination = target;
    if (const std::string whole = whole_of(name); !whole.empty()) {
      destination.copy_(file.at(whole).narrow(1, 0, target.size(1)));
    } else {
      const at::Tensor& source = file.at(name);
      const bool is_half = source.sizes() != target.sizes();
      destination.copy_(is_half ? source.narrow(1, source.size(1) - target.size(1), target.size(1))
                                : source);
    }
  }
}

}  // namespace headroom::models
