#pragma once
// The open data folder as the workspace Data shows it: what a scan understood, its samples with
// their side of the split, and pictures of them. Values that the program makes in the background;
// never changed once they are shared.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/dataset_summary.hpp"
#include "core/base/settings.hpp"
#include "core/run/preview.hpp"
#include "ui/texture_source.hpp"

namespace headroom::ui {

enum class SplitSide { none, training, validation };

struct FolderSample {
  std::string id{};
  std::string label{};  ///< what of it tells the folder's samples apart, for narrow places
  std::string mask{};   ///< its path in the folder
  std::int64_t height = 0, width = 0;
  SplitSide side = SplitSide::none;
  std::vector<std::int64_t> class_pixels{};  ///< by class id
  std::optional<base::Severity> worst{};     ///< of the findings about it
};

struct DataFolder {
  std::filesystem::path folder{};
  base::Settings settings{};       ///< that it was read with
  base::DatasetSummary summary{};  ///< with the findings of the split
  base::ClassMapping mapping{};    ///< as the scan applied it
  std::string mapping_source{};    ///< "proposed", "given", "classes.json"
  std::vector<FolderSample> samples{};
  std::vector<std::optional<std::size_t>> sample_of_finding{};  ///< by finding: whom it is about
  std::string split_problem{};  ///< not empty: why no sample has a side
};

/// One sample as the preview shows it.
struct SampleView {
  std::size_t sample = 0;        ///< index into DataFolder::samples
  run::SharedPreview picture{};  ///< with truth and without a prediction; null: it cannot be shown
  std::string problem{};         ///< why
};

/// What of a folder's samples can be seen so far.
struct SamplePictures {
  std::shared_ptr<const DataFolder> of{};  ///< null: none was asked for yet
  std::optional<SampleView> chosen{};      ///< the latest one that was asked for and is there
  std::map<std::size_t, SharedPicture> thumbnails{};  ///< by sample; null: it cannot be shown
};

}  // namespace headroom::ui
