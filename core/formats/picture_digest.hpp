#pragma once
// Fingerprints of decoded pixels: one for equal pictures, one for pictures that look alike. Any
// thread, different objects.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/image.hpp"
#include "core/formats/file_digest.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

struct PictureDigest {
  std::string pixels{};  ///< hash of size, type and values, 32 hexadecimal digits; empty for a
                         ///< picture of one value, which is like any other of that kind
  std::optional<std::uint64_t> look{};  ///< perceptual hash; absent for pictures of one value and
                                        ///< those under 32 pixels high or wide
};

/// Perceptual hashes that differ in no more bits than these are of near duplicates: re-encoded,
/// resized or brightened pictures differ in 0 to 4 of 64 bits, those cut by 1 % in up to 8, while
/// different aerial tiles, retinas, nuclei and neighbouring slices of electron microscopy differ in
/// 8 and more.
inline constexpr int kNearDuplicateBits = 6;

/// Takes a picture part by part, so that it need not be in memory as a whole.
class PictureDigester {
 public:
  PictureDigester(std::int64_t height, std::int64_t width);

  /// `part` is what the picture has inside `window`. The windows of all parts cover the picture
  /// once. The hash of the pixels depends on their order and size, the look does not.
  void add(const base::Image& part, const PixelWindow& window);

  /// After the last part. The look is the sign against their median of the coefficients (1 … 8,
  /// 1 … 8) of the cosine transform of the picture reduced to 32x32 means over all bands (Zauner:
  /// Implementation and Benchmarking of Perceptual Image Hash Functions, 2010, section 3.2.1, with
  /// the reduction by means). NaN, infinity and nodata do not count.
  [[nodiscard]] PictureDigest digest() const;

 private:
  static constexpr std::int64_t kSide = 32;  ///< of the reduced picture
  struct Cell {
    double sum = 0;
    std::int64_t values = 0;
  };

  template <typename T>
  void add_values(const base::Image& part, const PixelWindow& window);
  void note_differences(const base::Image& part);
  [[nodiscard]] bool has_look() const { return height_ >= kSide && width_ >= kSide; }
  [[nodiscard]] std::array<double, kSide * kSide> means() const;

  const std::int64_t height_, width_;
  ContentHasher hasher_;
  std::vector<std::byte> first_pixel_;
  bool is_even_ = true;  ///< all pixels so far are equal
  std::array<Cell, kSide * kSide> cells_{};
};

/// Of a picture in memory.
[[nodiscard]] PictureDigest digest_picture(const base::Image& image);

}  // namespace headroom::formats
