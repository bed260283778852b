#include "core/train/bench.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/text.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/byte_size.hpp"
#include "core/run/timeline_file.hpp"
#include "models/unet.hpp"

namespace headroom::app {
namespace {

/// "keep,full" is two plans, "enc1=full,dec1=full" is one: neighbours that name a stage go
/// together.
std::vector<std::string> plan_texts(const std::vector<std::string>& given) {
  if (given.empty()) return {"keep", "light", "full"};
  std::vector<std::string> plans;
  for (const std::string& text : given) {
    bool continues = false;
    for (const std::string& entry : split_list(text)) {
      const bool names_a_stage = entry.find('=') != std::string::npos;
      if (names_a_stage && continues) {
        plans.back() += ',' + entry;
      } else {
        plans.push_back(entry);
      }
      continues = names_a_stage;
    }
  }
  return plans;
}

std::string as_text(const train::BenchReport& report) {
  std::vector<std::vector<std::string>> rows = {{"plan", "s/step", "of first", "peak",
                                                 "with weights", "reserved", "resident",
                                                 "work repeated", "in"}};
  const auto recompute_seconds_of = [](const train::BenchCase& one) {
    return one.median.seconds[static_cast<std::size_t>(plan::Phase::recompute)];
  };
  const auto median_of = [](const train::BenchCase& one) { return one.median.total_seconds; };
  for (const train::BenchCase& one : report.cases) {
    rows.push_back(
        {one.name, fmt::format("{:.4f}", median_of(one)),
         fmt::format("{:.3f} x", median_of(one) / median_of(report.cases.front())),
         base::format_bytes(one.median.peak_bytes), base::format_bytes(one.median.peak_total_bytes),
         base::format_bytes(one.median.reserved_bytes), base::format_bytes(one.rss_peak_bytes),
         fmt::format("{:.1f} %", 100 * one.recompute_macs_fraction),
         fmt::format("{:.1f} ms", 1000 * recompute_seconds_of(one))});
  }
  const base::StepSettings& step = report.settings.step;
  return fmt::format("{}, {}, {}; tile {}x{}, batch {}; median of {} steps\n", report.device,
                     report.precision, report.memory_format, step.tile_height, step.tile_width,
                     step.batch, report.cases.front().seconds.size()) +
         format_table(rows);
}

/// What --timeline asks for, in a file that is there whole or not at all.
class Recording {
 public:
  /// Throws base::Error: usage for an extension that says no format; io where the file cannot be
  /// written, before anything is measured.
  explicit Recording(const std::filesystem::path& file) {
    if (file.empty()) return;
    kind_ = file.extension() == ".pickle" ? train::BenchRecording::snapshot
                                          : train::BenchRecording::timelines;
    if (kind_ == train::BenchRecording::timelines) format_ = run::timeline_format(file);
    file_.emplace(file);
  }

  [[nodiscard]] train::BenchRecording kind() const { return kind_; }

  void write(const train::BenchReport& report) {
    if (!file_) return;
    if (kind_ == train::BenchRecording::snapshot) {
      file_->write(report.snapshot);
    } else {
      std::vector<run::SharedTimeline> timelines;
      for (const train::BenchCase& one : report.cases) {
        if (one.timeline) timelines.push_back(one.timeline);
      }
      file_->write(run::timelines_text(timelines, format_));
    }
    file_->commit();
  }

 private:
  train::BenchRecording kind_ = train::BenchRecording::none;
  run::TimelineFormat format_ = run::TimelineFormat::json;
  std::optional<base::AtomicFile> file_{};
};

}  // namespace

int perform(const BenchCommand& command) {
  Recording recording(command.timeline);
  ProgressDisplay display(progress_style(command.output.quiet));
  train::BenchOptions options;
  options.settings = command.given.applied_to({});
  options.plans = plan_texts(command.plans);
  options.repeat = command.repeat;
  options.warmup = command.warmup;
  options.recording = recording.kind();
  options.on_progress = [&display](std::int64_t done, std::int64_t rounds) {
    display.update(make_progress("measuring rounds", done, rounds), ProgressDisplay::Clock::now());
  };
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  const train::BenchReport report =
      train::bench_plans(options, models::make_model, stop.get_token());
  display.clear();
  recording.write(report);
  write_output(command.output.json ? train::to_json(report) + '\n' : as_text(report));
  return 0;
}

}  // namespace headroom::app
