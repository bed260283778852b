#include "core/formats/raster_parts.hpp"

#include <algorithm>

#include "core/base/rounding.hpp"
#include "core/data/image_parts.hpp"

namespace headroom::formats {

namespace {

constexpr std::int64_t kSmallBytes = std::int64_t{64} << 20;
constexpr std::int64_t kPartBytes = std::int64_t{32} << 20;
constexpr std::int64_t kTileSide = 512;
constexpr std::int64_t kRows = 128;

}  // namespace

bool has_windows(const RasterInfo& info) {
  return info.block.height < info.height || info.block.width < info.width;
}

std::vector<base::PixelWindow> parts_of(const RasterInfo& info) {
  const std::int64_t pixel_bytes = info.channels * base::bytes_of(info.type);
  if (!has_windows(info) || info.height * info.width * pixel_bytes <= kSmallBytes)
    return {{.width = info.width, .height = info.height}};
  return data::cut_into_parts(
      {.height = info.height, .width = info.width, .pixel_bytes = pixel_bytes, .block = info.block},
      kPartBytes);
}

base::BlockSize reading_block(const RasterInfo& info) {
  if (!has_windows(info)) return {};
  const bool is_in_rows = info.block.width == info.width;
  return {base::round_up(is_in_rows ? kRows : kTileSide, info.block.height),
          is_in_rows ? info.width : base::round_up(kTileSide, info.block.width)};
}

base::BlockSize common_block(const base::BlockSize& a, const base::BlockSize& b) {
  if (a.height == 0 || b.height == 0) return {};
  return {std::max(a.height, b.height), std::max(a.width, b.width)};
}

PageReader::PageReader(const std::filesystem::path& file, std::int64_t page)
    : file_(open_raster_file(file)), page_(page), info_(file_->info(page)) {}

RasterPixels PageReader::read(const base::PixelWindow& window) {
  const base::PixelWindow page{.width = info_.width, .height = info_.height};
  if (window == page && !whole_) return read();
  if (has_windows(info_)) return {info_, file_->read(page_, window)};
  if (!whole_) whole_ = file_->read(page_);
  return {info_, data::crop(*whole_, window)};
}

RasterPixels PageReader::read() { return {info_, file_->read(page_)}; }

}  // namespace headroom::formats
