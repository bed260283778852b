#pragma once
// Puts a run together: the training session of core/train with the data of core/formats and the
// network of models/, and the record of core/run. What the controller calls when a run starts;
// command line, dashboard and tools use the same.

#include <chrono>

#include "app/dataset_scan.hpp"
#include "core/run/controller.hpp"

namespace headroom::app {

struct CompositionOptions {
  /// Called on the worker thread while the data is scanned; may be empty.
  ScanProgressFunction on_progress{};
  /// As train::TrainingOptions has it.
  std::chrono::steady_clock::duration timeline_interval{};
  /// Reports of validations hold the first images, to be shown; they are files of the run anyway.
  bool with_previews = false;
};

[[nodiscard]] run::SessionFactory make_session_factory(CompositionOptions options);

}  // namespace headroom::app
