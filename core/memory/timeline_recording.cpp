#include "core/memory/timeline_recording.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/elapsed.hpp"
#include "core/memory/peak_tensors.hpp"

namespace headroom::memory {
namespace {

using Clock = TimelineRecording::Clock;

/// Live bytes by owner while the events of a recording are played again.
class Replay {
 public:
  Replay(const MeterRecording& recording, std::size_t owners)
      : recording_(recording), live_bytes_(owners) {
    for (std::size_t slot = 0; slot < recording.live_before_by_stage.size(); ++slot) {
      owner(static_cast<int>(slot) - 1) += recording.live_before_by_stage[slot];
    }
  }

  /// On to the moment after event `index`.
  void play(std::size_t index) {
    const MeterEvent& event = recording_.events[index];
    owner(event.stage) += event.bytes;
  }
  [[nodiscard]] const std::vector<std::int64_t>& live_bytes() const { return live_bytes_; }

 private:
  std::int64_t& owner(int stage) { return live_bytes_[timeline_owner(stage, stage_count())]; }
  [[nodiscard]] std::size_t stage_count() const { return live_bytes_.size() - 2; }

  const MeterRecording& recording_;
  std::vector<std::int64_t> live_bytes_;
};

/// All live bytes at every moment.
std::vector<std::int64_t> totals_of(const MeterRecording& recording) {
  std::int64_t total = std::accumulate(recording.live_before_by_stage.begin(),
                                       recording.live_before_by_stage.end(), std::int64_t{0});
  std::vector<std::int64_t> totals = {total};
  for (const MeterEvent& event : recording.events) totals.push_back(total += event.bytes);
  return totals;
}

/// The moments that become points, in order.
std::vector<std::size_t> chosen_moments(const std::vector<std::int64_t>& totals,
                                        const std::vector<double>& seconds, std::size_t most) {
  std::vector<std::size_t> chosen;
  const double stretch = (seconds.back() - seconds.front()) / static_cast<double>(most);
  const auto stretch_of = [&](std::size_t moment) {
    const double place = stretch > 0 ? (seconds[moment] - seconds.front()) / stretch : 0;
    return std::min(static_cast<std::size_t>(place), most - 1);
  };
  for (std::size_t moment = 0; moment < totals.size(); ++moment) {
    const bool is_new =
        totals.size() <= most || chosen.empty() || stretch_of(moment) != stretch_of(chosen.back());
    if (is_new) {
      chosen.push_back(moment);
    } else if (totals[moment] > totals[chosen.back()]) {
      chosen.back() = moment;
    }
  }
  return chosen;
}

}  // namespace

std::size_t timeline_owner(int stage, std::size_t stages) {
  const std::size_t head = stages, other = stages + 1;
  return stage >= 0 && static_cast<std::size_t>(stage) <= head ? static_cast<std::size_t>(stage)
                                                               : other;
}

void add_points(plan::StepTimeline& timeline, const MeterRecording& recording,
                Clock::time_point start, double seconds_before, std::size_t most) {
  const std::vector<std::int64_t> totals = totals_of(recording);
  std::vector<double> seconds = {seconds_before};
  for (const MeterEvent& event : recording.events) {
    seconds.push_back(seconds_before + base::seconds_between(start, event.time));
  }
  const auto peak_moment =
      static_cast<std::size_t>(std::ranges::max_element(totals) - totals.begin());
  Replay replay(recording, timeline.owners.size());
  std::size_t played = 0;
  for (const std::size_t moment : chosen_moments(totals, seconds, most)) {
    for (; played < moment; ++played) replay.play(played);
    if (moment == peak_moment) timeline.peak_point = timeline.seconds.size();
    timeline.seconds.push_back(seconds[moment]);
    timeline.live_bytes.insert(timeline.live_bytes.end(), replay.live_bytes().begin(),
                               replay.live_bytes().end());
  }
}

TimelineRecording::TimelineRecording(TimelineRequest request, std::size_t most_events)
    : request_(std::move(request)) {
  if (!request_.has_every_event) tensors_.emplace();
  cpu_meter().begin_recording(most_events);
}

TimelineRecording::~TimelineRecording() { static_cast<void>(cpu_meter().end_recording()); }

void TimelineRecording::begin(Clock::time_point now) { start_ = now; }

double TimelineRecording::seconds_at(Clock::time_point now) const {
  return request_.seconds_before + base::seconds_between(start_, now);
}

int TimelineRecording::owner_at_work(int stage) const {
  const std::size_t stages = request_.stages.size();
  const std::size_t owner = timeline_owner(stage, stages);
  return owner <= stages ? static_cast<int>(owner) : plan::TimelineSpan::kNoOwner;
}

void TimelineRecording::close_span(double end_seconds) {
  span_.end_seconds = end_seconds;
  if (span_.end_seconds > span_.begin_seconds) spans_.push_back(span_);
}

void TimelineRecording::switch_to(Work work, Clock::time_point now) {
  const int owner = owner_at_work(work.stage);
  if (work.phase == span_.phase && owner == span_.owner) return;
  const double seconds = seconds_at(now);
  close_span(seconds);
  span_ = {.begin_seconds = seconds, .end_seconds = seconds, .phase = work.phase, .owner = owner};
}

std::shared_ptr<const plan::StepTimeline> TimelineRecording::end(Clock::time_point now,
                                                                 const MeterReading& reading) {
  const MeterRecording recording = cpu_meter().end_recording();
  if (!recording.is_complete) return nullptr;
  auto timeline = std::make_shared<plan::StepTimeline>();
  timeline->step = request_.step;
  timeline->total_seconds = seconds_at(now);
  timeline->peak_phase = reading.peak_phase;
  timeline->peak_owner = owner_at_work(reading.peak_stage);
  timeline->peak_bytes_by_phase = reading.at_peak_by_phase;
  timeline->owners = std::move(request_.stages);
  timeline->owners.insert(timeline->owners.end(), {"head", "other"});
  timeline->plan = std::move(request_.plan);
  close_span(timeline->total_seconds);
  timeline->spans = std::move(spans_);
  add_points(*timeline, recording, start_, request_.seconds_before,
             request_.has_every_event ? std::numeric_limits<std::size_t>::max()
                                      : plan::StepTimeline::kPoints);
  if (tensors_) add_peak_tensors(*timeline, recording, *tensors_);
  return timeline;
}

}  // namespace headroom::memory
