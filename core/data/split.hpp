#pragma once
// Which samples are learned from and which only judge. Pure functions (lists are read once); any
// thread.

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/data/sample.hpp"
#include "core/data/split_lists.hpp"

namespace headroom::data {

/// The share of a split that is drawn and of which nobody said how large it is.
inline constexpr double kUsualShare = 0.2;

struct SplitOptions {
  std::string from = "auto";  ///< DataSettings::split
  std::string by = "sample";  ///< DataSettings::split_by
  std::int64_t folds = 0;     ///< 0: a share validates
  std::int64_t fold = 0;      ///< the part that validates, below folds
  std::int64_t seed = 0;
};

[[nodiscard]] SplitOptions split_options(const base::Settings& settings);

/// Splits as `options` say. "auto": by the samples' own sides, where some train and some validate
/// and neither groups nor folds are asked for, else the usual share. A share in (0, 1): groups of
/// samples (sample_groups.hpp) in an order drawn with the seed validate until it is reached, at
/// least one group on each side. Folds: the groups in that order, each to the fold that has the
/// fewest samples so far; every sample validates in exactly one. Else the lists of split_lists.hpp.
/// Samples whose own side is the test are left out of all but lists, with an info finding. Where
/// all samples are pages of one file, neighbouring ones validate, with a warning: they are alike.
/// Throws Error (usage): one sample or one group only, more folds than groups, a wrong share, and
/// what groups and lists throw.
[[nodiscard]] SplitResult make_split(const std::vector<Sample>& samples,
                                     const SplitOptions& options);

/// A warning for each class that has pixels on the validation side and none on the training side:
/// it cannot be learned. `class_pixels` is [sample][class].
[[nodiscard]] std::vector<base::Finding> find_unlearnable_classes(
    const Split& split, const std::vector<std::vector<std::int64_t>>& class_pixels,
    const std::vector<std::string>& class_names);

}  // namespace headroom::data
