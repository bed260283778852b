#pragma once
// A trained model as a file: weights by the names of a plain U-Net, and all that a prediction needs
// to know. Safetensors.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/class_mapping.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample.hpp"
#include "core/train/model_factory.hpp"
#include "core/train/staged_model.hpp"

namespace headroom::train {

/// Version of the metadata below; a file of a newer one is refused.
inline constexpr std::int64_t kModelFileVersion = 2;

struct ModelDescription {
  base::ModelSettings model{};   ///< classes and channels resolved
  base::ClassMapping mapping{};  ///< with the class names
  data::Normalisation normalisation{};
  base::Precision precision = base::Precision::fp32;  ///< in which it was trained: fp32 or bf16
  std::int64_t tile_height = 0, tile_width = 0;       ///< on which it was trained
  std::int64_t step = 0;
};

/// Writes atomically; returns the bytes written. Throws base::Error (io).
std::int64_t save_model_file(const std::filesystem::path& path, const ModelDescription& description,
                             const StagedModel& model);

struct LoadedModel {
  ModelDescription description{};
  std::shared_ptr<StagedModel> model{};  ///< on the CPU, in evaluation mode
};

/// Throws base::Error: io; usage for a file that is damaged, no model of ours, or of a newer
/// version.
[[nodiscard]] LoadedModel load_model_file(const std::filesystem::path& path,
                                          const ModelFactory& make_model);
[[nodiscard]] ModelDescription load_model_description(const std::filesystem::path& path);

}  // namespace headroom::train
