#pragma once
// The volumes of a folder tree and the labels that belong to them: DICOM series and NIfTI files,
// matched by where they lie in the patient, and by names where several lie there. Runs on a job
// thread.

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/volume_pair.hpp"

namespace headroom::formats {

struct VolumeSearch {
  std::vector<VolumePair> pairs{};  ///< by the image's name
  std::vector<base::Finding> findings{};
  std::vector<std::filesystem::path> unlabelled{};  ///< images without labels
  std::int64_t images = 0;                          ///< volumes, with labels or without
  std::int64_t label_volumes = 0;
  bool has_dicom_pair = false;  ///< of a series or a segmentation
};

/// Labels are DICOM SEG files, and NIfTI files whose own name or folder says so ("seg", "labels",
/// "mask"). Labels belong to an image whose grid they have, but for exchanged and reversed axes; a
/// SEG to the series that it names, where that is there. Of several, those count whose path has
/// most words in common with the image's, then those in its folder, then the first; the others are
/// findings, as are images and labels without a partner. Throws Error (interrupted) on stop.
[[nodiscard]] VolumeSearch find_volumes(const std::filesystem::path& root,
                                        std::optional<SliceAxis> wanted,
                                        const std::stop_token& stop);

/// Throws Error (unusable_data): what volumes and labels the folder holds, and why they make no
/// pair.
[[noreturn]] void fail_without_volume_pairs(const std::filesystem::path& root,
                                            const VolumeSearch& found);

}  // namespace headroom::formats
