#include "app/model_use.hpp"

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/memory/meter.hpp"
#include "core/run/run_folder.hpp"
#include "core/train/device.hpp"
#include "core/train/model_setup.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

/// What was trained in bf16 runs in it where the device computes in it, and in fp32 elsewhere.
base::Precision usual_precision(base::Precision trained_in) {
  return trained_in == base::Precision::bf16 ? base::Precision::automatic : base::Precision::fp32;
}

}  // namespace

fs::path find_model_file(const fs::path& run_or_file) {
  if (fs::is_regular_file(run_or_file)) return run_or_file;
  static_cast<void>(run::read_run_description(run_or_file));
  for (const char* name : {"model_best.safetensors", "model_last.safetensors"}) {
    if (fs::exists(run_or_file / name)) return run_or_file / name;
  }
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "looking for the model of a run",
                     .subject = base::display_path(run_or_file) + " has none yet",
                     .remedy = "Let the run reach its first validation or save"});
}

ModelInUse::ModelInUse(const fs::path& model_file, const GivenSettings& given)
    : loaded_(train::load_model_file(model_file, models::make_model)) {
  const train::ModelDescription& description = loaded_.description;
  base::StepSettings step = given.applied_to({}).step;
  if (!given.has_flag("precision")) step.precision = usual_precision(description.precision);
  const train::Compute compute = train::set_up_compute(step);
  train::place_model(*loaded_.model, compute);
  memory::meter_of(compute.device)
      .set_budget(train::resolve_budget(step.budget_bytes, compute.device));
  predictor_ = std::make_unique<train::Predictor>(
      *loaded_.model, train::PredictorOptions{.device = compute.device,
                                              .precision = compute.precision,
                                              .memory_format = compute.memory_format,
                                              .normalisation = description.normalisation,
                                              .tile_height = description.tile_height,
                                              .tile_width = description.tile_width});
}

}  // namespace headroom::app
