#include "core/train/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/auto_plan.hpp"
#include "app/budget_fit.hpp"
#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/planning.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/step_calibration.hpp"
#include "app/text.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/log.hpp"
#include "core/plan/cost_model.hpp"
#include "core/run/timeline_file.hpp"
#include "core/train/device.hpp"
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

plan::Plan auto_plan(const base::Settings& settings, const OutputOptions& output,
                     ProgressDisplay& display, const std::stop_token& stop) {
  base::Log log(output.quiet ? base::LogVerbosity::quiet : base::LogVerbosity::normal);
  const AutoPlanRequest request{
      .settings = settings,
      .budget_bytes = train::resolve_budget(settings.step.budget_bytes,
                                            train::resolve_device(settings.step.device)),
      .on_message = [&](base::Severity severity, const std::string& message) {
        display.clear();
        log.write(severity == base::Severity::info ? base::LogLevel::info : base::LogLevel::warning,
                  message);
      }};
  return choose_auto_plan(request, stop);
}

/// Where the network was calibrated before.
void add_predictions(train::BenchReport& report) {
  const auto calibration = find_calibration({.settings = report.settings});
  if (!calibration) return;
  const plan::SizedCosts costs =
      plan::costs_at(calibration->costs,
                     plan::pixels_of(shape_of(report.settings.step), calibration->costs.stride));
  for (train::BenchCase& one : report.cases) {
    if (const auto predicted = plan::predict(costs, one.plan))
      one.predicted_peak_total_bytes = predicted->peak_total_bytes;
  }
}

std::vector<std::string> row_of(const train::BenchCase& one, const train::BenchCase& first) {
  const double recompute_seconds =
      one.median.seconds[static_cast<std::size_t>(plan::Phase::recompute)];
  std::vector<std::string> row = {
      one.name,
      format_step_time(one.median.total_seconds),
      fmt::format("{:.3f} x", one.median.total_seconds / first.median.total_seconds),
      base::format_bytes(one.median.peak_bytes),
      base::format_bytes(one.median.peak_total_bytes),
      base::format_bytes(one.median.reserved_bytes),
      base::format_bytes(one.rss_peak_bytes),
      fmt::format("{:.1f} %", 100 * one.recompute_macs_fraction),
      format_step_time(recompute_seconds)};
  if (const auto& predicted = one.predicted_peak_total_bytes) {
    row.push_back(base::format_bytes(*predicted));
    row.push_back(error_text(static_cast<double>(*predicted),
                             static_cast<double>(one.median.peak_total_bytes)));
  }
  return row;
}

std::string as_text(const train::BenchReport& report) {
  std::vector<std::vector<std::string>> rows = {{"plan", "step", "of first", "peak", "with weights",
                                                 "reserved", "resident", "work repeated", "in"}};
  const bool is_predicted = std::ranges::any_of(report.cases, [](const train::BenchCase& one) {
    return one.predicted_peak_total_bytes.has_value();
  });
  if (is_predicted) rows.front().insert(rows.front().end(), {"predicted", "error"});
  for (const train::BenchCase& one : report.cases) {
    rows.push_back(row_of(one, report.cases.front()));
    rows.back().resize(rows.front().size());
  }
  const base::StepSettings& step = report.settings.step;
  return fmt::format("{}, {}, {}; tile {}x{}, batch {}; median of {} steps\n", report.device,
                     report.precision, report.memory_format, step.tile_height, step.tile_width,
                     step.batch, report.cases.front().seconds.size()) +
         format_table(rows) +
         (is_predicted ? "predicted: the peak with weights\n"
                       : "no predictions: headroom plan measures what they rest on\n");
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
  const std::vector<std::string> names = options.plans;
  for (std::string& text : options.plans) {
    if (text != "auto") continue;
    text = plan::to_string(auto_plan(options.settings, command.output, display, stop.get_token()),
                           plan::unet_stage_names(options.settings.model.levels));
  }
  train::BenchReport report = train::bench_plans(options, models::make_model, stop.get_token());
  for (std::size_t i = 0; i < names.size(); ++i) report.cases[i].name = names[i];
  add_predictions(report);
  display.clear();
  recording.write(report);
  write_output(command.output.json ? train::to_json(report) + '\n' : as_text(report));
  return 0;
}

}  // namespace headroom::app
