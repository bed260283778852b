#pragma once
// What validation and training have in common and should not: a model is judged too well by what it
// has learned from. Pure; any one thread.

#include <vector>

#include "core/base/finding.hpp"
#include "core/data/sample.hpp"
#include "core/formats/scan.hpp"

namespace headroom::formats {

/// Warnings, each for a validation sample (its id is the finding's file) or a patient or series:
/// - leak-equal-pixels: a training sample has the same pixels
/// - leak-near-duplicate: one looks the same, by at most kNearDuplicateBits of 64; not within a
/// file,
///   patient or series, whose pictures are alike by nature
/// - leak-same-patient, leak-same-series: DICOM tags; a series only where its patient is unknown
/// - leak-overlap: georeferenced images show the same ground; not within an image
/// Of each code the first 20, then one that counts the others. Pictures of one value are like any
/// other of that kind and no leak.
[[nodiscard]] std::vector<base::Finding> find_leaks(const Dataset& dataset,
                                                    const data::Split& split);

}  // namespace headroom::formats
