#include "core/formats/dicom_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/interruption.hpp"
#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace {

using base::Severity;

constexpr double kSamePlaceMm = 1e-3;
constexpr double kSameDirection = 1e-3;  ///< difference of direction cosines

struct Slice {
  std::string patient{}, series{}, instance{};
  std::filesystem::path file{};
  std::int64_t frame = 0, height = 0, width = 0;
  DicomPlane plane{};
  double position = 0;
};

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Whether two slices can lie on one stack.
bool are_alike(const Slice& a, const Slice& b) {
  if (a.height != b.height || a.width != b.width) return false;
  const auto differ = [](double x, double y, double most) { return !(std::abs(x - y) <= most); };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (differ(a.plane.along_row[axis], b.plane.along_row[axis], kSameDirection) ||
        differ(a.plane.along_column[axis], b.plane.along_column[axis], kSameDirection))
      return false;
  }
  return !differ(a.plane.column_spacing, b.plane.column_spacing, kSamePlaceMm) &&
         !differ(a.plane.row_spacing, b.plane.row_spacing, kSamePlaceMm);
}

std::string name_of(const Slice& slice) {
  const std::string file = base::display_path(slice.file);
  return slice.frame == 0 ? file : fmt::format("{}, frame {}", file, slice.frame + 1);
}

/// Slices of one series that are alike, in the order of their positions.
class Stack {
 public:
  Stack(std::vector<Slice> slices, std::vector<base::Finding>& findings)
      : slices_(std::move(slices)), findings_(findings) {
    std::ranges::sort(slices_, {}, [](const Slice& slice) {
      return std::tie(slice.position, slice.file, slice.frame);
    });
  }

  /// Nothing where the slices make no volume; the finding says why.
  std::optional<DicomSeries> series() {
    leave_out_copies();
    if (has_equal_positions() || has_gap()) return std::nullopt;
    DicomSeries series{
        .uid = slices_.front().series, .patient = slices_.front().patient, .geometry = geometry()};
    for (Slice& slice : slices_) {
      series.files.push_back(std::move(slice.file));
      series.frames.push_back(slice.frame);
      series.positions.push_back(slice.position);
    }
    return series;
  }

 private:
  [[nodiscard]] double step_before(std::size_t index) const {
    return slices_[index].position - slices_[index - 1].position;
  }

  void leave_out_copies() {
    for (std::size_t i = 1; i < slices_.size();) {
      const Slice &one = slices_[i - 1], &other = slices_[i];
      const bool is_copy = step_before(i) <= kSamePlaceMm && !one.instance.empty() &&
                           one.instance == other.instance && one.frame == other.frame;
      if (!is_copy) {
        ++i;
        continue;
      }
      findings_.push_back({Severity::warning, "slice-twice", base::display_path(other.file),
                           fmt::format("it is {} once more (equal SOPInstanceUID) and is left out",
                                       base::display_path(one.file))});
      slices_.erase(slices_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  bool has_equal_positions() {
    for (std::size_t i = 1; i < slices_.size(); ++i) {
      if (step_before(i) > kSamePlaceMm) continue;
      findings_.push_back(
          {Severity::error, "slices-at-one-position", base::display_path(slices_[i].file),
           fmt::format("{} lies where {} lies, at {:.6g} mm along the series {}; remove one of "
                       "them, or put each volume into a folder and series of its own",
                       name_of(slices_[i]), name_of(slices_[i - 1]), slices_[i].position,
                       slices_[i].series)});
      return true;
    }
    return false;
  }

  bool has_gap() {
    if (slices_.size() < 3) return false;
    std::vector<double> steps;
    for (std::size_t i = 1; i < slices_.size(); ++i) steps.push_back(step_before(i));
    std::ranges::sort(steps);
    const double usual = steps[steps.size() / 2];
    constexpr double kMostDifference = 0.1;
    for (std::size_t i = 1; i < slices_.size(); ++i) {
      if (std::abs(step_before(i) - usual) <= kMostDifference * usual + kSamePlaceMm) continue;
      findings_.push_back(
          {Severity::error, "slices-missing", base::display_path(slices_[i].file),
           fmt::format("between {} and {} lie {:.6g} mm, between most slices of the series {} lie "
                       "{:.6g} mm; add the slices that are missing, or remove the series",
                       name_of(slices_[i - 1]), name_of(slices_[i]), step_before(i),
                       slices_[i].series, usual)});
      return true;
    }
    return false;
  }

  [[nodiscard]] VolumeGeometry geometry() const {
    const DicomPlane& first = slices_.front().plane;
    const auto count = static_cast<std::int64_t>(slices_.size());
    std::array<double, 3> step = normal_of(first);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // From end to end, so that slices that are shifted against each other stay where they are.
      const double all = slices_.back().plane.position[axis] - first.position[axis];
      step[axis] = count > 1 ? all / static_cast<double>(count - 1) : step[axis] * first.thickness;
    }
    return {.sizes = {slices_.front().width, slices_.front().height, count},
            .affine = affine_of(first, step)};
  }

  std::vector<Slice> slices_;
  std::vector<base::Finding>& findings_;
};

class SeriesSearch {
 public:
  explicit SeriesSearch(const std::filesystem::path& root) : root_(root) {}

  DicomSeriesList run(const std::vector<std::filesystem::path>& files,
                      const std::stop_token& stop) {
    for (const auto& file : files) {
      base::throw_if_stopped(stop, "reading DICOM headers");
      sort_in(file);
    }
    std::ranges::stable_sort(slices_, {}, &Slice::series);
    for (auto first = slices_.begin(); first != slices_.end();) {
      const auto last = std::find_if(
          first, slices_.end(), [&](const Slice& slice) { return slice.series != first->series; });
      take_series({std::make_move_iterator(first), std::make_move_iterator(last)});
      first = last;
    }
    return std::move(list_);
  }

 private:
  void sort_in(const std::filesystem::path& file) {
    auto header = read_dicom_header(root_ / file);
    if (header) header->file = file;
    if (!header || header->kind == DicomKind::no_pixels) {
      warn("no-picture", file, "it is DICOM without a picture and is left out");
    } else if (header->kind == DicomKind::segmentation) {
      list_.segmentations.push_back(std::move(*header));
    } else {
      add_slices(*header);
    }
  }

  void add_slices(const DicomHeader& header) {
    const bool has_positions =
        static_cast<std::int64_t>(header.frames.size()) == header.frame_count &&
        std::ranges::all_of(header.frames,
                            [](const DicomFrame& frame) { return frame.plane.has_value(); });
    if (!has_positions) {
      warn("no-slice-position", header.file,
           "it has no position or orientation, so it belongs to no volume; remove it, or give it "
           "as a picture of its own");
      return;
    }
    for (std::size_t frame = 0; frame < header.frames.size(); ++frame) {
      const DicomPlane& plane = *header.frames[frame].plane;
      slices_.push_back({.patient = header.patient,
                         .series = header.series,
                         .instance = header.instance,
                         .file = header.file,
                         .frame = static_cast<std::int64_t>(frame),
                         .height = header.height,
                         .width = header.width,
                         .plane = plane,
                         .position = dot(plane.position, normal_of(plane))});
    }
  }

  void take_series(std::vector<Slice> slices) {
    std::vector<std::vector<Slice>> kinds;
    for (Slice& slice : slices) {
      const auto kind = std::ranges::find_if(
          kinds, [&](const auto& others) { return are_alike(others.front(), slice); });
      if (kind == kinds.end()) {
        kinds.push_back({std::move(slice)});
      } else {
        kind->push_back(std::move(slice));
      }
    }
    for (std::size_t i = 1; i < kinds.size(); ++i) {
      warn("slices-differ", kinds[i].front().file,
           fmt::format("{} slices of the series {}, this one first, have another orientation, size "
                       "or spacing than {}; they are a volume of their own",
                       kinds[i].size(), kinds[i].front().series,
                       base::display_path(kinds[0].front().file)));
    }
    for (auto& kind : kinds) {
      if (auto series = Stack(std::move(kind), list_.findings).series())
        list_.series.push_back(std::move(*series));
    }
  }

  void warn(const char* code, const std::filesystem::path& file, std::string message) {
    list_.findings.push_back(
        {Severity::warning, code, base::display_path(file), std::move(message)});
  }

  const std::filesystem::path& root_;
  std::vector<Slice> slices_;
  DicomSeriesList list_;
};

}  // namespace

DicomSeriesList find_dicom_series(const std::filesystem::path& root,
                                  const std::vector<std::filesystem::path>& files,
                                  const std::stop_token& stop) {
  return SeriesSearch(root).run(files, stop);
}

}  // namespace headroom::formats
