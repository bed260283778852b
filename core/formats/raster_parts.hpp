#pragma once
// Pages of image files read window by window, so that one larger than the memory can be used. A
// PageReader is used by one thread at a time; the functions are pure.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/pixel_window.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

/// True where a window is decoded without the rest of the page.
[[nodiscard]] bool has_windows(const RasterInfo& info);

/// Windows that cover the page once, row by row: one for the whole of it where it is small or has
/// no windows, else of 32 MiB or one block each.
[[nodiscard]] std::vector<base::PixelWindow> parts_of(const RasterInfo& info);

/// Blocks in which tiles of the page are read best: about 512 x 512 pixels where it is stored in
/// tiles, 128 rows where it is stored in rows; {0, 0} where it has no windows.
[[nodiscard]] base::BlockSize reading_block(const RasterInfo& info);

/// Blocks for files that are read together; {0, 0} where one of them has no windows.
[[nodiscard]] base::BlockSize common_block(const base::BlockSize& a, const base::BlockSize& b);

/// Called after each part of a file that is read by parts; what it throws ends the reading.
using PartFunction = std::function<void(std::int64_t parts_done, std::int64_t parts)>;

class PageReader {
 public:
  /// Throws as open_raster_file and RasterFile::info.
  PageReader(const std::filesystem::path& file, std::int64_t page);

  [[nodiscard]] const RasterInfo& info() const { return info_; }
  /// The page's pixels inside `window`, as stored. A page without windows is decoded at the first
  /// call and kept. Throws as RasterFile::read.
  [[nodiscard]] RasterPixels read(const base::PixelWindow& window);
  [[nodiscard]] RasterPixels read();

 private:
  std::unique_ptr<RasterFile> file_;
  std::int64_t page_;
  RasterInfo info_;
  std::optional<base::Image> whole_{};
};

}  // namespace headroom::formats
