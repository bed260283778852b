#include "core/formats/raster_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/dicom_file.hpp"
#include "core/formats/gdal_file.hpp"
#include "core/formats/nifti_file.hpp"
#include "core/formats/npy_file.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/read_error.hpp"

namespace headroom::formats {

namespace {

/// The first bytes of a file, zeros behind its end; long enough for the signatures of all formats.
struct Signature {
  std::array<char, 352> bytes{};
  bool is_gzipped = false;  ///< the bytes are decompressed ones
};

Signature signature_of(const std::filesystem::path& file) {
  Signature signature;
  if (gzFile stream = gzopen(file.c_str(), "rb")) {
    gzread(stream, signature.bytes.data(), static_cast<unsigned>(signature.bytes.size()));
    signature.is_gzipped = gzdirect(stream) == 0;
    gzclose(stream);
  }
  return signature;
}

bool has_at(const Signature& signature, std::size_t at, std::string_view bytes) {
  return std::string_view(signature.bytes.data() + at, bytes.size()) == bytes;
}

/// NIfTI-1 standard, field `magic` at byte 344; NIfTI-2: at byte 4.
bool is_nifti(const Signature& signature) {
  using namespace std::string_view_literals;
  return has_at(signature, 344, "n+1\0"sv) || has_at(signature, 344, "ni1\0"sv) ||
         has_at(signature, 4, "n+2\0"sv) || has_at(signature, 4, "ni2\0"sv);
}

/// DICOM standard, part 10, section 7.1: a preamble of 128 bytes, then "DICM". Older files lack
/// both.
bool is_dicom(const Signature& signature, const std::filesystem::path& file) {
  return has_at(signature, 128, "DICM") || lower_extension(file) == ".dcm";
}

/// What one block may take decoded: decoders hold it in memory, some of them count it in 32 bits.
constexpr std::int64_t kMostBlockBytes = std::int64_t{1} << 30;

void require_small_blocks(const std::filesystem::path& file, const RasterInfo& info) {
  const double bytes = static_cast<double>(info.block.height) *
                       static_cast<double>(info.block.width) *
                       static_cast<double>(info.channels * base::bytes_of(info.type));
  if (bytes <= static_cast<double>(kMostBlockBytes)) return;
  const std::string rows =
      info.block.height == info.height ? "all" : fmt::format("{} rows", info.block.height);
  const auto counted = static_cast<std::int64_t>(std::min(bytes, 0x1.0p60));
  fail_reading(file,
               fmt::format("{} of its {}x{} pixels are decoded at once, which takes {}; the most "
                           "is {}",
                           rows, info.width, info.height, base::format_bytes(counted),
                           base::format_bytes(kMostBlockBytes)),
               "make it a tiled GeoTIFF, which is read by parts: gdal_translate -co TILED=YES -co "
               "COMPRESS=DEFLATE IN OUT.tif; or check whether the file is damaged");
}

}  // namespace

void RasterFile::require_page(std::int64_t page) const {
  const std::int64_t pages = do_pages();
  if (page >= 0 && page < pages) return;
  throw base::Error(base::ErrorKind::usage,
                    {"reading the image",
                     fmt::format("{}: page {} of {}", base::display_path(file_), page, pages),
                     fmt::format("give a page from 0 to {}", pages - 1)});
}

RasterInfo RasterFile::info(std::int64_t page) {
  require_page(page);
  RasterInfo info = do_info(page);
  info.pages = do_pages();
  if (info.block == base::BlockSize{}) info.block = {info.height, info.width};
  info.block = {std::min(info.block.height, info.height), std::min(info.block.width, info.width)};
  return info;
}

base::Image RasterFile::read(std::int64_t page, const PixelWindow& window) {
  const RasterInfo page_info = info(page);
  if (window.left < 0 || window.top < 0 || window.width < 1 || window.height < 1 ||
      window.width > page_info.width - window.left ||
      window.height > page_info.height - window.top) {
    throw base::Error(base::ErrorKind::usage,
                      {"reading the image",
                       fmt::format("{}: {}x{} pixels from column {}, row {} of {}x{}",
                                   base::display_path(file_), window.width, window.height,
                                   window.left, window.top, page_info.width, page_info.height),
                       "give a window inside the image"});
  }
  require_small_blocks(file_, page_info);
  base::Image image{.height = window.height,
                    .width = window.width,
                    .channels = page_info.channels,
                    .type = page_info.type,
                    .nodata = page_info.nodata};
  image.pixels.resize(static_cast<std::size_t>(require_memory(
      file_, image.height, image.width, image.channels * base::bytes_of(image.type))));
  do_read(page, window, image);
  return image;
}

base::Image RasterFile::read(std::int64_t page) {
  const RasterInfo page_info = info(page);
  return read(page, {.width = page_info.width, .height = page_info.height});
}

std::unique_ptr<RasterFile> open_raster_file(const std::filesystem::path& file, SliceAxis axis) {
  require_readable(file);
  const Signature signature = signature_of(file);
  if (is_nifti(signature)) return open_nifti(file, axis);
  if (signature.is_gzipped)
    fail_reading(file, "it is gzipped, and no NIfTI volume", "unpack it with gunzip");
  if (has_at(signature, 0, "\x93NUMPY")) return open_npy(file);
  if (is_dicom(signature, file)) return open_dicom(file);
  return open_with_gdal(file);
}

}  // namespace headroom::formats
