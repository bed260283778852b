#include "core/formats/gdal_misreadings.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>

namespace headroom::formats {

namespace {

/// The first bytes of a file, zeros behind its end.
using Header = std::array<unsigned char, 34>;

Header header_of(const std::filesystem::path& file) {
  Header header{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(header.data()), header.size());
  return header;
}

std::uint32_t little_endian(const Header& header, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | header.at(at + i);
  return value;
}

/// PNG specification, 11.2.2: IHDR, whose contents begin at byte 16. GDAL swaps the two bytes of
/// each value of an interlaced picture.
std::optional<Misreading> find_in_png(const Header& header) {
  constexpr std::size_t kBitDepth = 24, kInterlace = 28;
  if (header.at(kBitDepth) != 16 || header.at(kInterlace) == 0) return std::nullopt;
  return Misreading{"it is an interlaced PNG of 16 bits, which cannot be decoded reliably",
                    "save it without interlacing"};
}

/// BITMAPINFOHEADER, [MS-WMF] 2.2.2.3. GDAL takes the 5 or 6 bits of a colour for the upper ones of
/// 8, so that white is 248, and goes on where a run leaves the picture.
std::optional<Misreading> find_in_bmp(const Header& header) {
  constexpr std::size_t kBitCount = 28, kCompression = 30;
  constexpr std::uint32_t kRunLength8 = 1, kRunLength4 = 2;
  if (little_endian(header, kBitCount, 2) == 16) {
    return Misreading{"it is a BMP of 16 bits per pixel, whose colours have no exact 8-bit values",
                      "save it with 24 bits per pixel, or as PNG"};
  }
  const std::uint32_t compression = little_endian(header, kCompression, 4);
  if (compression == kRunLength8 || compression == kRunLength4) {
    return Misreading{"it is a run-length encoded BMP, whose damage would not be noticed",
                      "save it uncompressed, or as PNG"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Misreading> find_misreading(const std::filesystem::path& file,
                                          std::string_view driver) {
  if (driver == "PNG") return find_in_png(header_of(file));
  if (driver == "BMP") return find_in_bmp(header_of(file));
  return std::nullopt;
}

}  // namespace headroom::formats
