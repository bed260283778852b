#pragma once
// The program behind the dashboard: the controller with its run, the jobs in the background, and
// what the shell knows. Driven by a window or by a script; every method on the thread that made it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/data/sample_picture_loader.hpp"
#include "core/run/controller.hpp"
#include "core/run/costs_source.hpp"
#include "core/run/jobs.hpp"
#include "core/run/plan_forecaster.hpp"
#include "ui/request.hpp"
#include "ui/shell.hpp"

namespace headroom::app {

struct SessionOptions {
  std::filesystem::path home{};     ///< see home_folder()
  std::function<void()> on_news{};  ///< any thread: something changed that a frame would show
  std::vector<std::unique_ptr<run::EventSink>> sinks{};  ///< get every event of every run
  bool for_people = true;  ///< record timelines and previews to be looked at
  std::string renderer{};  ///< what the window draws with; empty: no window
  bool renders_in_software = false;
};

class DashboardSession {
 public:
  explicit DashboardSession(SessionOptions options);
  /// Stops and saves a run that is under way.
  ~DashboardSession();
  DashboardSession(const DashboardSession&) = delete;
  DashboardSession& operator=(const DashboardSession&) = delete;

  /// Commands go to the controller, requests are begun; nothing waits.
  void perform(const ui::Asked& asked);
  /// Takes what jobs have finished. To be called before each frame, or while waiting.
  void poll();

  [[nodiscard]] std::shared_ptr<const run::RunSnapshot> snapshot() const;
  [[nodiscard]] const ui::Shell& shell() const { return shell_; }
  /// Grows when the shell changes.
  [[nodiscard]] std::int64_t shell_revision() const { return shell_revision_; }
  /// A request is still being worked on, or what it configured is not in the snapshot yet.
  [[nodiscard]] bool is_busy() const;
  /// Samples that the dashboard looks at are still being read.
  [[nodiscard]] bool is_reading_samples() const { return loader_.is_reading(); }
  /// Asked to end, by the window or the person: a run that is under way is stopped and saved first.
  /// Where that fails, closing is given up once, so that the failure is seen.
  void begin_closing();
  [[nodiscard]] bool is_closing() const { return shell_.is_closing; }
  /// True once nothing has to be waited for.
  [[nodiscard]] bool may_end() const;
  /// Commands that the controller refused since the last call, with the reason.
  [[nodiscard]] std::vector<std::string> take_refusals();

 private:
  /// What a request came to: a run to configure, and whether it starts at once.
  struct Opened {
    run::RunRequest request{};
    std::shared_ptr<const ReadableFolder> data{};  ///< null: it was not read
    bool configures = true;
    bool starts = false;
  };
  struct Facts {
    ui::MachineFacts machine{};
    std::vector<ui::RecentRun> recent_runs{};
    std::vector<std::filesystem::path> recent_folders{};
  };
  struct Mail;
  class AnswerSink;

  void perform(const ui::OpenFolder& request);
  void perform(const ui::TrySample& request);
  void perform(const ui::ContinueRun& request);
  void perform(const ui::NewRun& request);
  void perform(const ui::CancelWork& request);
  void perform(const ui::ListFolder& request);
  void perform(const ui::WriteTimeline& request);
  void perform(const ui::Foresee& request);
  void perform(const ui::ReadData& request);
  void perform(const ui::SaveMapping& request);
  void perform(const ui::LookAtSamples& request);
  void perform(const ui::Quit& request);
  void post(run::Command command);
  void begin(std::string text, std::function<Opened(run::JobContext&)> work);
  /// A run on a data folder, which is read. On the job thread.
  [[nodiscard]] static Opened open_data(const std::filesystem::path& folder,
                                        const std::filesystem::path& home,
                                        run::JobContext& context);
  /// The result of a job that is done, which is let go; nothing where it was cancelled or failed,
  /// which is told.
  template <typename Result>
  [[nodiscard]] std::optional<Result> take(std::optional<run::Job<Result>>& job);
  void take_opened();
  void take_preparing();
  void notice_failed_closing(const run::RunSnapshot& now);
  void take_listing();
  void take_facts();
  void take_written();
  void take_saved();
  void show_data(const Opened& opened);
  void take_outlook();
  void refresh_facts();
  void clean_up_failed_run(const run::RunSnapshot& now);
  void tell_problem(const std::string& problem, const std::string& remedy = {});
  void changed() { ++shell_revision_; }

  SessionOptions options_;
  ui::Shell shell_{};
  std::int64_t shell_revision_ = 0;
  std::shared_ptr<Mail> mail_;  ///< what other threads leave here
  run::JobQueue jobs_;          ///< scans and samples, which take long
  run::JobQueue lookups_;       ///< listings and facts, which must not wait for them
  run::CostsSource costs_;      ///< looks on lookups_
  run::PlanForecaster forecaster_;
  std::optional<ui::Foresee> foreseen_{};  ///< what is to be predicted
  std::optional<run::Job<Opened>> opening_{};
  std::optional<run::Job<ui::FolderListing>> listing_{};
  std::optional<run::Job<Facts>> facts_{};
  std::optional<run::Job<std::filesystem::path>> writing_{};
  std::optional<run::Job<std::filesystem::path>> saving_{};
  SamplePictureLoader loader_;
  std::chrono::steady_clock::time_point facts_time_{};
  std::int64_t cleaned_revision_ = -1;
  std::int64_t configures_posted_ = 0;
  bool shows_preparing_ = false;
  bool closes_run_ = false;                         ///< a run was under way when closing began
  std::unique_ptr<run::RunController> controller_;  ///< last: ends first
};

}  // namespace headroom::app
