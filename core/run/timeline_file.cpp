#include "core/run/timeline_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/run/csv.hpp"

namespace headroom::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using plan::StepTimeline;

/// Empty where no owner was at work.
std::string owner_name(const StepTimeline& timeline, int owner) {
  return owner >= 0 && static_cast<std::size_t>(owner) < timeline.owners.size()
             ? timeline.owners[static_cast<std::size_t>(owner)]
             : std::string();
}

Json owner_json(const StepTimeline& timeline, int owner) {
  const std::string name = owner_name(timeline, owner);
  return name.empty() ? Json(nullptr) : Json(name);
}

/// What is at work at a time; the first span where that lies before all.
plan::TimelineSpan span_at(const StepTimeline& timeline, double seconds) {
  const auto after =
      std::ranges::upper_bound(timeline.spans, seconds, {}, &plan::TimelineSpan::begin_seconds);
  if (after != timeline.spans.begin()) return *std::prev(after);
  return timeline.spans.empty() ? plan::TimelineSpan{} : timeline.spans.front();
}

std::string plan_text(const StepTimeline& timeline) {
  const auto stages =
      static_cast<std::ptrdiff_t>(std::min(timeline.plan.size(), timeline.owners.size()));
  return plan::to_string(timeline.plan,
                         {timeline.owners.begin(), timeline.owners.begin() + stages});
}

Json tensor_json(const StepTimeline& timeline, const plan::PeakTensor& tensor) {
  return {{"bytes", tensor.bytes},
          {"role", tensor.role},
          {"shape", tensor.shape},
          {"dtype", tensor.dtype.empty() ? Json(nullptr) : Json(tensor.dtype)},
          {"stage", owner_json(timeline, tensor.owner)},
          {"phase", plan::name_of(tensor.phase)}};
}

Json peak_json(const StepTimeline& timeline) {
  const std::size_t point = timeline.peak_point;
  Json by_owner, by_phase, tensors = Json::array();
  for (std::size_t owner = 0; owner < timeline.owners.size(); ++owner) {
    by_owner[timeline.owners[owner]] = timeline.bytes(point, owner);
  }
  for (std::size_t phase = 0; phase < plan::kPhases; ++phase) {
    by_phase[plan::kPhaseNames[phase]] = timeline.peak_bytes_by_phase[phase];
  }
  for (const plan::PeakTensor& tensor : timeline.peak_tensors) {
    tensors.push_back(tensor_json(timeline, tensor));
  }
  return {{"seconds", timeline.seconds.at(point)},
          {"bytes", timeline.total_bytes(point)},
          {"phase", plan::name_of(timeline.peak_phase)},
          {"stage", owner_json(timeline, timeline.peak_owner)},
          {"bytes_by_owner", by_owner},
          {"bytes_by_phase", by_phase},
          {"tensors", tensors},
          {"unnamed",
           {{"bytes", timeline.peak_unnamed_bytes}, {"blocks", timeline.peak_unnamed_blocks}}}};
}

Json point_json(const StepTimeline& timeline, std::size_t point) {
  const plan::TimelineSpan work = span_at(timeline, timeline.seconds[point]);
  Json bytes = Json::array();
  for (std::size_t owner = 0; owner < timeline.owners.size(); ++owner) {
    bytes.push_back(timeline.bytes(point, owner));
  }
  return {{"seconds", timeline.seconds[point]},
          {"phase", plan::name_of(work.phase)},
          {"stage", owner_json(timeline, work.owner)},
          {"bytes", bytes},
          {"total_bytes", timeline.total_bytes(point)}};
}

Json timeline_json(const StepTimeline& timeline) {
  Json spans = Json::array(), points = Json::array();
  for (const plan::TimelineSpan& span : timeline.spans) {
    spans.push_back({{"begin_seconds", span.begin_seconds},
                     {"end_seconds", span.end_seconds},
                     {"phase", plan::name_of(span.phase)},
                     {"stage", owner_json(timeline, span.owner)}});
  }
  for (std::size_t point = 0; point < timeline.seconds.size(); ++point) {
    points.push_back(point_json(timeline, point));
  }
  return {{"step", timeline.step},
          {"plan", plan_text(timeline)},
          {"seconds", timeline.total_seconds},
          {"owners", timeline.owners},
          {"peak", peak_json(timeline)},
          {"spans", spans},
          {"points", points}};
}

std::string csv_header(const StepTimeline& timeline) {
  std::string header = "plan,step,seconds,phase,stage";
  for (const std::string& owner : timeline.owners) header += ',' + csv_field(owner + "_bytes");
  return header + ",total_bytes,is_peak\n";
}

void add_csv_rows(const StepTimeline& timeline, std::string& text) {
  const std::string plan = csv_field(plan_text(timeline));
  for (std::size_t point = 0; point < timeline.seconds.size(); ++point) {
    const plan::TimelineSpan work = span_at(timeline, timeline.seconds[point]);
    text += fmt::format("{},{},{:.9g},{},{}", plan, timeline.step, timeline.seconds[point],
                        plan::name_of(work.phase), csv_field(owner_name(timeline, work.owner)));
    for (std::size_t owner = 0; owner < timeline.owners.size(); ++owner) {
      text += fmt::format(",{}", timeline.bytes(point, owner));
    }
    text +=
        fmt::format(",{},{}\n", timeline.total_bytes(point), point == timeline.peak_point ? 1 : 0);
  }
}

std::string as_json(std::span<const SharedTimeline> timelines) {
  Json steps = Json::array();
  for (const SharedTimeline& timeline : timelines) steps.push_back(timeline_json(*timeline));
  return base::dump_json({{"steps", steps}}, 1) + '\n';
}

std::string as_csv(std::span<const SharedTimeline> timelines) {
  std::string text = csv_header(timelines.empty() ? StepTimeline{} : *timelines.front());
  for (const SharedTimeline& timeline : timelines) add_csv_rows(*timeline, text);
  return text;
}

}  // namespace

TimelineFormat timeline_format(const fs::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  if (extension == ".json") return TimelineFormat::json;
  if (extension == ".csv") return TimelineFormat::csv;
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "writing a timeline",
                     .subject = base::display_path(file) + ": its extension says no format",
                     .remedy = "Name the file .json (everything) or .csv (a row a point)"});
}

std::string timelines_text(std::span<const SharedTimeline> timelines, TimelineFormat format) {
  return format == TimelineFormat::json ? as_json(timelines) : as_csv(timelines);
}

void write_timeline(const fs::path& file, const SharedTimeline& timeline) {
  const std::string text = timelines_text(std::span(&timeline, 1), timeline_format(file));
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure) throw base::io_error("writing a timeline", file, failure.value());
  base::write_file_atomically(file, text);
}

fs::path timeline_file(const fs::path& run_folder, std::int64_t step) {
  return run_folder / "timelines" / fmt::format("step_{:06}.json", step);
}

}  // namespace headroom::run
