#pragma once
// A trained model, ready to predict. Owned and called by one thread.

#include <filesystem>
#include <memory>
#include <stop_token>

#include "app/given_settings.hpp"
#include "core/train/model_file.hpp"
#include "core/train/predictor.hpp"

namespace headroom::app {

/// `run_or_file` as the command line takes it: a model file as it is; of a run folder the best
/// model, or the last one where none was validated yet. Throws base::Error (usage) where it is
/// neither or the run has no model.
[[nodiscard]] std::filesystem::path find_model_file(const std::filesystem::path& run_or_file);

class ModelInUse {
 public:
  /// Device, threads, precision, memory format and budget from `given`; precision otherwise as the
  /// model was trained. Throws base::Error.
  ModelInUse(const std::filesystem::path& model_file, const GivenSettings& given);

  [[nodiscard]] const train::ModelDescription& description() const { return loaded_.description; }
  [[nodiscard]] train::Predictor& predictor() { return *predictor_; }

 private:
  train::LoadedModel loaded_;
  std::unique_ptr<train::Predictor> predictor_;
};

}  // namespace headroom::app
