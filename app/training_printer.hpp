#pragma once
// Shows a training run on standard error while it goes on: what was understood, progress,
// validations, warnings. Called on the worker thread only.

#include "app/progress.hpp"
#include "core/base/log.hpp"
#include "core/formats/scan.hpp"
#include "core/run/snapshot.hpp"

namespace headroom::app {

class TrainingPrinter final : public run::EventSink {
 public:
  TrainingPrinter(base::Log& log, ProgressStyle style);

  /// For the data scan, which comes before the first event with numbers.
  void show_scan(const formats::ScanProgress& scan);

 private:
  void do_handle(const run::Event& event) override;

  void on(const run::Prepared& prepared);
  void on(const run::StateChanged& changed);
  void on(const run::StepDone& done);
  void on(const run::ValidationDone& done);
  void on(const run::PlanApplied& applied);
  void on(const run::MemoryRelieved& relieved);
  void on(const run::LogLine& line);
  void on(const run::Finished& finished);
  void on(const run::Failed& failed);
  /// What else happens is shown nowhere.
  template <typename Other>
  void on(const Other&) {}

  void say(base::LogLevel level, const std::string& line);

  base::Log& log_;
  ProgressDisplay display_;
  run::RunSnapshot snapshot_{};
  ProgressState state_{};
};

}  // namespace headroom::app
