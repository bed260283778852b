#include "core/train/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "core/base/error.hpp"

namespace headroom::train {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

[[noreturn]] void throw_uncountable(const std::string& subject) {
  throw base::Error(base::ErrorKind::internal,
                    {"scoring a prediction", subject,
                     "truth and prediction must have one size and hold classes only"});
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(std::int64_t classes)
    : classes_(classes), counts_(static_cast<std::size_t>(classes * classes)) {}

ConfusionMatrix& ConfusionMatrix::operator+=(const ConfusionMatrix& other) {
  std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus());
  return *this;
}

void ConfusionMatrix::add(std::span<const std::uint8_t> truth,
                          std::span<const std::uint8_t> prediction) {
  if (truth.size() != prediction.size()) {
    throw_uncountable(std::to_string(truth.size()) + " pixels of truth, " +
                      std::to_string(prediction.size()) + " of prediction");
  }
  // Every pair of bytes has its place, so that the pass over the pixels has no branch.
  std::vector<std::int64_t> pairs(256 * 256);
  for (std::size_t i = 0; i < truth.size(); ++i) {
    ++pairs[static_cast<std::size_t>(truth[i]) * 256 + prediction[i]];
  }
  const auto classes = static_cast<std::size_t>(classes_);
  for (std::size_t t = 0; t < 256; ++t) {
    for (std::size_t p = 0; p < 256; ++p) {
      const bool countable = t == base::kIgnoreLabel || (t < classes && p < classes);
      if (!countable && pairs[t * 256 + p] > 0) {
        throw_uncountable("truth " + std::to_string(t) + ", prediction " + std::to_string(p) +
                          " with " + std::to_string(classes) + " classes");
      }
    }
  }
  for (std::size_t t = 0; t < classes; ++t) {
    for (std::size_t p = 0; p < classes; ++p) {
      counts_[t * classes + p] += pairs[t * 256 + p];
    }
  }
}

void ConfusionMatrix::add(const base::LabelImage& truth, const base::LabelImage& prediction) {
  if (truth.height != prediction.height || truth.width != prediction.width) {
    throw_uncountable(std::to_string(truth.width) + "x" + std::to_string(truth.height) +
                      " truth, " + std::to_string(prediction.width) + "x" +
                      std::to_string(prediction.height) + " prediction");
  }
  add(truth.labels, prediction.labels);
}

std::int64_t ConfusionMatrix::count(std::int64_t truth, std::int64_t prediction) const {
  return counts_.at(static_cast<std::size_t>(truth * classes_ + prediction));
}

std::int64_t ConfusionMatrix::pixels() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

ClassMetrics ConfusionMatrix::metrics(std::int64_t class_id) const {
  std::int64_t true_pixels = 0, predicted_pixels = 0;
  for (std::int64_t other = 0; other < classes_; ++other) {
    true_pixels += count(class_id, other);
    predicted_pixels += count(other, class_id);
  }
  if (true_pixels + predicted_pixels == 0) {
    return {kNone, kNone};
  }
  const auto both = static_cast<double>(count(class_id, class_id));
  const auto total = static_cast<double>(true_pixels + predicted_pixels);
  return {both / (total - both), 2 * both / total};
}

ClassMetrics ConfusionMatrix::mean() const {
  ClassMetrics sum;
  std::int64_t occurring = 0;
  for (std::int64_t c = 0; c < classes_; ++c) {
    const ClassMetrics of_class = metrics(c);
    if (!std::isnan(of_class.dice)) {
      sum.iou += of_class.iou;
      sum.dice += of_class.dice;
      ++occurring;
    }
  }
  if (occurring == 0) {
    return {kNone, kNone};
  }
  const auto n = static_cast<double>(occurring);
  return {sum.iou / n, sum.dice / n};
}

}  // namespace headroom::train
