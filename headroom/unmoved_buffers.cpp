#include "headroom/unmoved_buffers.hpp"

namespace headroom {

UnmovedBuffers::UnmovedBuffers(const torch::nn::Module& module, bool is_repeating) {
  if (!is_repeating) {
    return;
  }
  std::vector<at::Tensor> copies;  // all of them first: there may be no memory for one
  for (const at::Tensor& buffer : module.buffers()) {
    copies.push_back(buffer.detach().clone());
    originals_.push_back(buffer.variable_data());
  }
  // Copying values back would count as a change in place of a tensor that backward needs.
  buffers_ = module.buffers();
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    buffers_[i].set_data(copies[i]);
  }
}

UnmovedBuffers::~UnmovedBuffers() {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    buffers_[i].set_data(originals_[i]);
  }
}

}  // namespace headroom
