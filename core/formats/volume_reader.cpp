#include "core/formats/volume_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/base/io_error.hpp"
#include "core/formats/dicom_segmentation.hpp"
#include "core/formats/nifti_file.hpp"
#include "core/formats/read_error.hpp"

namespace headroom::formats {

VolumeReader::VolumeReader(std::filesystem::path root, std::vector<VolumePair> volumes,
                           std::int64_t max_bytes)
    : root_(std::move(root)), volumes_(std::move(volumes)), max_bytes_(max_bytes) {
  std::vector<std::string> names = {"background"};
  for (const VolumePair& volume : volumes_) {
    if (volume.labels.segmentation) add_segment_names(*volume.labels.segmentation, names);
  }
  names_ = std::make_shared<const std::vector<std::string>>(std::move(names));
}

base::Image VolumeReader::image_slice(std::int64_t volume, std::int64_t page) const {
  const VolumePair& from = pair(volume);
  if (from.axis != SliceAxis::k || !from.image.has_direct_slices)
    return slice_of(get({volume, Part::image})->voxels, from.axis, page);
  if (!from.image.series) return read_image(root_ / from.image.path, {.page = page});
  const auto at = static_cast<std::size_t>(page);
  return read_image(root_ / from.image.series->files.at(at),
                    {.page = from.image.series->frames.at(at)});
}

MaskPixels VolumeReader::label_slice(std::int64_t volume, std::int64_t page) const {
  const VolumePair& from = pair(volume);
  const Shared decoded = get({volume, Part::labels});
  MaskPixels mask{.file = root_ / from.labels.file,
                  .image = slice_of(decoded->voxels, from.axis, page)};
  mask.window = {.width = mask.image.width, .height = mask.image.height};
  if (from.labels.segmentation) {
    mask.coding = MaskCoding::name;
    mask.names = names_;
  }
  return mask;
}

std::int64_t VolumeReader::overlapping_voxels(std::int64_t volume) const {
  return get({volume, Part::labels})->overlapping_voxels;
}

VolumeReader::Shared VolumeReader::get(Key key) const {
  std::promise<Shared> promise;
  std::shared_future<Shared> decoded;
  bool is_new = false;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, was_added] = entries_.try_emplace(key);
    is_new = was_added;
    if (is_new) entry->second.decoded = promise.get_future().share();
    entry->second.last_use = ++uses_;
    decoded = entry->second.decoded;
  }
  if (is_new) {
    try {
      const auto volume = std::make_shared<const Decoded>(decode(key));
      keep(key, volume->voxels.byte_size());
      promise.set_value(volume);
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }
  return decoded.get();
}

/// Lets those go that were not used for longest.
void VolumeReader::keep(Key key, std::int64_t bytes) const {
  std::vector<std::shared_future<Shared>> evicted;  // freed after the lock is released
  const std::lock_guard lock(mutex_);
  entries_.at(key).bytes = bytes;
  std::int64_t total = 0;
  for (const auto& [other, entry] : entries_) total += entry.bytes;
  while (total > max_bytes_) {
    auto oldest = entries_.end();
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      const bool can_go = entry->first != key && entry->second.bytes > 0;
      if (can_go && (oldest == entries_.end() || entry->second.last_use < oldest->second.last_use))
        oldest = entry;
    }
    if (oldest == entries_.end()) return;
    total -= oldest->second.bytes;
    evicted.push_back(std::move(oldest->second.decoded));
    entries_.erase(oldest);
  }
}

VolumeReader::Decoded VolumeReader::decode(Key key) const {
  const VolumePair& from = pair(key.first);
  if (key.second == Part::image) {
    return {.voxels = from.image.series ? stack_series(*from.image.series)
                                        : read_nifti_volume(root_ / from.image.path)};
  }
  const std::filesystem::path file = root_ / from.labels.file;
  if (from.labels.segmentation) {
    SegmentedVolume segmented =
        read_segmentation(file, *from.labels.segmentation, from.image.geometry, *names_);
    return {.voxels = std::move(segmented.codes),
            .overlapping_voxels = segmented.overlapping_voxels};
  }
  VoxelVolume labels = read_nifti_volume(file);
  if (labels.channels != 1) {
    fail_reading(file, fmt::format("it has {} values per voxel", labels.channels),
                 "give labels with one class id per voxel");
  }
  return {.voxels = reordered(std::move(labels), from.labels.from_image)};
}

VoxelVolume VolumeReader::stack_series(const DicomSeries& series) const {
  VoxelVolume volume{.sizes = series.geometry.sizes};
  std::unique_ptr<RasterFile> opened;
  for (std::size_t slice = 0; slice < series.files.size(); ++slice) {
    const std::filesystem::path file = root_ / series.files[slice];
    // A file of many frames is decoded whole when it is opened.
    if (slice == 0 || series.files[slice] != series.files[slice - 1])
      opened = open_raster_file(file);
    const std::int64_t frame = series.frames[slice];
    const base::Image image = as_image({opened->info(frame), opened->read(frame)}, {});
    const std::int64_t pixel_bytes = image.channels * base::bytes_of(image.type);
    if (slice == 0) {
      volume.channels = image.channels;
      volume.type = image.type;
      volume.values.reserve(static_cast<std::size_t>(
          require_memory(file, volume.sizes[2] * volume.sizes[1], volume.sizes[0], pixel_bytes)));
    }
    const bool is_alike = image.width == volume.sizes[0] && image.height == volume.sizes[1] &&
                          image.channels == volume.channels && image.type == volume.type;
    if (!is_alike) {
      fail_reading(file,
                   fmt::format("it has {} bands of {}, {} has {} of {}", image.channels,
                               base::name_of(image.type), base::display_path(series.files.front()),
                               volume.channels, base::name_of(volume.type)),
                   "give --slice-axis k, or save the series with one depth and scale");
    }
    volume.values.insert(volume.values.end(), image.pixels.begin(), image.pixels.end());
  }
  return volume;
}

}  // namespace headroom::formats
