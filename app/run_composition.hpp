#pragma once
// Puts a run together: the training session of core/train with the data of core/formats and the
// network of models/, and the record of core/run. What the controller calls when a run starts;
// command line, dashboard and tools use the same.

#include "app/dataset_scan.hpp"
#include "core/run/controller.hpp"

namespace headroom::app {

/// `on_progress` is called on the worker thread while the data is scanned; may be empty.
[[nodiscard]] run::SessionFactory make_session_factory(ScanProgressFunction on_progress);

}  // namespace headroom::app
