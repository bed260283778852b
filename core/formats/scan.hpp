#pragma once
// A data folder understood: which file belongs to which, what the masks hold, what is wrong. Runs
// on a job thread; its own threads are gone when it returns.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/dataset_summary.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample.hpp"
#include "core/formats/annotation_set.hpp"
#include "core/formats/picture_digest.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/volume_reader.hpp"

namespace headroom::formats {

/// What `--layout` takes: "auto" and the layouts that are recognised.
[[nodiscard]] const std::vector<std::string>& layout_names();

struct ScanOptions {
  std::filesystem::path folder{};
  std::string layout = "auto";
  std::filesystem::path
      mapping_file{};  ///< JSON as base::parse_class_mapping reads it; empty: a classes.json of
                       ///< that form in the folder, else a mapping is proposed
  std::int64_t ignore_value = 255;  ///< mask value that means ignore where values are ids; -1: none
  base::MissingMasks missing_masks = base::MissingMasks::skip;
  std::optional<SliceAxis> slice_axis{};  ///< along which volumes are cut; nothing: axial, or as
                                          ///< the slices were taken
  std::int64_t threads = 2;
};

struct ScanProgress {
  std::int64_t samples_done = 0;
  std::int64_t samples = 0;
  double share_of_next = 0;  ///< of a large sample that is being read
};

/// By what a picture is known again.
struct SampleTraits {
  PictureDigest picture{};
  std::optional<GeoReference> geo{};  ///< of the image, also where the sample is a part of it
};

struct Dataset {
  base::DatasetSummary summary{};
  std::vector<data::Sample> samples{};  ///< by path, ascending
  std::vector<SampleTraits> traits{};   ///< [sample]
  base::ClassMapping mapping{};         ///< given or proposed
  AlphaBand alpha = AlphaBand::drop;    ///< keep when it tells something in any image
  std::shared_ptr<const AnnotationSet> annotations{};  ///< null where masks are rasters
  std::vector<std::vector<std::int64_t>>
      class_pixels{};  ///< [sample][class], ignored pixels left out
  std::vector<std::filesystem::path>
      unlabelled{};  ///< images without a mask that are no samples, relative to the folder
  std::uint8_t background = base::kIgnoreLabel;   ///< label of samples that have no mask
  std::shared_ptr<const VolumeReader> volumes{};  ///< of the samples that are slices; null: none
};

/// Scans a folder: pairs images and masks, cuts volumes into slices, reads every file once, counts
/// mask values, proposes or applies a mapping. Problems of single files are findings in the
/// summary. `progress` is called in the caller's thread. Throws Error: unusable_data when there is
/// no such folder, no masks, no pair or not the layout asked for; usage for an unknown layout or a
/// wrong mapping file; interrupted on stop.
[[nodiscard]] Dataset scan_dataset(const ScanOptions& options,
                                   const std::function<void(const ScanProgress&)>& progress = {},
                                   std::stop_token stop = {});

/// Throws Error (unusable_data) naming the first file of an error-level finding and how many more
/// there are.
void require_usable(const base::DatasetSummary& summary);

/// Reads samples as the scan understood them: mask through the mapping, valid area and missing
/// pixels as ignore.
[[nodiscard]] std::shared_ptr<const data::SampleReader> make_sample_reader(const Dataset& dataset);

}  // namespace headroom::formats
