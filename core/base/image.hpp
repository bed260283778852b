#pragma once
// Plain pixel values that cross layers and threads. Owned by value; never changed after they are
// shared.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::base {

enum class PixelType { u8, u16, i16, u32, i32, f32, f64 };

/// Bytes of one value: 1, 2, 4 or 8.
[[nodiscard]] std::int64_t bytes_of(PixelType type);
/// "uint8", "int16", "float32", …
[[nodiscard]] const char* name_of(PixelType type);

/// An image of any depth and number of bands, exactly as stored in its file.
struct Image {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  PixelType type = PixelType::u8;
  std::vector<std::byte> pixels{};  ///< rows top to bottom, bands interleaved: [h, w, c]
  std::optional<double>
      nodata{};  ///< the value that marks missing pixels, where the file names one

  [[nodiscard]] std::int64_t byte_size() const { return static_cast<std::int64_t>(pixels.size()); }
};

/// The label of a pixel that no loss and no metric counts.
inline constexpr std::uint8_t kIgnoreLabel = 255;
/// Class ids are 0 … kMaxClasses - 1.
inline constexpr std::int64_t kMaxClasses = 255;

/// One class id (or kIgnoreLabel) per pixel.
struct LabelImage {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::vector<std::uint8_t> labels{};  ///< [h, w]
};

}  // namespace headroom::base
