#pragma once
// Which images `predict` reads and which files it writes for each. Any one thread.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/formats/raster_parts.hpp"

namespace headroom::app {

struct PredictionJob {
  /// Too large to be predicted, written or drawn in one piece.
  [[nodiscard]] bool is_large() const { return formats::parts_of(raster).size() > 1; }

  std::filesystem::path input{};
  std::filesystem::path labels{};   ///< .tif where the input is a georeferenced TIFF or is read by
                                    ///< parts, else .png
  std::filesystem::path overlay{};  ///< .png
  formats::RasterInfo raster{};
  formats::AlphaBand alpha =
      formats::AlphaBand::keep;  ///< so that the bands are the model's channels
};

/// The files among `inputs`, and the images in its folders and their subfolders (hidden ones left
/// out), which keep their place under `out`. Files that would share a name keep their extension in
/// it. Reads headers only. Throws base::Error: unusable_data for an input that is not there, a
/// folder without images, a file that is no image or has other bands than `channels`; usage when
/// two inputs would still share a name.
[[nodiscard]] std::vector<PredictionJob> plan_predictions(
    const std::vector<std::filesystem::path>& inputs, const std::filesystem::path& out,
    std::int64_t channels);

}  // namespace headroom::app
