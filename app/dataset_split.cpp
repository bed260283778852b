#include "app/dataset_split.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/text_number.hpp"
#include "core/formats/blocks.hpp"
#include "core/formats/leak_check.hpp"

namespace headroom::app {
namespace {

void append(std::vector<base::Finding>& all, std::vector<base::Finding> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// So many that a share of them, or a fold, is a block at least.
std::int64_t wanted_blocks(const base::DataSettings& data) {
  if (data.folds > 0) return data.folds;
  const double share = base::parse_real(data.split).value_or(data::kUsualShare);
  return std::llround(std::ceil(1 / std::min(share, 1 - share)));
}

}  // namespace

data::SplitResult split_dataset(formats::Dataset& dataset, const base::Settings& settings,
                                const ScanProgressFunction& on_progress, std::stop_token stop) {
  if (settings.data.split_by == "blocks") {
    formats::cut_into_blocks(dataset,
                             {.tile_height = settings.step.tile_height,
                              .tile_width = settings.step.tile_width,
                              .wanted = wanted_blocks(settings.data),
                              .threads = idle_cores()},
                             on_progress, std::move(stop));
  }
  data::SplitResult result = data::make_split(dataset.samples, data::split_options(settings));
  append(result.findings, data::find_unlearnable_classes(result.split, dataset.class_pixels,
                                                         dataset.mapping.class_names));
  append(result.findings, formats::find_leaks(dataset, result.split));
  return result;
}

}  // namespace headroom::app
