#include "ui/data_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "core/base/settings_schema.hpp"
#include "core/base/text_number.hpp"
#include "ui/number_text.hpp"
#include "ui/window_words.hpp"

namespace headroom::ui {
namespace {

using base::PixelType;

constexpr const char* kTimes = "\xC3\x97";
constexpr const char* kThinSpace = "\xE2\x80\x89";

/// Rows of the group data that do not change what a scan or a split finds.
constexpr std::array<std::string_view, 4> kAfterScan = {"normalise", "window", "loader_threads",
                                                        "cache"};

bool is_of_scan(const base::SettingRow& row) {
  if (row.key == "seed") return true;
  return row.group == base::SettingGroup::data &&
         std::ranges::find(kAfterScan, row.key) == kAfterScan.end();
}

const char* depth_text(PixelType type) {
  switch (type) {
    case PixelType::u8:
      return "8 bit";
    case PixelType::u16:
      return "16 bit";
    case PixelType::i16:
      return "16 bit signed";
    case PixelType::u32:
      return "32 bit";
    case PixelType::i32:
      return "32 bit signed";
    case PixelType::f32:
      return "32 bit real";
    case PixelType::f64:
      break;
  }
  return "64 bit real";
}

}  // namespace

std::string sizes_text(const base::DatasetSummary& data) {
  if (data.samples <= 0) return kNone;
  const auto size = [](std::int64_t width, std::int64_t height) {
    return fmt::format("{} {} {}", count_text(width), kTimes, count_text(height));
  };
  const std::string largest = size(data.max_width, data.max_height);
  if (data.min_width == data.max_width && data.min_height == data.max_height) return largest;
  return size(data.min_width, data.min_height) + " to " + largest;
}

std::string layout_sentence(const base::DatasetSummary& data) {
  constexpr std::array<std::pair<std::string_view, const char*>, 4> kSentences = {{
      {"images-masks", "Images and masks in folders of their own, paired by name"},
      {"tiles", "Folders of tiles, each with images and masks"},
      {"split-folders", "Training and validation in folders of their own"},
      {"suffix-pairs", "Images and masks side by side, told apart by their names' ends"},
  }};
  for (const auto& [name, sentence] : kSentences) {
    if (data.layout == name) return sentence;
  }
  return data.layout.empty() ? std::string() : "Layout " + data.layout;
}

std::string channels_text(const base::DatasetSummary& data) {
  if (data.samples <= 0) return kNone;
  return fmt::format("{}, {}", count_text(data.channels), depth_text(data.type));
}

double ignored_share(const base::DatasetSummary& data) {
  const auto ignored = static_cast<double>(data.ignored_pixels);
  double pixels = ignored;
  for (const base::ClassSummary& each : data.classes) pixels += static_cast<double>(each.pixels);
  return pixels > 0 ? ignored / pixels : 0;
}

std::string share_text(double share) {
  const double percent = share * 100;
  if (!std::isfinite(percent) || percent < 0) return kNone;
  if (percent == 0) return "0 %";
  if (percent < 0.001) return "< 0.001 %";
  if (percent < 0.01) return fmt::format("{:.3f} %", percent);
  return fmt::format("{:.2f} %", percent);
}

std::string pixels_text(std::int64_t pixels) {
  constexpr std::int64_t kMany = 100'000;
  if (pixels < kMany) return count_text(pixels);
  constexpr std::array<const char*, 4> kUnits = {"k", "M", "G", "T"};
  double value = static_cast<double>(pixels) / 1e3;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1e3;
    ++unit;
  }
  const int decimals = value >= 99.95 ? 0 : (value >= 9.995 ? 1 : 2);
  return fmt::format("{:.{}f}{}{}", value, decimals, kThinSpace, kUnits[unit]);
}

std::string split_sentence(const DataFolder& data) {
  const base::DataSettings& settings = data.settings.data;
  const std::string seed = fmt::format(", drawn with seed {}", data.settings.step.seed);
  const std::string by =
      settings.split_by == "sample" ? "" : ", by " + base::display_text(settings.split_by);
  if (settings.folds > 0) {
    return fmt::format("part {} of {} for validation{}{}", settings.fold + 1, settings.folds, by,
                       seed);
  }
  if (const auto share = base::parse_real(settings.split))
    return fmt::format("{:.3g} % for validation{}{}", *share * 100, by, seed);
  if (settings.split != "auto") return "by " + base::name_of_folder(settings.split);
  const bool has_sides = std::ranges::any_of(
      data.summary.findings,
      [](const base::Finding& finding) { return finding.code == "sides-of-the-data"; });
  return has_sides ? "by the data's own folders or lists" : "a fifth for validation" + by + seed;
}

std::string changed_settings(const base::Settings& read_with, const base::Settings& now) {
  std::string changed;
  for (const base::SettingRow& row : base::settings_schema()) {
    if (!is_of_scan(row) || base::text_of(read_with, row) == base::text_of(now, row)) continue;
    changed += (changed.empty() ? "" : ", ") + setting_label(row);
  }
  return changed;
}

SideCounts count_sides(const DataFolder& data) {
  SideCounts counts;
  for (const FolderSample& sample : data.samples) {
    if (sample.side == SplitSide::training) ++counts.training;
    if (sample.side == SplitSide::validation) ++counts.validation;
    if (sample.side == SplitSide::none) ++counts.none;
  }
  return counts;
}

}  // namespace headroom::ui
