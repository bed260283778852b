#pragma once
// One sample of a data folder as a person looks at it. Any thread.

#include <cstddef>
#include <string>

#include "core/data/sample.hpp"
#include "ui/data_folder.hpp"

namespace headroom::app {

struct SamplePicture {
  ui::SampleView view{};
  ui::SharedPicture thumbnail{};  ///< null: it cannot be shown
};

/// Decodes the whole sample and makes it small. What is wrong with it is a text in the view, not an
/// exception.
[[nodiscard]] SamplePicture read_sample_picture(const data::SampleReader& reader,
                                                const data::Sample& sample, std::size_t index);

}  // namespace headroom::app
