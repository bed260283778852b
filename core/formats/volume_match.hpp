#pragma once
// Which labels belong to which volume of a folder. Pure; any thread.

#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/volume_pair.hpp"

namespace headroom::formats {

struct VolumeMatch {
  std::vector<VolumePair> pairs{};  ///< in the order of the images
  std::vector<base::Finding> findings{};
  std::vector<std::filesystem::path> unlabelled{};
};

/// The rule that find_volumes states.
[[nodiscard]] VolumeMatch match_volumes(const std::vector<VolumeImage>& images,
                                        const std::vector<VolumeLabels>& labels,
                                        std::optional<SliceAxis> wanted);

}  // namespace headroom::formats
