#pragma once
// One slice of a volume, scanned like a sample of files. Any thread; different slices at once.

#include <filesystem>

#include "core/formats/layout.hpp"
#include "core/formats/scanned_sample.hpp"
#include "core/formats/volume_reader.hpp"

namespace headroom::formats {

/// `slice` is one of slices_of. The first slice of a volume has the digests of all its files and
/// what is to be said of the whole; what is wrong is a finding, not an exception.
[[nodiscard]] ScannedSample scan_slice(const std::filesystem::path& root, const FilePair& slice,
                                       const VolumeReader& volumes);

}  // namespace headroom::formats
