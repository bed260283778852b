#include "core/formats/dicom_segmentation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>

#include "core/data/pixel_dispatch.hpp"
#include "core/formats/dicom_file.hpp"
#include "core/formats/read_error.hpp"

namespace headroom::formats {

namespace {

constexpr const char* kIntactCopy = "replace it with an intact copy";

std::optional<FramePlacement> place(const DicomHeader& segmentation, std::size_t frame,
                                    const VolumeGeometry& grid) {
  const VolumeGeometry geometry = frame_geometry(segmentation, frame);
  if (!geometry.affine) return std::nullopt;
  return place_frame(*geometry.affine, segmentation.height, segmentation.width, grid);
}

/// Frames that are there and described.
std::size_t usable_frames(const DicomHeader& segmentation) {
  return std::min(segmentation.frames.size(), static_cast<std::size_t>(segmentation.frame_count));
}

std::map<std::int64_t, std::uint16_t> codes_by_number(const DicomHeader& segmentation,
                                                      const std::vector<std::string>& names) {
  std::map<std::int64_t, std::uint16_t> codes;
  for (const DicomSegment& segment : segmentation.segments) {
    const auto at = std::ranges::find(names.begin() + 1, names.end(), segment.label);
    codes[segment.number] = static_cast<std::uint16_t>(at - names.begin());
  }
  return codes;
}

class SegmentationReader {
 public:
  SegmentationReader(const std::filesystem::path& file, const DicomHeader& segmentation,
                     const VolumeGeometry& grid, const std::vector<std::string>& names)
      : file_(file),
        segmentation_(segmentation),
        grid_(grid),
        codes_(codes_by_number(segmentation, names)) {
    volume_.codes = {.sizes = grid.sizes, .channels = 1, .type = base::PixelType::u16};
    volume_.codes.values.resize(static_cast<std::size_t>(
        require_memory(file, grid.sizes[2] * grid.sizes[1], grid.sizes[0], sizeof(std::uint16_t))));
  }

  SegmentedVolume run() {
    require_type();
    const std::unique_ptr<RasterFile> pixels = open_dicom(file_);
    const std::int64_t frames = pixels->info().pages;
    if (frames > static_cast<std::int64_t>(segmentation_.frames.size())) {
      fail_reading(
          file_,
          fmt::format("it has {} frames and describes {}", frames, segmentation_.frames.size()),
          kIntactCopy);
    }
    // By segment, so that of several at one voxel the last one has it.
    std::vector<std::int64_t> order(static_cast<std::size_t>(frames));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {},
                             [&](std::int64_t frame) { return frame_at(frame).segment; });
    for (const std::int64_t frame : order) add_frame(frame, pixels->read(frame));
    return std::move(volume_);
  }

 private:
  [[nodiscard]] const DicomFrame& frame_at(std::int64_t frame) const {
    return segmentation_.frames[static_cast<std::size_t>(frame)];
  }

  void require_type() {
    if (segmentation_.segmentation_type == "BINARY") return;
    if (segmentation_.segmentation_type == "FRACTIONAL" && segmentation_.most_fractional > 0) {
      least_ = (segmentation_.most_fractional + 1) / 2;
      return;
    }
    fail_reading(
        file_,
        fmt::format("it is a segmentation of the type '{}'{}", segmentation_.segmentation_type,
                    segmentation_.segmentation_type == "FRACTIONAL"
                        ? " without MaximumFractionalValue"
                        : ""),
        "save it as a BINARY or FRACTIONAL segmentation, or as a NIfTI volume");
  }

  void add_frame(std::int64_t index, const base::Image& image) {
    const DicomFrame& frame = frame_at(index);
    const auto code = codes_.find(frame.segment);
    if (code == codes_.end()) {
      fail_reading(file_,
                   fmt::format("frame {} is of segment {}, which it does not list", index + 1,
                               frame.segment),
                   kIntactCopy);
    }
    const auto placement = place(segmentation_, static_cast<std::size_t>(index), grid_);
    if (!placement) refuse_place(index);
    data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
      fill(data::values_of<T>(image), *placement, code->second);
    });
  }

  [[noreturn]] void refuse_place(std::int64_t index) const {
    const DicomFrame& frame = frame_at(index);
    if (!frame.plane) {
      fail_reading(file_, fmt::format("frame {} has no position or orientation", index + 1),
                   "save it with positions, or as a NIfTI volume");
    }
    const VolumeGeometry shown = frame_geometry(segmentation_, static_cast<std::size_t>(index));
    fail_reading(file_,
                 fmt::format("frame {} ({}) does not lie on the voxels of its image ({})",
                             index + 1, describe(shown), describe(grid_)),
                 "give the series that was segmented, or resample the segmentation to its grid");
  }

  template <typename T>
  void fill(const T* values, const FramePlacement& placement, std::uint16_t code) {
    auto* codes = reinterpret_cast<std::uint16_t*>(volume_.codes.values.data());
    const auto distance = [&](const VoxelCounts& step) {
      return step[0] + grid_.sizes[0] * (step[1] + grid_.sizes[1] * step[2]);
    };
    const std::int64_t column = distance(placement.column_step);
    const std::int64_t row = distance(placement.row_step);
    std::int64_t first = distance(placement.first);
    for (std::int64_t y = 0; y < segmentation_.height; ++y, first += row) {
      for (std::int64_t x = 0; x < segmentation_.width; ++x, ++values) {
        if (static_cast<std::int64_t>(*values) < least_) continue;
        std::uint16_t& voxel = codes[first + x * column];
        volume_.overlapping_voxels += voxel != 0 && voxel != code ? 1 : 0;
        voxel = code;
      }
    }
  }

  const std::filesystem::path& file_;
  const DicomHeader& segmentation_;
  const VolumeGeometry& grid_;
  const std::map<std::int64_t, std::uint16_t> codes_;
  std::int64_t least_ = 1;  ///< value that belongs to the segment
  SegmentedVolume volume_;
};

}  // namespace

void add_segment_names(const DicomHeader& segmentation, std::vector<std::string>& names) {
  for (const DicomSegment& segment : segmentation.segments) {
    const bool is_new = std::find(names.begin() + 1, names.end(), segment.label) == names.end();
    if (is_new) names.push_back(segment.label);
  }
}

VolumeGeometry frame_geometry(const DicomHeader& segmentation, std::size_t frame) {
  VolumeGeometry geometry{.sizes = {segmentation.width, segmentation.height, 1}};
  const std::optional<DicomPlane>& plane = segmentation.frames.at(frame).plane;
  if (!plane) return geometry;
  std::array<double, 3> step = normal_of(*plane);
  for (double& value : step) value *= plane->thickness;
  geometry.affine = affine_of(*plane, step);
  return geometry;
}

bool fits_grid(const DicomHeader& segmentation, const VolumeGeometry& grid) {
  for (std::size_t frame = 0; frame < usable_frames(segmentation); ++frame) {
    if (!place(segmentation, frame, grid)) return false;
  }
  return true;
}

SegmentedVolume read_segmentation(const std::filesystem::path& file,
                                  const DicomHeader& segmentation, const VolumeGeometry& grid,
                                  const std::vector<std::string>& names) {
  return SegmentationReader(file, segmentation, grid, names).run();
}

}  // namespace headroom::formats
