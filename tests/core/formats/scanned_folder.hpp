#pragma once
// A folder of small rasters and what a scan of it says.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/io_error.hpp"
#include "core/formats/scan.hpp"
#include "tests/core/formats/raster_files.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::tests {

class ScannedFolder : public testing::Test {
 protected:
  /// A grey image and a mask of the values 0 and 255.
  void add_pair(const std::filesystem::path& image, const std::filesystem::path& mask) const {
    write_grey(folder_ / image, 2, 3, 9);
    write_grey(folder_ / mask, 2, 3, std::vector<double>{0, 0, 0, 0, 255, 255});
  }
  /// 2 rows, 3 columns of one value.
  void add_grey(const std::filesystem::path& file, double value) const {
    write_grey(folder_ / file, 2, 3, value);
  }
  void add_mask(const std::filesystem::path& file, const std::vector<double>& values) const {
    write_grey(folder_ / file, 2, 3, values);
  }
  void add_text(const std::filesystem::path& file, const std::string& text) const {
    write_text(in_folder(folder_ / file), text);
  }

  [[nodiscard]] formats::Dataset scan(const std::string& layout = "auto") const {
    return formats::scan_dataset({.folder = folder_.path(), .layout = layout});
  }
  [[nodiscard]] formats::Dataset scan_with(base::MissingMasks missing_masks) const {
    return formats::scan_dataset({.folder = folder_.path(), .missing_masks = missing_masks});
  }
  [[nodiscard]] base::Error scan_error(const std::string& layout = "auto") const {
    const auto error = thrown_error([&] { static_cast<void>(scan(layout)); });
    return error ? *error : base::Error(base::ErrorKind::internal, {"", "", ""});
  }

  static std::vector<std::string> ids(const formats::Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& sample : dataset.samples) result.push_back(sample.id);
    return result;
  }
  /// Relative to the folder, by sample; "" where there is none.
  [[nodiscard]] std::vector<std::string> masks(const formats::Dataset& dataset) const {
    std::vector<std::string> result;
    for (const auto& sample : dataset.samples) {
      result.push_back(
          sample.mask.empty() ? "" : sample.mask.lexically_relative(folder_.path()).string());
    }
    return result;
  }
  /// "code file" of each finding.
  static std::vector<std::string> findings(const formats::Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& finding : dataset.summary.findings)
      result.push_back(finding.code + " " + finding.file);
    return result;
  }
  /// "severity code: message" of each finding.
  static std::vector<std::string> told(const formats::Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& finding : dataset.summary.findings)
      result.push_back(std::string(base::name_of(finding.severity)) + " " + finding.code + ": " +
                       finding.message);
    return result;
  }
  static std::vector<int> labels(const formats::Dataset& dataset, std::size_t sample = 0) {
    const auto decoded = formats::make_sample_reader(dataset)->read(dataset.samples.at(sample));
    return {decoded.labels.labels.begin(), decoded.labels.labels.end()};
  }
  /// Of the first finding with this code; "" where there is none.
  static std::string message_of(const formats::Dataset& dataset, const std::string& code) {
    for (const auto& finding : dataset.summary.findings) {
      if (finding.code == code) return finding.message;
    }
    return "";
  }
  static std::vector<std::string> class_names(const formats::Dataset& dataset) {
    std::vector<std::string> result;
    for (const auto& entry : dataset.summary.classes) result.push_back(entry.name);
    return result;
  }

  const TemporaryFolder folder_;
};

}  // namespace headroom::tests
