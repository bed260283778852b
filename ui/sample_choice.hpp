#pragma once
// Which samples of a data folder a person wants to see. Pure; any thread.

#include <cstddef>
#include <string_view>
#include <vector>

#include "ui/data_folder.hpp"

namespace headroom::ui {

enum class SampleFilter { all, training, validation, with_findings };

/// Indices of the samples that pass, ascending; `text` is part of their id, in upper or lower case.
[[nodiscard]] std::vector<std::size_t> shown_samples(const DataFolder& data, SampleFilter filter,
                                                     std::string_view text);

/// The sample after `from` among `shown`, or before it where `step` is below 0; round the ends.
/// `from` where there is none.
[[nodiscard]] std::size_t neighbour(const std::vector<std::size_t>& shown, std::size_t from,
                                    int step);

}  // namespace headroom::ui
