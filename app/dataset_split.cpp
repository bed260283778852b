#include "app/dataset_split.hpp"

#include <iterator>
#include <utility>

namespace headroom::app {

data::SplitResult split_dataset(formats::Dataset& dataset, const base::Settings& settings,
                                const ScanProgressFunction&, std::stop_token) {
  data::SplitResult result =
      data::make_split(dataset.samples, settings.data.split, settings.step.seed);
  auto unlearnable = data::find_unlearnable_classes(result.split, dataset.class_pixels,
                                                    dataset.mapping.class_names);
  result.findings.insert(result.findings.end(), std::make_move_iterator(unlearnable.begin()),
                         std::make_move_iterator(unlearnable.end()));
  return result;
}

}  // namespace headroom::app
