#include "core/formats/dicom_header.hpp"

#include <fmt/format.h>
#include <gdcmReader.h>
#include <gdcmSequenceOfItems.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"
#include "core/formats/gdcm_library.hpp"

namespace headroom::formats {

namespace {

/// Group and element of a tag in one number.
using TagCode = std::uint32_t;

constexpr TagCode kStorage = 0x0008'0016, kInstance = 0x0008'0018, kReferencedSeries = 0x0008'1115,
                  kPatient = 0x0010'0020, kThickness = 0x0018'0050, kBetweenSlices = 0x0018'0088,
                  kSeries = 0x0020'000e, kPosition = 0x0020'0032, kOrientation = 0x0020'0037,
                  kFrameCount = 0x0028'0008, kRows = 0x0028'0010, kColumns = 0x0028'0011,
                  kSpacing = 0x0028'0030, kIntercept = 0x0028'1052, kSlope = 0x0028'1053,
                  kSegmentationType = 0x0062'0001, kSegments = 0x0062'0002,
                  kSegmentNumber = 0x0062'0004, kSegmentLabel = 0x0062'0005,
                  kReferencedSegment = 0x0062'000b, kMostFractional = 0x0062'000e,
                  kSharedGroups = 0x5200'9229, kFrameGroups = 0x5200'9230;
// Sequences inside functional groups.
constexpr TagCode kPlanePosition = 0x0020'9113, kPlaneOrientation = 0x0020'9116,
                  kPixelMeasures = 0x0028'9110, kValueTransformation = 0x0028'9145,
                  kSegmentIdentification = 0x0062'000a;

constexpr const char* kSegmentationStorage = "1.2.840.10008.5.1.4.1.1.66.4";

using Group = const gdcm::DataSet*;

std::string_view bytes_of_element(const gdcm::DataSet& group, TagCode tag) {
  if (!group.FindDataElement(gdcm::Tag(tag))) return {};
  const gdcm::ByteValue* value = group.GetDataElement(gdcm::Tag(tag)).GetByteValue();
  return value == nullptr || value->GetPointer() == nullptr
             ? std::string_view()
             : std::string_view(value->GetPointer(), value->GetLength());
}

/// Texts of odd length are stored with a NUL or a space behind them.
std::string_view without_padding(std::string_view text) {
  constexpr std::string_view kPadding("\0 ", 2);
  const auto first = text.find_first_not_of(kPadding);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kPadding) - first + 1);
}

std::string text_of(const gdcm::DataSet& group, TagCode tag) {
  return std::string(without_padding(bytes_of_element(group, tag)));
}

/// A decimal or integer string of several values; empty where one of them is no number.
std::vector<double> numbers_of(const gdcm::DataSet& group, TagCode tag) {
  std::vector<double> numbers;
  std::string_view rest = bytes_of_element(group, tag);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\\'), rest.size());
    const auto number = base::parse_real(without_padding(rest.substr(0, end)));
    if (!number) return {};
    numbers.push_back(*number);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return numbers;
}

/// Of an unsigned 16-bit element, which GDCM gives in the machine's byte order; 0 without it.
std::int64_t short_of(const gdcm::DataSet& group, TagCode tag) {
  const std::string_view bytes = bytes_of_element(group, tag);
  std::uint16_t value = 0;
  if (bytes.size() >= sizeof(value)) std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

/// The items of a sequence, kept while this object lives.
class Items {
 public:
  Items(const gdcm::DataSet& group, TagCode tag) {
    if (group.FindDataElement(gdcm::Tag(tag)))
      items_ = group.GetDataElement(gdcm::Tag(tag)).GetValueAsSQ();
  }
  [[nodiscard]] std::size_t size() const {
    return items_ == nullptr ? 0 : static_cast<std::size_t>(items_->GetNumberOfItems());
  }
  /// Counted from 0.
  [[nodiscard]] const gdcm::DataSet& at(std::size_t index) const {
    const gdcm::SequenceOfItems& items = *items_;
    return items.GetItem(static_cast<gdcm::SequenceOfItems::SizeType>(index + 1))
        .GetNestedDataSet();
  }

 private:
  gdcm::SmartPointer<gdcm::SequenceOfItems> items_;
};

/// The groups in which an attribute of a frame may stand, the frame's own first.
class FrameGroups {
 public:
  FrameGroups(std::vector<Group> functional, Group whole)
      : functional_(std::move(functional)), whole_(whole) {}

  /// Inside `sequence` of a functional group, else in the file itself.
  [[nodiscard]] std::vector<double> numbers(TagCode sequence, TagCode tag) const {
    for (const Group group : functional_) {
      const Items items(*group, sequence);
      if (items.size() == 0) continue;
      std::vector<double> found = numbers_of(items.at(0), tag);
      if (!found.empty()) return found;
    }
    return numbers_of(*whole_, tag);
  }

  [[nodiscard]] std::int64_t segment() const {
    for (const Group group : functional_) {
      const Items items(*group, kSegmentIdentification);
      if (items.size() > 0) return short_of(items.at(0), kReferencedSegment);
    }
    return 0;
  }

 private:
  std::vector<Group> functional_;
  Group whole_;
};

std::optional<DicomPlane> plane_of(const FrameGroups& groups) {
  const auto position = groups.numbers(kPlanePosition, kPosition);
  const auto orientation = groups.numbers(kPlaneOrientation, kOrientation);
  if (position.size() != 3 || orientation.size() != 6) return std::nullopt;
  DicomPlane plane;
  std::copy_n(position.begin(), 3, plane.position.begin());
  std::copy_n(orientation.begin(), 3, plane.along_row.begin());
  std::copy_n(orientation.begin() + 3, 3, plane.along_column.begin());
  const auto spacing = groups.numbers(kPixelMeasures, kSpacing);
  if (spacing.size() == 2 && spacing[0] > 0 && spacing[1] > 0) {
    plane.row_spacing = spacing[0];
    plane.column_spacing = spacing[1];
  }
  for (const TagCode tag : {kBetweenSlices, kThickness}) {
    const auto thickness = groups.numbers(kPixelMeasures, tag);
    if (thickness.size() != 1 || !(thickness[0] > 0)) continue;
    plane.thickness = thickness[0];
    break;
  }
  return plane;
}

std::optional<ValueScaling> scaling_of(const FrameGroups& groups) {
  const auto slope = groups.numbers(kValueTransformation, kSlope);
  const auto intercept = groups.numbers(kValueTransformation, kIntercept);
  if (slope.size() != 1 && intercept.size() != 1) return std::nullopt;
  return ValueScaling{slope.size() == 1 ? slope[0] : 1, intercept.size() == 1 ? intercept[0] : 0};
}

std::vector<DicomFrame> frames_of(const gdcm::DataSet& whole) {
  const Items shared(whole, kSharedGroups), own(whole, kFrameGroups);
  const std::size_t described = std::max<std::size_t>(own.size(), 1);
  std::vector<DicomFrame> frames;
  for (std::size_t at = 0; at < described; ++at) {
    std::vector<Group> functional;
    if (own.size() > 0) functional.push_back(&own.at(at));
    if (shared.size() > 0) functional.push_back(&shared.at(0));
    const FrameGroups groups(std::move(functional), &whole);
    frames.push_back({plane_of(groups), scaling_of(groups), groups.segment()});
  }
  return frames;
}

void read_segments(const gdcm::DataSet& whole, DicomHeader& header) {
  header.segmentation_type = text_of(whole, kSegmentationType);
  header.most_fractional = short_of(whole, kMostFractional);
  const Items series(whole, kReferencedSeries);
  if (series.size() > 0) header.segmented_series = text_of(series.at(0), kSeries);
  const Items segments(whole, kSegments);
  for (std::size_t at = 0; at < segments.size(); ++at) {
    const std::int64_t number = short_of(segments.at(at), kSegmentNumber);
    const std::string label = text_of(segments.at(at), kSegmentLabel);
    header.segments.push_back(
        {number, label.empty() ? fmt::format("segment {}", number) : base::display_text(label)});
  }
}

DicomHeader header_of(const std::filesystem::path& file, const gdcm::DataSet& whole) {
  DicomHeader header{.file = file,
                     .patient = text_of(whole, kPatient),
                     .series = text_of(whole, kSeries),
                     .instance = text_of(whole, kInstance),
                     .height = short_of(whole, kRows),
                     .width = short_of(whole, kColumns)};
  if (header.height > 0 && header.width > 0) header.kind = DicomKind::image;
  const auto count = numbers_of(whole, kFrameCount);
  constexpr double kMostFrames = 1e9;
  if (count.size() == 1 && count[0] >= 1 && count[0] <= kMostFrames)
    header.frame_count = static_cast<std::int64_t>(count[0]);
  header.frames = frames_of(whole);
  if (text_of(whole, kStorage) == kSegmentationStorage && header.kind == DicomKind::image) {
    header.kind = DicomKind::segmentation;
    read_segments(whole, header);
  }
  return header;
}

}  // namespace

VoxelAffine affine_of(const DicomPlane& plane, const std::array<double, 3>& slice_step) {
  VoxelAffine affine{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // DICOM counts to the left and back, NIfTI to the right and front.
    const double sign = axis < 2 ? -1 : 1;
    affine[axis] = {sign * plane.along_row[axis] * plane.column_spacing,
                    sign * plane.along_column[axis] * plane.row_spacing, sign * slice_step[axis],
                    sign * plane.position[axis]};
  }
  return affine;
}

std::array<double, 3> normal_of(const DicomPlane& plane) {
  const auto& a = plane.along_row;
  const auto& b = plane.along_column;
  std::array<double, 3> normal = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                  a[0] * b[1] - a[1] * b[0]};
  const double length =
      std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  if (length > 0) {
    for (double& value : normal) value /= length;
  }
  return normal;
}

std::optional<DicomHeader> read_dicom_header(const std::filesystem::path& file) {
  prepare_gdcm();
  gdcm::Reader reader;
  reader.SetFileName(file.c_str());
  std::set<gdcm::Tag> tags;
  for (const TagCode tag : {kStorage,          kInstance,   kReferencedSeries,
                            kPatient,          kThickness,  kBetweenSlices,
                            kSeries,           kPosition,   kOrientation,
                            kFrameCount,       kRows,       kColumns,
                            kSpacing,          kIntercept,  kSlope,
                            kSegmentationType, kSegments,   kMostFractional,
                            kSharedGroups,     kFrameGroups})
    tags.insert(gdcm::Tag(tag));
  try {
    if (!reader.ReadSelectedTags(tags)) return std::nullopt;
    return header_of(file, reader.GetFile().GetDataSet());
  } catch (const std::exception&) {
    return std::nullopt;  // GDCM's own, for sequences that are cut or damaged
  }
}

}  // namespace headroom::formats
