#pragma once
// How the trainer makes the network that the settings name; `app` hands in the one of models/.

#include <functional>
#include <memory>

#include "core/base/settings.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

/// classes and channels are resolved (not 0). Weights are drawn from LibTorch's default generator,
/// seeded by the caller.
using ModelFactory = std::function<std::shared_ptr<StagedModel>(const base::ModelSettings&)>;

}  // namespace headroom::train
