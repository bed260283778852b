#include "core/formats/voxel_volume.hpp"

#include <array>
#include <cstring>

namespace headroom::formats {

namespace {

std::int64_t voxel_bytes(const VoxelVolume& volume) {
  return volume.channels * base::bytes_of(volume.type);
}

/// Bytes from a voxel to the next one along i, j and k.
std::array<std::int64_t, 3> strides_of(const VoxelVolume& volume) {
  const std::int64_t voxel = voxel_bytes(volume);
  return {voxel, voxel * volume.sizes[0], voxel * volume.sizes[0] * volume.sizes[1]};
}

struct StridedRow {
  const std::byte* first = nullptr;
  std::int64_t stride_bytes = 0;
};

void copy_row(const StridedRow& from, std::int64_t count, std::int64_t voxel, std::byte* to) {
  const auto bytes = static_cast<std::size_t>(voxel);
  if (from.stride_bytes == voxel) {
    std::memcpy(to, from.first, static_cast<std::size_t>(count) * bytes);
    return;
  }
  for (std::int64_t n = 0; n < count; ++n)
    std::memcpy(to + n * voxel, from.first + n * from.stride_bytes, bytes);
}

}  // namespace

base::Image slice_of(const VoxelVolume& volume, SliceAxis axis, std::int64_t page) {
  const SliceShape shape = slice_shape(volume.sizes, axis);
  const auto strides = strides_of(volume);
  const std::int64_t voxel = voxel_bytes(volume);
  const std::int64_t along = strides[static_cast<std::size_t>(axis)];
  const std::int64_t column = axis == SliceAxis::i ? strides[1] : strides[0];
  const std::int64_t row = axis == SliceAxis::k ? strides[1] : strides[2];
  base::Image image{.height = shape.height,
                    .width = shape.width,
                    .channels = volume.channels,
                    .type = volume.type};
  image.pixels.resize(static_cast<std::size_t>(shape.height * shape.width * voxel));
  for (std::int64_t y = 0; y < shape.height; ++y) {
    copy_row({volume.values.data() + page * along + y * row, column}, shape.width, voxel,
             image.pixels.data() + y * shape.width * voxel);
  }
  return image;
}

VoxelVolume reordered(VoxelVolume volume, const AxisMap& map) {
  if (map == AxisMap{}) return volume;
  const auto strides = strides_of(volume);
  const std::int64_t voxel = voxel_bytes(volume);
  VoxelVolume result{.channels = volume.channels, .type = volume.type};
  std::array<std::int64_t, 3> step{};
  std::int64_t first = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t along = map.axis.at(a);
    result.sizes.at(a) = volume.sizes.at(along);
    step.at(a) = map.is_reversed.at(a) ? -strides.at(along) : strides.at(along);
    if (map.is_reversed.at(a)) first += strides.at(along) * (volume.sizes.at(along) - 1);
  }
  result.values.resize(volume.values.size());
  std::byte* to = result.values.data();
  for (std::int64_t k = 0; k < result.sizes[2]; ++k) {
    for (std::int64_t j = 0; j < result.sizes[1]; ++j) {
      copy_row({volume.values.data() + first + k * step[2] + j * step[1], step[0]}, result.sizes[0],
               voxel, to);
      to += result.sizes[0] * voxel;
    }
  }
  return result;
}

}  // namespace headroom::formats
