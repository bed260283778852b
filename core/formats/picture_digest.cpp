#include "core/formats/picture_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <type_traits>
#include <utility>

#include "core/data/pixel_dispatch.hpp"

namespace headroom::formats {

namespace {

constexpr std::size_t kFrequencies = 8;  ///< along each side, without the lowest, the mean
constexpr std::size_t kBits = kFrequencies * kFrequencies;

/// Sums what is no NaN, infinity or nodata.
template <typename T>
std::pair<double, std::int64_t> sum_of(const T* values, std::int64_t count,
                                       std::optional<double> nodata) {
  if constexpr (std::is_integral_v<T>) {
    if (!nodata) {
      std::int64_t sum = 0;
      for (std::int64_t i = 0; i < count; ++i) sum += values[i];
      return {static_cast<double>(sum), count};
    }
  }
  double sum = 0;
  std::int64_t counted = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(values[i]);
    if (!std::isfinite(value) || value == nodata) continue;
    sum += value;
    ++counted;
  }
  return {sum, counted};
}

/// [frequency][position] of the cosine transform (DCT-II) of `positions` values.
template <std::size_t Positions>
std::array<std::array<double, Positions>, kFrequencies> cosines() {
  std::array<std::array<double, Positions>, kFrequencies> table{};
  for (std::size_t f = 0; f < kFrequencies; ++f) {
    for (std::size_t x = 0; x < Positions; ++x) {
      table[f][x] = std::cos(std::numbers::pi * static_cast<double>(2 * x + 1) *
                             static_cast<double>(f + 1) / (2.0 * Positions));
    }
  }
  return table;
}

/// The coefficients (1 … 8, 1 … 8) of a reduced picture, row by row.
template <std::size_t Side>
std::array<double, kBits> low_frequencies(const std::array<double, Side * Side>& picture) {
  const auto table = cosines<Side>();
  std::array<double, kBits> coefficients{};
  for (std::size_t v = 0; v < kFrequencies; ++v) {
    std::array<double, Side> rows{};
    for (std::size_t y = 0; y < Side; ++y)
      for (std::size_t x = 0; x < Side; ++x) rows[x] += table[v][y] * picture[y * Side + x];
    for (std::size_t u = 0; u < kFrequencies; ++u)
      for (std::size_t x = 0; x < Side; ++x)
        coefficients[v * kFrequencies + u] += table[u][x] * rows[x];
  }
  return coefficients;
}

std::uint64_t above_median(const std::array<double, kBits>& coefficients) {
  auto sorted = coefficients;
  std::ranges::sort(sorted);
  const double median = (sorted[kBits / 2 - 1] + sorted[kBits / 2]) / 2;
  std::uint64_t bits = 0;
  for (const double coefficient : coefficients) bits = bits << 1 | (coefficient > median ? 1U : 0U);
  return bits;
}

}  // namespace

PictureDigester::PictureDigester(std::int64_t height, std::int64_t width)
    : height_(height), width_(width) {
  hasher_.add(fmt::format("{}x{}\n", height, width));
}

void PictureDigester::add(const base::Image& part, const PixelWindow& window) {
  if (first_pixel_.empty())
    hasher_.add(fmt::format("{} {}\n", part.channels, base::name_of(part.type)));
  hasher_.add({reinterpret_cast<const char*>(part.pixels.data()), part.pixels.size()});
  note_differences(part);
  if (!has_look()) return;
  data::dispatch_pixel_type(
      part.type, [&]<typename T>(std::type_identity<T>) { add_values<T>(part, window); });
}

/// A picture of one value is equal to itself moved by a pixel.
void PictureDigester::note_differences(const base::Image& part) {
  if (!is_even_ || part.pixels.empty()) return;
  const auto pixel_bytes = static_cast<std::size_t>(part.channels * base::bytes_of(part.type));
  const std::byte* const first = part.pixels.data();
  if (first_pixel_.empty()) first_pixel_.assign(first, first + pixel_bytes);
  is_even_ = std::memcmp(first, first_pixel_.data(), pixel_bytes) == 0 &&
             std::memcmp(first, first + pixel_bytes, part.pixels.size() - pixel_bytes) == 0;
}

/// Row y of the picture belongs to cells y * 32 / height, and columns likewise.
template <typename T>
void PictureDigester::add_values(const base::Image& part, const PixelWindow& window) {
  const T* row = data::values_of<T>(part);
  for (std::int64_t y = window.top; y < window.top + window.height; ++y) {
    Cell* const cells = cells_.data() + y * kSide / height_ * kSide;
    for (std::int64_t column = 0; column < kSide; ++column) {
      const std::int64_t first = std::max(column * width_ / kSide, window.left);
      const std::int64_t last = std::min((column + 1) * width_ / kSide, window.left + window.width);
      if (first >= last) continue;
      const auto [sum, values] = sum_of(row + (first - window.left) * part.channels,
                                        (last - first) * part.channels, part.nodata);
      cells[column].sum += sum;
      cells[column].values += values;
    }
    row += window.width * part.channels;
  }
}

/// Cells without a value get the mean of the others.
std::array<double, PictureDigester::kSide * PictureDigester::kSide> PictureDigester::means() const {
  Cell all;
  for (const Cell& cell : cells_) {
    all.sum += cell.sum;
    all.values += cell.values;
  }
  const auto mean_of = [](const Cell& cell) {
    return cell.sum / static_cast<double>(std::max<std::int64_t>(1, cell.values));
  };
  std::array<double, kSide * kSide> means{};
  std::ranges::transform(cells_, means.begin(),
                         [&](const Cell& cell) { return mean_of(cell.values > 0 ? cell : all); });
  return means;
}

PictureDigest PictureDigester::digest() const {
  PictureDigest digest;
  if (is_even_) return digest;
  digest.pixels = hasher_.hex();
  if (has_look()) digest.look = above_median(low_frequencies<kSide>(means()));
  return digest;
}

PictureDigest digest_picture(const base::Image& image) {
  PictureDigester digester(image.height, image.width);
  digester.add(image, {.width = image.width, .height = image.height});
  return digester.digest();
}

}  // namespace headroom::formats
