#pragma once
// Data folders as a scan describes them, with invented but consistent values, and some that
// contradict themselves.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/run/snapshot.hpp"
#include "ui/data_folder.hpp"

namespace headroom::tests {

struct SampleFolder {
  std::size_t samples = 45;
  /// Values of the masks: 0, 64, 128 and 192 are classes, 255 is ignored and 63 stray; with more
  /// than these the values are 0 … n - 1, the first 254 of them classes.
  std::size_t mask_values = 6;
  std::size_t findings = 5;  ///< an error about sample 3, warnings and notes in turn
  bool has_error = false;
};

using SharedFolder = std::shared_ptr<const ui::DataFolder>;

[[nodiscard]] SharedFolder sample_folder(const SampleFolder& sample = {});

/// With the chosen sample, and thumbnails of the first ones.
[[nodiscard]] ui::SamplePictures sample_pictures(const SharedFolder& folder,
                                                 std::size_t chosen = 0);

/// A run on it that has not started.
[[nodiscard]] run::RunSnapshot run_ready_on(const ui::DataFolder& folder);

struct HostileFolder {
  std::string name{};
  SharedFolder folder{};
};
[[nodiscard]] std::vector<HostileFolder> hostile_folders();

}  // namespace headroom::tests
