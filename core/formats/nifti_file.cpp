#include "core/formats/nifti_file.hpp"

#include <fmt/format.h>
#include <nifti2_io.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "core/formats/read_error.hpp"
#include "core/formats/stored_values.hpp"

namespace headroom::formats {

namespace {

struct FreeImage {
  void operator()(nifti_image* image) const { nifti_image_free(image); }
};
using NiftiImage = std::unique_ptr<nifti_image, FreeImage>;

struct FreeBuffer {
  void operator()(void* buffer) const { std::free(buffer); }
};

void silence_library() {
  static std::once_flag once;
  std::call_once(once, [] { nifti_set_debug_level(0); });
}

std::optional<StoredType> stored_type_of(int datatype) {
  switch (datatype) {
    case DT_UINT8:
    case DT_RGB24:
    case DT_RGBA32:
      return StoredType::u8;
    case DT_INT8:
      return StoredType::i8;
    case DT_UINT16:
      return StoredType::u16;
    case DT_INT16:
      return StoredType::i16;
    case DT_UINT32:
      return StoredType::u32;
    case DT_INT32:
      return StoredType::i32;
    case DT_UINT64:
      return StoredType::u64;
    case DT_INT64:
      return StoredType::i64;
    case DT_FLOAT32:
      return StoredType::f32;
    case DT_FLOAT64:
      return StoredType::f64;
    default:
      return std::nullopt;
  }
}

std::int64_t channels_of(int datatype) {
  return datatype == DT_RGB24 ? 3 : datatype == DT_RGBA32 ? 4 : 1;
}

/// A slope of 0 means that values are not scaled; colours never are.
ValueScaling scaling_of(const nifti_image& image) {
  if (image.scl_slope == 0 || channels_of(image.datatype) > 1) return {};
  return {image.scl_slope, image.scl_inter};
}

/// By sform, else by qform; nothing where both codes are 0.
std::optional<VoxelAffine> affine_of(const nifti_image& image) {
  if (image.sform_code <= 0 && image.qform_code <= 0) return std::nullopt;
  const nifti_dmat44& matrix = image.sform_code > 0 ? image.sto_xyz : image.qto_xyz;
  VoxelAffine affine{};
  for (std::size_t row = 0; row < affine.size(); ++row)
    std::copy_n(matrix.m[row], affine[row].size(), affine[row].begin());
  return affine;
}

/// Which of the dimensions 1 to 3 are columns, rows and slices.
struct SliceDimensions {
  std::size_t column = 1, row = 2, slice = 3;
};

SliceDimensions dimensions_of(SliceAxis axis) {
  switch (axis) {
    case SliceAxis::i:
      return {2, 3, 1};
    case SliceAxis::j:
      return {1, 3, 2};
    case SliceAxis::k:
      break;
  }
  return {1, 2, 3};
}

class NiftiFile final : public RasterFile {
 public:
  NiftiFile(std::filesystem::path path, SliceAxis axis)
      : RasterFile(std::move(path)),
        dimensions_(dimensions_of(axis)),
        image_(nifti_image_read(file().c_str(), 0)) {
    if (!image_) {
      fail_reading(file(), "its NIfTI header or the file with its values cannot be read",
                   "give it the extension .nii or .nii.gz, put the .img file beside its .hdr, or "
                   "replace it with an intact copy");
    }
    const auto type = stored_type_of(image_->datatype);
    if (!type) {
      fail_reading(
          file(),
          fmt::format("its values are of the type {}", nifti_datatype_string(image_->datatype)),
          "save it as integers or real numbers of up to 64 bits");
    }
    type_ = *type;
    // The library puts 0 in the place of NaN and infinity where it knows of real numbers; integers
    // of the same size it leaves as they are.
    if (type_ == StoredType::f32) image_->datatype = DT_INT32;
    if (type_ == StoredType::f64) image_->datatype = DT_INT64;
    require_sizes();
  }

  [[nodiscard]] NiftiShape shape() const {
    NiftiShape shape{
        .geometry = {.sizes = {size(1), size(2), size(3)}, .affine = affine_of(*image_)},
        .is_compressed = nifti_is_gzfile(image_->iname) != 0};
    for (std::size_t dimension = 4; dimension <= 7; ++dimension) shape.further *= size(dimension);
    return shape;
  }

  [[nodiscard]] VoxelVolume volume() {
    const NiftiShape all = shape();
    const std::int64_t colours = channels_of(image_->datatype);
    if (colours > 1 && all.further > 1)
      fail_reading(file(), "it holds colours in more than three dimensions",
                   "split it by dimension");
    VoxelVolume volume{.sizes = all.geometry.sizes,
                       .channels = colours * all.further,
                       .type = held_type(type_, range_of(type_), scaling_of(*image_))};
    const std::int64_t held_bytes = base::bytes_of(volume.type);
    const std::int64_t voxels = size(1) * size(2) * size(3);
    volume.values.resize(static_cast<std::size_t>(
        require_memory(file(), size(3) * size(2), size(1), volume.channels * held_bytes)));
    DimensionRange range;
    range.count = {size(1), size(2), size(3), 1, 1, 1, 1};
    for (std::int64_t band = 0; band < all.further; ++band) {
      set_further(range, band);
      read_range(range, voxels * colours,
                 {.first = volume.values.data() + band * held_bytes,
                  .type = volume.type,
                  .stride = all.further});
    }
    return volume;
  }

 private:
  /// Indices by dimension less 1, as the library wants them.
  struct DimensionRange {
    std::array<std::int64_t, 7> first{}, count{};
  };

  [[nodiscard]] std::int64_t size(std::size_t dimension) const {
    return static_cast<std::size_t>(image_->ndim) >= dimension
               ? std::max<std::int64_t>(1, image_->dim[dimension])
               : 1;
  }

  void require_sizes() {
    double voxels = 1;
    for (std::size_t dimension = 1; dimension <= 7; ++dimension)
      voxels *= static_cast<double>(size(dimension));
    constexpr double kMostVoxels = 1e15;
    if (voxels > kMostVoxels) fail_damaged(file(), "its dimensions are too large");
    if (nifti_is_gzfile(image_->iname) == 0) {
      require_file_size();
    } else {
      require_possible_size();
    }
    if (size(1) == 1 && size(2) == 1) {
      fail_reading(file(), "its first two dimensions are 1, so it holds no picture",
                   "give a volume of voxels");
    }
  }

  void require_file_size() const {
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(image_->iname, failure);
    if (failure)
      fail_reading(file(), "the file with its values cannot be read", "put it beside the header");
    if (static_cast<std::int64_t>(bytes) < image_->iname_offset + nifti_get_volsize(image_.get()))
      fail_damaged(file(), "fewer values than its header says");
  }

  /// Deflate packs 258 bytes into 2 bits at best.
  void require_possible_size() {
    constexpr double kMostRatio = 1032;
    std::error_code failure;
    const auto bytes = std::filesystem::file_size(image_->iname, failure);
    const auto values = static_cast<double>(nifti_get_volsize(image_.get()));
    if (!failure && values > kMostRatio * static_cast<double>(bytes))
      fail_damaged(file(), "fewer values than its header says");
  }

  [[nodiscard]] std::int64_t do_pages() const override {
    std::int64_t pages = size(dimensions_.slice);
    for (std::size_t dimension = 4; dimension <= 7; ++dimension) pages *= size(dimension);
    return pages;
  }

  [[nodiscard]] RasterInfo do_info(std::int64_t /*page*/) override {
    RasterInfo info;
    info.width = size(dimensions_.column);
    info.height = size(dimensions_.row);
    info.channels = channels_of(image_->datatype);
    info.type = held_type(type_, range_of(type_), scaling_of(*image_));
    info.affine = affine_of(*image_);
    info.format = "NIfTI";
    return info;
  }

  void do_read(std::int64_t page, const PixelWindow& window, base::Image& image) override {
    DimensionRange range;
    range.count.fill(1);
    range.first.at(dimensions_.column - 1) = window.left;
    range.count.at(dimensions_.column - 1) = window.width;
    range.first.at(dimensions_.row - 1) = window.top;
    range.count.at(dimensions_.row - 1) = window.height;
    range.first.at(dimensions_.slice - 1) = page % size(dimensions_.slice);
    set_further(range, page / size(dimensions_.slice));
    read_range(range, image.height * image.width * image.channels,
               {image.pixels.data(), image.type});
  }

  /// `index` counts through the dimensions beyond the third.
  void set_further(DimensionRange& range, std::int64_t index) const {
    for (std::size_t dimension = 4; dimension <= 7; ++dimension) {
      range.first.at(dimension - 1) = index % size(dimension);
      index /= size(dimension);
    }
  }

  void read_range(const DimensionRange& range, std::int64_t value_count, const HeldValues& to) {
    void* values = nullptr;
    const std::int64_t bytes =
        nifti_read_subregion_image(image_.get(), range.first.data(), range.count.data(), &values);
    const std::unique_ptr<void, FreeBuffer> owner(values);
    if (values == nullptr || bytes != value_count * bytes_of(type_)) fail_damaged(file());
    if (!convert_values({static_cast<const char*>(values), type_}, scaling_of(*image_), value_count,
                        to)) {
      fail_reading(file(), "a value has more than 32 bits",
                   "save it with values of up to 32 bits, or as float64");
    }
  }

  SliceDimensions dimensions_;
  NiftiImage image_;
  StoredType type_ = StoredType::u8;
};

}  // namespace

std::unique_ptr<RasterFile> open_nifti(const std::filesystem::path& file, SliceAxis axis) {
  silence_library();
  return std::make_unique<NiftiFile>(file, axis);
}

NiftiShape read_nifti_shape(const std::filesystem::path& file) {
  silence_library();
  require_readable(file);
  return NiftiFile(file, SliceAxis::k).shape();
}

VoxelVolume read_nifti_volume(const std::filesystem::path& file) {
  silence_library();
  require_readable(file);
  return NiftiFile(file, SliceAxis::k).volume();
}

}  // namespace headroom::formats
