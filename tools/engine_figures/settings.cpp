#include "tools/engine_figures/parts.hpp"

namespace headroom {

base::Settings reference_settings(const PartOptions& options) {
  base::Settings settings;
  settings.model.levels = 5;
  settings.model.base_channels = options.is_quick ? 4 : 32;
  settings.model.classes = 2;
  settings.model.channels = 3;
  settings.step.tile_height = settings.step.tile_width = options.is_quick ? 64 : 256;
  settings.step.batch = 2;
  settings.step.precision = base::Precision::fp32;
  settings.step.memory_format = base::MemoryFormat::channels_last;
  settings.step.device = "cpu";
  settings.step.threads = options.threads;
  settings.train.loss = base::LossKind::ce;
  return settings;
}

}  // namespace headroom
