#pragma once
// A scanned data folder as the dashboard shows it. Pure; any thread.

#include <filesystem>
#include <string>

#include "core/base/settings.hpp"
#include "core/data/sample.hpp"
#include "core/formats/scan.hpp"
#include "ui/data_folder.hpp"

namespace headroom::app {

struct FolderReading {
  std::filesystem::path folder{};
  base::Settings settings{};       ///< that it was read with
  data::Split split{};             ///< empty where there is none
  std::string split_problem{};     ///< not empty: why
  bool mapping_is_edited = false;  ///< in the dashboard
};

/// `dataset`: with the findings of the split.
[[nodiscard]] ui::DataFolder describe_folder(const formats::Dataset& dataset,
                                             FolderReading reading);

}  // namespace headroom::app
