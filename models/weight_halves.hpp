#pragma once
// A convolution that a network keeps in two halves ("NAME.conv_a_skip.weight" for the skip,
// "NAME.conv_a.weight" for the rest) is one weight in every file: "NAME.conv_a.weight" [out, skip +
// rest, 3, 3], the skip's channels first.

#include "core/train/staged_model.hpp"

namespace headroom::models {

/// Parameters and buffers of `module`, the tensors themselves.
[[nodiscard]] train::NamedTensors named_tensors(const torch::nn::Module& module);

/// As files hold them: halves joined, contiguous, detached.
[[nodiscard]] train::NamedTensors join_halves(const train::NamedTensors& own);

/// Copies the tensors of a file into `own`. Throws base::Error (usage) naming a tensor that is
/// missing, unknown or of another shape; nothing is changed then.
void copy_into(const train::NamedTensors& own, const train::NamedTensors& file);

}  // namespace headroom::models
