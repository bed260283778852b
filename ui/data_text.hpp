#pragma once
// What a scan understood, in words. Pure; any thread.

#include <cstdint>
#include <string>

#include "core/base/dataset_summary.hpp"
#include "ui/data_folder.hpp"

namespace headroom::ui {

/// "797 × 644" or "509 × 544 to 2 149 × 1 817", width first; an en dash where there is no sample.
[[nodiscard]] std::string sizes_text(const base::DatasetSummary& data);

/// How the files lie: "Folders of tiles, each with images and masks".
[[nodiscard]] std::string layout_sentence(const base::DatasetSummary& data);

/// "3, 8 bit", "1, 16 bit signed", "8, 32 bit real".
[[nodiscard]] std::string channels_text(const base::DatasetSummary& data);

/// Of all pixels of the masks; 0 where there is none.
[[nodiscard]] double ignored_share(const base::DatasetSummary& data);

/// Of a share in 0 … 1: "86.12 %", "0.80 %", "0.004 %", "< 0.001 %", "0 %".
[[nodiscard]] std::string share_text(double share);

/// As a table has room for: "4 120", "33.1 M", "2.04 G"; exact below 100 000.
[[nodiscard]] std::string pixels_text(std::int64_t pixels);

/// How the samples were split: "20 % for validation, drawn with seed 7", "by folds.json".
[[nodiscard]] std::string split_sentence(const DataFolder& data);

/// The settings that differ among those that a scan and a split depend on: "split, seed"; empty
/// where there is none.
[[nodiscard]] std::string changed_settings(const base::Settings& read_with,
                                           const base::Settings& now);

struct SideCounts {
  std::int64_t training = 0, validation = 0, none = 0;
};
[[nodiscard]] SideCounts count_sides(const DataFolder& data);

}  // namespace headroom::ui
