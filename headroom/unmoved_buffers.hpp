#pragma once
// Keeps a module's buffers as they are while its forward runs again. Internal to the library; used
// by the thread that repeats.

#include <torch/nn/module.h>

#include <vector>

namespace headroom {

/// For its scope the module's buffers lie in copies of their values. Afterwards they lie where they
/// lay before, which what autograd saved of them in forward still shares.
class UnmovedBuffers {
 public:
  /// Does nothing where not `is_repeating`.
  UnmovedBuffers(const torch::nn::Module& module, bool is_repeating);
  ~UnmovedBuffers();
  UnmovedBuffers(const UnmovedBuffers&) = delete;
  UnmovedBuffers& operator=(const UnmovedBuffers&) = delete;

 private:
  std::vector<at::Tensor> buffers_, originals_;
};

}  // namespace headroom
