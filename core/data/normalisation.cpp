#include "core/data/normalisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/interruption.hpp"
#include "core/data/parallel_for.hpp"
#include "core/data/pixel_dispatch.hpp"

namespace headroom::data {

namespace {

/// Values of a band of 32 bits and more that percentiles are taken from: in all, and the range per
/// image.
constexpr std::int64_t kQuantileValues = std::int64_t{1} << 20;
constexpr std::int64_t kMostPerImage = 16384;
constexpr std::int64_t kLeastPerImage = 64;

/// Count, mean, squared deviations and range of one band; two of them combine as in Chan, Golub,
/// LeVeque (1979).
struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;  ///< sum of squared deviations from the mean
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(const Moments& other) {
    if (other.count == 0) return;
    const double total = count + other.count;
    const double difference = other.mean - mean;
    mean += difference * (other.count / total);
    squares += other.squares + difference * difference * (count * other.count / total);
    count = total;
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

/// What one image says about one band.
struct BandStatistics {
  Moments moments{};
  std::vector<std::pair<double, double>>
      weighted_values{};  ///< (value, pixels it stands for), for percentiles
};

using ImageStatistics = std::vector<BandStatistics>;

/// Exact counts of the values of an 8- or 16-bit band.
template <typename T>
BandStatistics summarise_counts(const std::vector<std::int64_t>& counts,
                                std::optional<double> nodata) {
  BandStatistics band;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double value =
        static_cast<double>(std::numeric_limits<T>::min()) + static_cast<double>(i);
    if (counts[i] == 0 || value == nodata) continue;
    const auto count = static_cast<double>(counts[i]);
    band.moments.add({count, value, 0, value, value});
    band.weighted_values.emplace_back(value, count);
  }
  return band;
}

template <typename T>
ImageStatistics measure_small_integers(const base::Image& image) {
  const auto channels = static_cast<std::size_t>(image.channels);
  constexpr int kLow = std::numeric_limits<T>::min();
  constexpr std::size_t kValues = std::size_t{1} << (8 * sizeof(T));
  std::vector<std::vector<std::int64_t>> counts(channels, std::vector<std::int64_t>(kValues));
  const T* value = values_of<T>(image);
  for (std::int64_t pixel = image.height * image.width; pixel > 0; --pixel) {
    for (auto& band : counts) ++band[static_cast<std::size_t>(int{*value++} - kLow)];
  }
  ImageStatistics statistics;
  for (const auto& band : counts) statistics.push_back(summarise_counts<T>(band, image.nodata));
  return statistics;
}

template <typename T>
BandStatistics measure_wide_band(const base::Image& image, std::int64_t channel,
                                 std::int64_t quantile_values) {
  BandStatistics band;
  const T* values = values_of<T>(image) + channel;
  const std::int64_t pixels = image.height * image.width;
  const double nodata = image.nodata.value_or(std::numeric_limits<double>::quiet_NaN());
  // Odd, so that it does not keep to a few columns of an image of even width.
  const std::int64_t stride = (pixels / quantile_values) | 1;
  for (std::int64_t row = 0; row < image.height; ++row) {
    Moments moments;
    double pivot = 0, sum = 0, squares = 0;
    for (std::int64_t pixel = row * image.width; pixel < (row + 1) * image.width; ++pixel) {
      const auto value = static_cast<double>(values[pixel * image.channels]);
      if (value == nodata || !std::isfinite(value)) continue;
      if (moments.count == 0) pivot = value;
      moments.count += 1;
      sum += value - pivot;
      squares += (value - pivot) * (value - pivot);
      moments.low = std::min(moments.low, value);
      moments.high = std::max(moments.high, value);
      if (pixel % stride == 0)
        band.weighted_values.emplace_back(value, static_cast<double>(stride));
    }
    if (moments.count > 0) {
      moments.mean = pivot + sum / moments.count;
      moments.squares = std::max(0.0, squares - sum * sum / moments.count);
      band.moments.add(moments);
    }
  }
  return band;
}

ImageStatistics measure_image(const base::Image& image, std::int64_t quantile_values) {
  return dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    if constexpr (sizeof(T) <= 2) {
      return measure_small_integers<T>(image);
    } else {
      ImageStatistics statistics;
      for (std::int64_t channel = 0; channel < image.channels; ++channel) {
        statistics.push_back(measure_wide_band<T>(image, channel, quantile_values));
      }
      return statistics;
    }
  });
}

/// Smallest value below or at which `share` of the weight lies.
double quantile(const std::map<double, double>& weight_of, double share) {
  double total = 0;
  for (const auto& [value, weight] : weight_of) total += weight;
  double below = 0;
  for (const auto& [value, weight] : weight_of) {
    below += weight;
    if (below >= share * total) return value;
  }
  return 0;
}

/// Everything known of one band over the images, added in the order of the samples.
struct BandTotals {
  Moments moments{};
  std::map<double, double> weight_of{};
};

/// {shift, width}: the value that becomes 0, and how far above it lies what becomes 1.
std::pair<double, double> shift_and_width(const BandTotals& band,
                                          const NormalisationOptions& options) {
  const bool is_empty = band.moments.count == 0 && options.mode != base::Normalise::ct_window;
  if (is_empty) return {0, 0};
  switch (options.mode) {
    case base::Normalise::zscore:
      return {band.moments.mean, std::sqrt(band.moments.squares / band.moments.count)};
    case base::Normalise::minmax:
      return {band.moments.low, band.moments.high - band.moments.low};
    case base::Normalise::percentile: {
      const double low = quantile(band.weight_of, 0.01);
      return {low, quantile(band.weight_of, 0.99) - low};
    }
    case base::Normalise::ct_window:
      return {options.window.low(), options.window.width};
    case base::Normalise::none:
      break;
  }
  return {0, 1};
}

const char* mode_name(base::Normalise mode) {
  switch (mode) {
    case base::Normalise::zscore:
      return "zscore";
    case base::Normalise::minmax:
      return "minmax";
    case base::Normalise::percentile:
      return "percentile";
    case base::Normalise::ct_window:
      return "ct-window";
    case base::Normalise::none:
      break;
  }
  return "none";
}

Normalisation identity(std::int64_t channels) {
  const auto count = static_cast<std::size_t>(channels);
  return {mode_name(base::Normalise::none), std::vector<double>(count, 0.0),
          std::vector<double>(count, 1.0)};
}

/// What is wrong with band `number` (from 1) as it will be scaled.
std::optional<base::Finding> judge_band(const Moments& band, std::int64_t number, double shift,
                                        double width, const NormalisationOptions& options) {
  const auto warning = [](const char* code, std::string message) {
    return base::Finding{base::Severity::warning, code, {}, std::move(message)};
  };
  if (band.count == 0) {
    return warning("band-without-spread",
                   fmt::format("band {} has no valid value in the training images", number));
  }
  if (!(width > 0) || !(band.squares > 0)) {
    return warning("band-without-spread",
                   fmt::format("band {} has (almost) one value only, {}, in the training images",
                               number, width > 0 ? band.mean : shift));
  }
  const base::CtWindow& window = options.window;
  const bool is_outside = band.high <= window.low() || band.low >= window.high();
  if (options.mode == base::Normalise::ct_window && is_outside) {
    return warning(
        "outside-the-window",
        fmt::format("band {} has values from {} to {}, all outside the CT window from {} to {}: is "
                    "it in Hounsfield units? Give another --window or --normalise",
                    number, band.low, band.high, window.low(), window.high()));
  }
  return std::nullopt;
}

NormalisationResult conclude(const std::vector<BandTotals>& bands,
                             const NormalisationOptions& options) {
  NormalisationResult result;
  result.normalisation.mode = mode_name(options.mode);
  result.normalisation.clipped = options.mode == base::Normalise::ct_window;
  std::int64_t number = 0;
  for (const BandTotals& band : bands) {
    const auto [shift, width] = shift_and_width(band, options);
    result.normalisation.shift.push_back(shift);
    result.normalisation.scale.push_back(width > 0 ? 1 / width : 1.0);
    if (auto finding = judge_band(band.moments, ++number, shift, width, options))
      result.findings.push_back(*std::move(finding));
  }
  return result;
}

void check_bands(const DecodedSample& decoded, const Sample& sample, std::int64_t channels) {
  if (decoded.image.channels == channels) return;
  throw base::Error(
      base::ErrorKind::unusable_data,
      {"measuring the images",
       fmt::format("{} has {} bands, {} are expected", sample.id, decoded.image.channels, channels),
       "give images that all have the same bands"});
}

}  // namespace

NormalisationResult measure_normalisation(SampleCache& cache,
                                          const std::vector<std::int64_t>& chosen,
                                          const NormalisationOptions& options,
                                          std::stop_token stop) {
  if (options.mode == base::Normalise::none) return {identity(options.channels), {}};

  const auto images = static_cast<std::int64_t>(chosen.size());
  const std::int64_t values_per_image = std::clamp<std::int64_t>(
      kQuantileValues / std::max<std::int64_t>(images, 1), kLeastPerImage, kMostPerImage);
  std::vector<BandTotals> bands(static_cast<std::size_t>(options.channels));
  std::vector<std::vector<Moments>> moments(chosen.size());
  std::mutex
      mutex;  // guards the weights in bands, whole numbers whose sums do not depend on the order
  parallel_for(images, {.threads = options.threads, .stop = stop}, [&](std::int64_t i) {
    const std::int64_t index = chosen[static_cast<std::size_t>(i)];
    std::vector<Moments>& image_moments = moments[static_cast<std::size_t>(i)];
    image_moments.resize(bands.size());
    const std::vector<base::PixelWindow> parts = cache.parts(index);
    const std::int64_t values_per_part =
        std::max<std::int64_t>(1, values_per_image / std::ssize(parts));
    for (const base::PixelWindow& part : parts) {
      base::throw_if_stopped(stop, "measuring the images");
      const auto decoded = cache.read_part(index, part);
      check_bands(*decoded, cache.samples()[static_cast<std::size_t>(index)], options.channels);
      const ImageStatistics statistics = measure_image(decoded->image, values_per_part);
      for (std::size_t channel = 0; channel < bands.size(); ++channel)
        image_moments[channel].add(statistics[channel].moments);
      if (options.mode != base::Normalise::percentile) continue;
      const std::lock_guard lock(mutex);
      for (std::size_t channel = 0; channel < bands.size(); ++channel) {
        for (const auto& [value, weight] : statistics[channel].weighted_values) {
          bands[channel].weight_of[value] += weight;
        }
      }
    }
  });
  for (const auto& image : moments) {
    for (std::size_t channel = 0; channel < bands.size(); ++channel) {
      bands[channel].moments.add(image[channel]);
    }
  }
  return conclude(bands, options);
}

}  // namespace headroom::data
