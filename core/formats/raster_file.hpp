#pragma once
// An image file of any format, opened for reading parts of it. The one interface behind which the
// formats stand.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"

namespace headroom::formats {

/// Where a raster lies on the ground.
struct GeoReference {
  std::string crs_wkt{};                 ///< empty when unknown
  std::array<double, 6> geotransform{};  ///< GDAL's order; x = g0 + column * g1 + row * g2
  friend bool operator==(const GeoReference&, const GeoReference&) = default;
};

/// Where a volume's voxels lie: rows x, y, z of a matrix that is multiplied with (i, j, k, 1), in
/// the file's unit, mostly mm.
using VoxelAffine = std::array<std::array<double, 4>, 3>;

enum class RasterKind { bands, palette };

/// One page of a file.
struct RasterInfo {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  ///< bands in the file, an alpha band included; 1 for a palette
  base::PixelType type = base::PixelType::u8;
  RasterKind kind = RasterKind::bands;
  std::vector<std::uint32_t> palette{};  ///< 0xRRGGBB by index
  bool has_alpha = false;                ///< the last band is alpha, says the file
  std::optional<double> nodata{};
  std::optional<GeoReference> geo{};
  std::optional<VoxelAffine> affine{};
  std::int64_t orientation =
      1;  ///< EXIF's; other than 1: viewers show the image turned. Pixels are read as stored
  base::BlockSize block{};  ///< what is decoded at once: a tile, some rows, or the whole page
  std::int64_t pages = 1;   ///< pages, frames or slices of the file
  std::string format{};     ///< GDAL's short driver name, "NPY", "NIfTI" or "DICOM"
};

using base::PixelWindow;

/// Which voxel index counts the pages of a volume; the other two are a page's columns and rows, in
/// this order. Files of pages know no other than `k`.
enum class SliceAxis { i, j, k };

/// One thread at a time; several objects may have the same file open.
class RasterFile {
 public:
  virtual ~RasterFile() = default;

  /// Of pages 0 … pages - 1, which may differ in all but their number.
  [[nodiscard]] RasterInfo info(std::int64_t page = 0);

  /// [window.height, window.width, channels] as stored: palette indices are not expanded, no band
  /// is left out. Of formats that allow it only the blocks are decoded that the window touches.
  /// Throws Error (unusable_data) when the file is damaged, the window does not fit into memory, or
  /// one block is larger than 1 GiB.
  [[nodiscard]] base::Image read(std::int64_t page, const PixelWindow& window);
  /// A whole page.
  [[nodiscard]] base::Image read(std::int64_t page = 0);

 protected:
  explicit RasterFile(std::filesystem::path file) : file_(std::move(file)) {}
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  void require_page(std::int64_t page) const;
  [[nodiscard]] virtual std::int64_t do_pages() const = 0;
  /// Without the number of pages; a block of {0, 0} is the whole page.
  [[nodiscard]] virtual RasterInfo do_info(std::int64_t page) = 0;
  /// Fills image.pixels, which has the window's size.
  virtual void do_read(std::int64_t page, const PixelWindow& window, base::Image& image) = 0;

  std::filesystem::path file_;
};

/// Recognises the format by the file's first bytes: NumPy, NIfTI (gzipped too), DICOM, else what
/// GDAL takes. Throws Error: unusable_data when it is no image that can be used, io when it cannot
/// be opened.
[[nodiscard]] std::unique_ptr<RasterFile> open_raster_file(const std::filesystem::path& file,
                                                           SliceAxis axis = SliceAxis::k);

}  // namespace headroom::formats
