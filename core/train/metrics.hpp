#pragma once
// Scores of predicted label images: one confusion matrix over every pixel of every image that is
// added, ignored pixels left out. A value; free of torch.

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/image.hpp"

namespace headroom::train {

/// Intersection over union and Dice (F1) of one class; NaN where it is in neither truth nor
/// prediction.
struct ClassMetrics {
  double iou = 0;
  double dice = 0;
};

class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::int64_t classes);

  /// Counts every pixel whose truth is not base::kIgnoreLabel. Throws base::Error (internal) when
  /// the lengths differ or a label is no class; then nothing was counted.
  void add(std::span<const std::uint8_t> truth, std::span<const std::uint8_t> prediction);
  void add(const base::LabelImage& truth, const base::LabelImage& prediction);

  /// `other` has as many classes.
  ConfusionMatrix& operator+=(const ConfusionMatrix& other);

  [[nodiscard]] std::int64_t classes() const { return classes_; }
  /// Pixels of class `truth` that were predicted as `prediction`.
  [[nodiscard]] std::int64_t count(std::int64_t truth, std::int64_t prediction) const;
  /// All pixels counted.
  [[nodiscard]] std::int64_t pixels() const;
  [[nodiscard]] ClassMetrics metrics(std::int64_t class_id) const;
  /// Means over the classes that occur in truth or prediction, background included; NaN when no
  /// pixel was counted.
  [[nodiscard]] ClassMetrics mean() const;

 private:
  std::int64_t classes_;
  std::vector<std::int64_t> counts_;  ///< [truth, prediction]
};

}  // namespace headroom::train
