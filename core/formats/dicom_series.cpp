#include "core/formats/dicom_series.hpp"

#include <fmt/format.h>
#include <gdcmAttribute.h>
#include <gdcmReader.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/gdcm_library.hpp"

namespace headroom::formats {

namespace {

using SeriesUid = gdcm::Attribute<0x0020, 0x000e>;
using Position = gdcm::Attribute<0x0020, 0x0032>;
using Orientation = gdcm::Attribute<0x0020, 0x0037>;

struct Slice {
  std::string series{};
  double position = 0;
  std::filesystem::path file{};
};

using Vector = std::array<double, 3>;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// A text of odd length is stored with a NUL or a space behind it.
std::string without_padding(const std::string& text) {
  const auto last = text.find_last_not_of(std::string_view("\0 ", 2));
  return text.substr(0, last == std::string::npos ? 0 : last + 1);
}

std::optional<Slice> read_slice(const std::filesystem::path& file) {
  gdcm::Reader reader;
  reader.SetFileName(file.c_str());
  const std::set<gdcm::Tag> tags = {SeriesUid::GetTag(), Position::GetTag(), Orientation::GetTag()};
  if (!reader.ReadSelectedTags(tags)) return std::nullopt;
  const gdcm::DataSet& header = reader.GetFile().GetDataSet();
  for (const gdcm::Tag& tag : {Position::GetTag(), Orientation::GetTag()}) {
    if (!header.FindDataElement(tag) || header.GetDataElement(tag).IsEmpty()) return std::nullopt;
  }
  SeriesUid uid;
  uid.SetFromDataSet(header);
  Position position;
  position.SetFromDataSet(header);
  Orientation orientation;
  orientation.SetFromDataSet(header);
  const Vector row = {orientation.GetValue(0), orientation.GetValue(1), orientation.GetValue(2)};
  const Vector column = {orientation.GetValue(3), orientation.GetValue(4), orientation.GetValue(5)};
  const Vector origin = {position.GetValue(0), position.GetValue(1), position.GetValue(2)};
  return Slice{without_padding(uid.GetValue()), dot(origin, cross(row, column)), file};
}

void report_equal_positions(const DicomSeries& series, std::vector<base::Finding>& findings) {
  constexpr double kSamePlaceMm = 1e-3;
  for (std::size_t i = 1; i < series.files.size(); ++i) {
    if (series.positions[i] - series.positions[i - 1] > kSamePlaceMm) continue;
    findings.push_back(
        {base::Severity::warning, "slices-at-one-position", base::display_path(series.files[i]),
         fmt::format("it lies where {} lies, at {} mm; remove one of them",
                     base::display_path(series.files[i - 1].filename()), series.positions[i])});
  }
}

}  // namespace

DicomSeriesList find_dicom_series(const std::vector<std::filesystem::path>& files) {
  prepare_gdcm();
  DicomSeriesList list;
  std::vector<Slice> slices;
  for (const auto& file : files) {
    if (auto slice = read_slice(file)) {
      slices.push_back(std::move(*slice));
    } else {
      list.findings.push_back({base::Severity::warning, "no-slice-position",
                               base::display_path(file),
                               "it has no series, position or orientation, so it belongs to no "
                               "volume; remove it, or give it as a picture of its own"});
    }
  }
  std::ranges::sort(slices, {}, [](const Slice& slice) {
    return std::tie(slice.series, slice.position, slice.file);
  });
  for (Slice& slice : slices) {
    if (list.series.empty() || list.series.back().uid != slice.series)
      list.series.push_back({.uid = slice.series});
    list.series.back().files.push_back(std::move(slice.file));
    list.series.back().positions.push_back(slice.position);
  }
  for (const DicomSeries& series : list.series) report_equal_positions(series, list.findings);
  return list;
}

}  // namespace headroom::formats
