#include "core/formats/annotation_rle_csv.hpp"

#include <fmt/format.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/run_lengths.hpp"
#include "core/formats/vector_file.hpp"

namespace headroom::formats {

namespace {

constexpr const char* kImageColumn = "ImageId";
constexpr const char* kRunColumn = "EncodedPixels";
constexpr const char* kClassColumn = "ClassId";

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

class RleTable {
 public:
  RleTable(const std::filesystem::path& root, const std::filesystem::path& file)
      : path_(root / file), dataset_(open_vector_file(path_, "CSV")) {
    document_.file = file;
  }

  AnnotationDocument run() {
    const GdalMessages messages;
    OGRLayer* rows = dataset_->GetLayer(0);
    if (rows == nullptr) fail("has no rows");
    const OGRFeatureDefn* columns = rows->GetLayerDefn();
    image_column_ = columns->GetFieldIndex(kImageColumn);
    run_column_ = columns->GetFieldIndex(kRunColumn);
    class_column_ = columns->GetFieldIndex(kClassColumn);
    if (image_column_ < 0 || run_column_ < 0)
      fail(fmt::format("has no columns {} and {}", kImageColumn, kRunColumn));
    std::int64_t number = 1;  // the header's
    while (const OGRFeatureUniquePtr row{rows->GetNextFeature()}) read_row(*row, ++number);
    return std::move(document_);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    throw base::Error(
        base::ErrorKind::unusable_data,
        {"reading the annotations", fmt::format("{}: it {}", base::display_path(path_), problem),
         fmt::format("give a table whose first line is {},{}", kImageColumn, kRunColumn)});
  }

  void read_row(const OGRFeature& row, std::int64_t number) {
    const std::string name = row.GetFieldAsString(image_column_);
    Annotation annotation{.name = class_of(row), .entry = fmt::format("row {}", number)};
    if (name.empty()) {
      document_.problems.add(base::Severity::error, "annotation-broken", annotation.entry,
                             "names no image", "give its ImageId");
      return;
    }
    AnnotatedImage& image = image_named(name);
    auto runs = parse_start_length_pairs(row.GetFieldAsString(run_column_));
    if (!runs) {
      image.problems.add(base::Severity::error, "annotation-broken", annotation.entry,
                         "has no pairs of first pixel (from 1 on) and length",
                         "correct its EncodedPixels");
      return;
    }
    if (runs->empty()) return;
    annotation.runs = std::move(*runs);
    image.annotations.push_back(std::move(annotation));
  }

  [[nodiscard]] std::string class_of(const OGRFeature& row) const {
    const std::string name = class_column_ < 0 ? "" : row.GetFieldAsString(class_column_);
    return name.empty() ? "object" : name;
  }

  AnnotatedImage& image_named(const std::string& name) {
    const auto [found, is_new] = image_of_.emplace(name, document_.images.size());
    if (is_new) document_.images.push_back({.document = document_.file, .name = name});
    return document_.images[found->second];
  }

  const std::filesystem::path path_;
  const GDALDatasetUniquePtr dataset_;
  int image_column_ = -1, run_column_ = -1, class_column_ = -1;
  AnnotationDocument document_;
  std::map<std::string, std::size_t> image_of_;
};

}  // namespace

bool is_rle_csv(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  constexpr std::size_t kLongestHeader = 4096;
  std::string header(kLongestHeader, '\0');
  stream.read(header.data(), kLongestHeader);
  header.resize(static_cast<std::size_t>(stream.gcount()));
  header = lower(header.substr(0, header.find('\n')));
  return header.find(lower(kImageColumn)) != std::string::npos &&
         header.find(lower(kRunColumn)) != std::string::npos;
}

AnnotationDocument parse_rle_csv(const std::filesystem::path& root,
                                 const std::filesystem::path& file) {
  return RleTable(root, file).run();
}

}  // namespace headroom::formats
