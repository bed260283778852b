#include "app/report_pictures.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_writer.hpp"
#include "core/formats/reduced_picture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostWidth = 1200;

/// "step_000240" of "step_000240_validation_0.png"; empty for other names.
std::string step_of(const fs::path& file) {
  const std::string name = file.filename().native();
  if (!name.starts_with("step_") || file.extension() != ".png") return {};
  return name.substr(0, name.find('_', std::string("step_").size()));
}

/// Sorted, of the highest step. Longer numbers are higher ones.
std::vector<fs::path> latest_pictures(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    if (!step_of(entry->path()).empty()) files.push_back(entry->path());
  }
  const auto rank = [](const fs::path& file) {
    const std::string step = step_of(file);
    return std::pair(step.size(), step);
  };
  if (files.empty()) return files;
  const auto latest = rank(*std::ranges::max_element(files, {}, rank));
  std::erase_if(files, [&](const fs::path& file) { return rank(file) != latest; });
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<run::ReportPicture> read_report_pictures(const fs::path& run_folder,
                                                     std::int64_t most_bytes,
                                                     std::vector<run::RecordGap>& gaps) {
  std::vector<run::ReportPicture> pictures;
  for (const fs::path& file : latest_pictures(run_folder / "previews")) {
    const std::string name = "previews/" + base::display_path(file.filename());
    try {
      const base::Image image = formats::read_reduced_png(file, kMostWidth);
      std::string jpeg = formats::jpeg_of(image);
      most_bytes -= std::ssize(jpeg);
      if (most_bytes < 0) {
        gaps.push_back(
            {name, "and the ones after it are left out: the report would grow too large"});
        break;
      }
      pictures.push_back(
          {.file = name, .jpeg = std::move(jpeg), .height = image.height, .width = image.width});
    } catch (const base::Error&) {
      gaps.push_back({name, "could not be read and is left out"});
    }
  }
  return pictures;
}

}  // namespace headroom::app
