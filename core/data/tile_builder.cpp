#include "core/data/tile_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/base/error.hpp"
#include "core/data/pixel_dispatch.hpp"

namespace headroom::data {

namespace {

/// Where the pixels of one tile axis lie in the image. Turns and mirrors are separable: the offset
/// of tile pixel (y, x) is the sum of its row's and its column's.
struct Axis {
  std::vector<std::int64_t> offset;  ///< in pixels
  std::vector<std::uint8_t> inside;
};

/// Index of the pixel that `index` shows when the axis is mirrored at its first and last pixel
/// (neither is repeated).
std::int64_t reflect(std::int64_t index, std::int64_t length) {
  if (length == 1) return 0;
  const std::int64_t period = 2 * (length - 1);
  const std::int64_t folded = ((index % period) + period) % period;
  return folded < length ? folded : period - folded;
}

Axis make_axis(std::int64_t start, std::int64_t count, bool backwards, std::int64_t length,
               std::int64_t stride) {
  Axis axis;
  axis.offset.reserve(static_cast<std::size_t>(count));
  axis.inside.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t index = start + (backwards ? count - 1 - i : i);
    axis.offset.push_back(reflect(index, length) * stride);
    axis.inside.push_back(index >= 0 && index < length ? 1 : 0);
  }
  return axis;
}

struct Axes {
  Axis down, across;
};

/// Turned k times counter-clockwise, tile pixel (y, x) shows window pixel: k = 0 (y, x), 1 (x,
/// w-1-y), 2 (h-1-y, w-1-x), 3 (h-1-x, y); the mirror then exchanges the window's columns.
Axes make_axes(const base::Image& image, const TileRequest& request) {
  const std::int64_t turns = request.quarter_turns;
  const bool rows_backwards = turns == 2 || turns == 3;
  const bool columns_backwards = (turns == 1 || turns == 2) != request.mirrored;
  Axis rows =
      make_axis(request.top, request.window_height, rows_backwards, image.height, image.width);
  Axis columns = make_axis(request.left, request.window_width, columns_backwards, image.width, 1);
  if (turns % 2 == 1) return {std::move(columns), std::move(rows)};
  return {std::move(rows), std::move(columns)};
}

float normalised(double value, std::size_t channel, const Normalisation& normalisation) {
  const double scaled = (value - normalisation.shift[channel]) * normalisation.scale[channel];
  return static_cast<float>(normalisation.clipped ? std::clamp(scaled, 0.0, 1.0) : scaled);
}

/// 8-bit values through a table per channel.
class ByteNormaliser {
 public:
  ByteNormaliser(const Normalisation& normalisation, std::optional<double> nodata)
      : table_(normalisation.shift.size()) {
    for (std::size_t channel = 0; channel < table_.size(); ++channel) {
      for (int value = 0; value < 256; ++value) {
        table_[channel][static_cast<std::size_t>(value)] =
            value == nodata ? 0.0F : normalised(value, channel, normalisation);
      }
    }
  }
  [[nodiscard]] float operator()(std::uint8_t value, std::size_t channel) const {
    return table_[channel][value];
  }

 private:
  std::vector<std::array<float, 256>> table_;
};

/// Other types by arithmetic.
template <typename T>
class WideNormaliser {
 public:
  WideNormaliser(const Normalisation& normalisation, std::optional<double> nodata)
      : normalisation_(normalisation),
        nodata_(nodata.value_or(std::numeric_limits<double>::quiet_NaN())) {}

  [[nodiscard]] float operator()(T value, std::size_t channel) const {
    const auto wide = static_cast<double>(value);
    if (wide == nodata_ || !std::isfinite(wide)) return 0.0F;
    return normalised(wide, channel, normalisation_);
  }

 private:
  const Normalisation& normalisation_;
  double nodata_;  ///< NaN, which equals nothing, when there is none
};

template <typename T>
auto make_normaliser(const Normalisation& normalisation, std::optional<double> nodata) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return ByteNormaliser(normalisation, nodata);
  } else {
    return WideNormaliser<T>(normalisation, nodata);
  }
}

/// Channels 0: known at run time only.
template <std::size_t Channels, typename T, typename Normaliser>
void fill_pixels(const base::Image& image, const Axes& axes, const Normaliser& normalise,
                 float* pixels) {
  const std::size_t channels = Channels != 0 ? Channels : static_cast<std::size_t>(image.channels);
  const T* values = values_of<T>(image);
  for (const std::int64_t row : axes.down.offset) {
    for (const std::int64_t column : axes.across.offset) {
      const T* value = values + (row + column) * static_cast<std::int64_t>(channels);
      for (std::size_t channel = 0; channel < channels; ++channel) {
        *pixels++ = normalise(value[channel], channel);
      }
    }
  }
}

void fill_pixels(const base::Image& image, const Axes& axes, const Normalisation& normalisation,
                 float* pixels) {
  dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const auto normalise = make_normaliser<T>(normalisation, image.nodata);
    if (image.channels == 1) {
      fill_pixels<1, T>(image, axes, normalise, pixels);
    } else if (image.channels == 3) {
      fill_pixels<3, T>(image, axes, normalise, pixels);
    } else {
      fill_pixels<0, T>(image, axes, normalise, pixels);
    }
  });
}

void fill_labels(const base::LabelImage& image, const Axes& axes, std::uint8_t* labels) {
  for (std::size_t y = 0; y < axes.down.offset.size(); ++y) {
    const std::uint8_t* row = image.labels.data() + axes.down.offset[y];
    for (std::size_t x = 0; x < axes.across.offset.size(); ++x) {
      const bool inside = axes.down.inside[y] != 0 && axes.across.inside[x] != 0;
      *labels++ = inside ? row[axes.across.offset[x]] : base::kIgnoreLabel;
    }
  }
}

void check_channels(const base::Image& image, const Normalisation& normalisation) {
  const auto expected = static_cast<std::int64_t>(normalisation.shift.size());
  if (image.channels != expected) {
    throw base::Error(base::ErrorKind::unusable_data,
                      {"normalising an image",
                       fmt::format("it has {} bands, {} are expected", image.channels, expected),
                       "give images with the bands that the model was trained on"});
  }
}

void check_size(std::size_t given, std::int64_t needed) {
  if (static_cast<std::int64_t>(given) != needed) {
    throw base::Error(base::ErrorKind::internal,
                      {"building a tile",
                       fmt::format("room for {} values, {} needed", given, needed), "report this"});
  }
}

}  // namespace

void build_tile(const DecodedSample& decoded, const TileRequest& request,
                const Normalisation& normalisation, std::span<float> pixels,
                std::span<std::uint8_t> labels) {
  check_channels(decoded.image, normalisation);
  const std::int64_t tile_pixels = request.window_height * request.window_width;
  check_size(pixels.size(), tile_pixels * decoded.image.channels);
  check_size(labels.size(), tile_pixels);
  const Axes axes = make_axes(decoded.image, request);
  fill_pixels(decoded.image, axes, normalisation, pixels.data());
  fill_labels(decoded.labels, axes, labels.data());
}

void normalise_image(const base::Image& image, const Normalisation& normalisation,
                     std::span<float> pixels) {
  check_channels(image, normalisation);
  check_size(pixels.size(), image.height * image.width * image.channels);
  const TileRequest whole{.window_height = image.height, .window_width = image.width};
  fill_pixels(image, make_axes(image, whole), normalisation, pixels.data());
}

}  // namespace headroom::data
