#pragma once
// The U-Net (Ronneberger et al. 2015) as named stages: enc1 … encN, decN-1 … dec1, and a head. Each
// stage is two 3x3 convolutions, each followed by a norm and ReLU; encoders begin with max pooling,
// decoders with a 2x2 up-convolution and the skip connection.
//
// A decoder's first convolution reads skip and upsampled halves apart and adds the results: the
// same sum as over their concatenation, which is never built. In files it is the one weight it is
// in every other U-Net: [out, skip + upsampled, 3, 3].

#include <memory>

#include "core/base/settings.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::models {

/// Makes the network that `settings` name; classes and channels are resolved. Weights are drawn
/// from LibTorch's default generator (He et al. 2015, for ReLU). Throws base::Error (usage) where
/// `settings.model` is no model of this layer.
[[nodiscard]] std::shared_ptr<train::StagedModel> make_model(const base::ModelSettings& settings);

}  // namespace headroom::models
