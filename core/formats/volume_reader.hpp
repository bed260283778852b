#pragma once
// Slices of volumes and of their labels. A volume that cannot be read slice by slice (gzipped, cut
// across, labels in another order) is decoded once and kept, up to a bound of bytes. Any thread,
// several at once.

#include <cstdint>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/formats/mask_pixels.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/volume_pair.hpp"
#include "core/formats/voxel_volume.hpp"

namespace headroom::formats {

class VolumeReader {
 public:
  /// The volume in use is kept even where it is larger than `max_bytes`.
  VolumeReader(std::filesystem::path root, std::vector<VolumePair> volumes,
               std::int64_t max_bytes = std::int64_t{1} << 30);

  [[nodiscard]] const VolumePair& pair(std::int64_t volume) const {
    return volumes_.at(static_cast<std::size_t>(volume));
  }

  /// Throws Error (unusable_data) naming the file that cannot be read, or whose slices differ in
  /// size, bands or depth; a volume that failed fails again without being read.
  [[nodiscard]] base::Image image_slice(std::int64_t volume, std::int64_t page) const;
  /// In the order of the image's voxels. The coding is `value`, of segmentations `name`.
  [[nodiscard]] MaskPixels label_slice(std::int64_t volume, std::int64_t page) const;
  /// Voxels of the whole volume that lie in several segments.
  [[nodiscard]] std::int64_t overlapping_voxels(std::int64_t volume) const;

 private:
  enum class Part { image, labels };
  struct Decoded {
    VoxelVolume voxels{};
    std::int64_t overlapping_voxels = 0;
  };
  using Shared = std::shared_ptr<const Decoded>;
  using Key = std::pair<std::int64_t, Part>;
  struct Entry {
    std::shared_future<Shared> decoded{};
    std::int64_t bytes = 0;  ///< 0 while it is being decoded, and where that failed
    std::int64_t last_use = 0;
  };

  [[nodiscard]] Shared get(Key key) const;
  void keep(Key key, std::int64_t bytes) const;
  [[nodiscard]] Decoded decode(Key key) const;
  [[nodiscard]] VoxelVolume stack_series(const DicomSeries& series) const;

  const std::filesystem::path root_;
  const std::vector<VolumePair> volumes_;
  const std::int64_t max_bytes_;
  CodeNames names_;  ///< of all segmentations

  mutable std::mutex mutex_;  ///< guards all below
  mutable std::map<Key, Entry> entries_;
  mutable std::int64_t uses_ = 0;
};

}  // namespace headroom::formats
