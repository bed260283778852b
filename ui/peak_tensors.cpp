#include "ui/peak_tensors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ui/number_text.hpp"

namespace headroom::ui {
namespace {

constexpr std::size_t kRows = 10;

std::size_t shown(const plan::StepTimeline& timeline) {
  return std::min(kRows, timeline.peak_tensors.size());
}

/// "2x32x256x256 fp32, 16.0 MiB"; of what was no tensor the bytes alone.
std::string value_of(const plan::PeakTensor& tensor) {
  const std::string bytes = bytes_text(tensor.bytes);
  if (tensor.dtype.empty()) return bytes;
  return fmt::format("{}{}{}, {}", fmt::join(tensor.shape, "x"), tensor.shape.empty() ? "" : " ",
                     tensor.dtype, bytes);
}

}  // namespace

std::vector<ValueRow> peak_rows(const plan::StepTimeline& timeline,
                                std::span<const ImVec4> colours) {
  std::vector<ValueRow> rows;
  for (std::size_t i = 0; i < shown(timeline); ++i) {
    const plan::PeakTensor& tensor = timeline.peak_tensors[i];
    ValueRow row{.label = tensor.role, .value = value_of(tensor)};
    if (tensor.owner >= 0 && !colours.empty()) {
      row.colour = colours[std::min(static_cast<std::size_t>(tensor.owner), colours.size() - 1)];
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string peak_note(const plan::StepTimeline& timeline) {
  std::string note;
  const std::size_t more = timeline.peak_tensors.size() - shown(timeline);
  if (more > 0) {
    std::int64_t bytes = 0;
    for (std::size_t i = shown(timeline); i < timeline.peak_tensors.size(); ++i) {
      bytes += timeline.peak_tensors[i].bytes;
    }
    note = fmt::format("and {} smaller, {}", more, bytes_text(bytes));
  }
  if (timeline.peak_unnamed_blocks > 0) {
    note += fmt::format("{}not named: {} in {} block{}", note.empty() ? "" : "; ",
                        bytes_text(timeline.peak_unnamed_bytes), timeline.peak_unnamed_blocks,
                        timeline.peak_unnamed_blocks == 1 ? "" : "s");
  }
  return note;
}

}  // namespace headroom::ui
