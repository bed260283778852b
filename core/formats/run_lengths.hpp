#pragma once
// Run-length encodings of object masks. Pure; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/formats/annotation.hpp"

namespace headroom::formats {

/// COCO's compressed counts: as maskApi.c (pycocotools) writes them, five bits a character from
/// '0' on, from the fourth count on as the difference to the one before the last. Nothing where the
/// text is no such encoding.
[[nodiscard]] std::optional<std::vector<std::int64_t>> parse_compressed_counts(
    std::string_view text);

/// The runs of the object from counts of pixels outside, inside, outside, … down the columns.
/// Nothing for a negative count, or counts that exceed `pixels` together.
[[nodiscard]] std::optional<std::vector<ColumnRun>> runs_of_counts(
    std::span<const std::int64_t> counts, std::int64_t pixels);

/// Kaggle's "45465 3 45984 6": first pixel, counted from 1 down the columns, and length, again and
/// again. Nothing where a number is missing, or one is below 1.
[[nodiscard]] std::optional<std::vector<ColumnRun>> parse_start_length_pairs(std::string_view text);

}  // namespace headroom::formats
