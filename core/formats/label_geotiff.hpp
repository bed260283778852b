#pragma once
// Predicted labels of any size as a GeoTIFF, written window by window. Owned and called by one
// thread.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"
#include "core/formats/raster_file.hpp"

class GDALDataset;

namespace headroom::formats {

struct LabelGeotiffOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::optional<GeoReference> geo{};     ///< of its source
  std::vector<std::uint32_t> colours{};  ///< 0xRRGGBB by class; empty: no palette
};

/// 8-bit GeoTIFF of class ids with the CRS and geotransform of its source, deflated, tiled, nodata
/// 255 (ignore). It appears with commit(), whole; without it nothing stays. Every function throws
/// Error (io) where the file cannot be written.
class LabelGeotiff {
 public:
  LabelGeotiff(const std::filesystem::path& file, const LabelGeotiffOptions& options);
  ~LabelGeotiff();
  LabelGeotiff(const LabelGeotiff&) = delete;
  LabelGeotiff& operator=(const LabelGeotiff&) = delete;

  /// Windows cover the image once, in rows of windows from top to bottom, each from left to right;
  /// one such row is held in memory.
  void put(const base::PixelWindow& window, const base::LabelImage& labels);
  /// Once, after the last window.
  void commit();

 private:
  struct CloseDataset {
    void operator()(GDALDataset* dataset) const;
  };

  void write_rows(std::int64_t count);

  std::filesystem::path name_;
  base::AtomicFile file_;
  std::unique_ptr<GDALDataset, CloseDataset> dataset_{};
  base::LabelImage rows_{};     ///< put, but not written yet
  std::int64_t first_row_ = 0;  ///< of rows_ in the image
};

}  // namespace headroom::formats
