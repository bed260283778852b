#include "core/formats/volume_pair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/interruption.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/nifti_file.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

using base::Severity;

/// Nothing where it cannot be read; the scan of the file itself says why.
std::optional<NiftiShape> try_shape(const std::filesystem::path& file) {
  try {
    return read_nifti_shape(file);
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

void note_missing_directions(const VolumePair& pair, std::vector<base::Finding>& findings) {
  const bool image_tells = pair.image.geometry.affine.has_value();
  if (image_tells == pair.labels.geometry.affine.has_value()) return;
  const auto& silent = image_tells ? pair.labels.file : pair.image.path;
  findings.push_back(
      {Severity::warning, "no-directions", base::display_path(silent),
       fmt::format("its header tells no directions (qform and sform are 0), {} has "
                   "some; voxels are taken to lie on each other as they are stored",
                   base::display_path(image_tells ? pair.image.path : pair.labels.file))});
}

}  // namespace

bool is_nifti_name(const std::filesystem::path& file) {
  const std::string extension = lower_extension(file);
  return extension == ".nii" || (extension == ".gz" && lower_extension(file.stem()) == ".nii");
}

std::vector<std::filesystem::path> files_of(const VolumePair& pair) {
  std::vector<std::filesystem::path> files = {pair.image.path};
  if (pair.image.series) files = pair.image.series->files;
  std::ranges::sort(files);
  const auto repeated = std::ranges::unique(files);
  files.erase(repeated.begin(), repeated.end());
  files.push_back(pair.labels.file);
  return files;
}

SliceAxis slice_axis_of(const VolumeImage& image, std::optional<SliceAxis> wanted) {
  if (wanted) return *wanted;
  return image.series ? SliceAxis::k : axial_axis(image.geometry);
}

std::vector<FilePair> slices_of(const VolumePair& pair, std::int64_t volume) {
  const std::int64_t count = slice_shape(pair.image.geometry.sizes, pair.axis).pages;
  std::vector<FilePair> slices;
  slices.reserve(static_cast<std::size_t>(count));
  for (std::int64_t page = 0; page < count; ++page) {
    FilePair slice{.image = pair.image.path, .mask = pair.labels.file};
    if (count > 1) slice.page = page;
    slice.volume = volume;
    slices.push_back(std::move(slice));
  }
  return slices;
}

NamedVolumes take_named_volumes(const std::filesystem::path& root, std::vector<FilePair> pairs,
                                std::optional<SliceAxis> wanted, const std::stop_token& stop) {
  NamedVolumes named;
  for (FilePair& pair : pairs) {
    base::throw_if_stopped(stop, "reading the headers of volumes");
    const bool are_nifti = is_nifti_name(pair.image) && is_nifti_name(pair.mask);
    const auto image = are_nifti ? try_shape(root / pair.image) : std::nullopt;
    const auto labels = image ? try_shape(root / pair.mask) : std::nullopt;
    if (!labels || labels->further > 1 || pair.valid_area) {
      named.rest.push_back(std::move(pair));
      continue;
    }
    const auto map = match_grids(image->geometry, labels->geometry);
    if (!map) {
      named.findings.push_back(
          {Severity::error, "geometry-differs", base::display_path(pair.mask),
           fmt::format("it has {}, its image {} has {}; resample the labels to the image's grid",
                       describe(labels->geometry), base::display_path(pair.image),
                       describe(image->geometry))});
      continue;
    }
    VolumePair volume{
        .image = {.path = pair.image,
                  .name = base::display_path(pair.image),
                  .geometry = image->geometry,
                  .has_direct_slices = !image->is_compressed && image->further == 1},
        .labels = {.file = pair.mask, .geometry = labels->geometry, .from_image = *map}};
    volume.axis = slice_axis_of(volume.image, wanted);
    note_missing_directions(volume, named.findings);
    named.volumes.push_back(std::move(volume));
  }
  return named;
}

}  // namespace headroom::formats
