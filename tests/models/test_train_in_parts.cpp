// A micro-batch that is computed in parts.

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/base/image.hpp"
#include "core/train/optimizer.hpp"
#include "core/train/train_step.hpp"
#include "models/unet.hpp"

namespace headroom::models {
namespace {

/// Without anything that looks at several tiles, parts give the gradients of the whole.
TEST(TrainStepInParts, NormOfEachTileAndCrossEntropy_GivesTheGradientsOfTheWholeBatch) {
  const auto gradients = [](std::int64_t tiles_at_once, std::int64_t accumulate, double& loss) {
    base::ModelSettings settings;
    settings.levels = 3;
    settings.base_channels = 4;
    settings.channels = 1;
    settings.classes = 2;
    settings.norm = base::NormKind::instance;
    at::manual_seed(5);
    const auto model = make_model(settings);
    std::vector<std::pair<std::string, at::Tensor>> parameters;
    for (const auto& item : model->named_parameters()) {
      parameters.emplace_back(item.key(), item.value());
    }
    train::Optimizer optimizer(parameters, {});
    train::TrainStep step(*model, optimizer,
                          {.loss = base::LossKind::ce, .accumulate = accumulate});
    step.set_tiles_at_once(tiles_at_once);
    const auto next = [](std::int64_t index, const std::stop_token&) {
      constexpr std::int64_t kTiles = 5, kSide = 16;
      data::HostBatch batch{kTiles, kSide, kSide, 1};
      for (std::int64_t i = 0; i < kTiles * kSide * kSide; ++i) {
        const std::int64_t tile = i / (kSide * kSide);
        batch.pixels.push_back(static_cast<float>(std::sin(0.3 * static_cast<double>(i + index))));
        // Most of the second tile is ignored, and all of the last.
        const bool is_ignored = (tile == 1 && i % 9 != 0) || tile == 4;
        batch.labels.push_back(is_ignored ? base::kIgnoreLabel
                                          : static_cast<std::uint8_t>(i / 7 % 2));
      }
      return batch;
    };
    loss = step.run(1, 1e-3, next, {}).loss;
    std::vector<at::Tensor> found;
    for (const at::Tensor& parameter : model->parameters()) found.push_back(parameter.grad());
    return found;
  };
  for (const std::int64_t accumulate : {1, 2}) {
    double whole_loss = 0, loss = 0;
    const std::vector<at::Tensor> whole = gradients(0, accumulate, whole_loss);
    for (const std::int64_t tiles : {1, 2, 3}) {
      const std::vector<at::Tensor> parts = gradients(tiles, accumulate, loss);
      EXPECT_NEAR(loss, whole_loss, 1e-5);
      for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_TRUE(at::allclose(parts[i], whole[i], 1e-3, 1e-5)) << "parameter " << i;
      }
    }
  }
}

}  // namespace
}  // namespace headroom::models
