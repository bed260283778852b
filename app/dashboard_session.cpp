#include "app/dashboard_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <utility>

#include "app/data/mapping_store.hpp"
#include "app/folder_contents.hpp"
#include "app/folder_reading.hpp"
#include "app/home_folder.hpp"
#include "app/local_time.hpp"
#include "app/machine_facts.hpp"
#include "app/network_costs.hpp"
#include "app/run_composition.hpp"
#include "app/run_remains.hpp"
#include "app/self_test.hpp"
#include "core/base/error.hpp"
#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/scan.hpp"
#include "core/run/run_folder.hpp"
#include "core/run/timeline_file.hpp"

namespace headroom::app {
namespace fs = std::filesystem;
namespace {

constexpr auto kFactsInterval = std::chrono::seconds(10);
constexpr std::size_t kMostRefusals = 32;
constexpr std::chrono::steady_clock::duration kTimelineInterval = std::chrono::seconds(1);

/// The largest tile that lies inside every image and that the network does not have to pad, up to
/// the default.
std::int64_t tile_for(const base::DatasetSummary& dataset, std::int64_t default_side) {
  constexpr std::int64_t kStep = 32;
  const std::int64_t side = std::min(dataset.min_height, dataset.min_width) / kStep * kStep;
  return std::clamp(side, kStep, default_side);
}

double share_of(const formats::ScanProgress& scan) {
  return scan.samples > 0 ? (static_cast<double>(scan.samples_done) + scan.share_of_next) /
                                static_cast<double>(scan.samples)
                          : -1;
}

std::string name_of_folder(const fs::path& folder) {
  const std::string name = base::name_of_folder(folder);
  return name.empty() ? std::string("data") : name;
}

}  // namespace

/// Left by the worker, taken by the session's thread.
struct DashboardSession::Mail {
  std::mutex mutex{};
  std::optional<ui::BusyWork> preparing{};
  std::vector<std::string> refusals{};
  std::int64_t configured = 0;  ///< Configure commands that the controller has dealt with
};

/// Remembers what became of commands. An event is published before it comes here.
class DashboardSession::AnswerSink final : public run::EventSink {
 public:
  explicit AnswerSink(std::shared_ptr<Mail> mail) : mail_(std::move(mail)) {}

 private:
  void do_handle(const run::Event& event) override {
    const std::lock_guard lock(mail_->mutex);
    if (const auto* const changed = std::get_if<run::StateChanged>(&event)) {
      if (changed->to == run::RunState::ready) ++mail_->configured;
    } else if (const auto* const refused = std::get_if<run::CommandRefused>(&event)) {
      if (refused->action == run::Action::configure) ++mail_->configured;
      // Only scripts ask for them.
      if (mail_->refusals.size() == kMostRefusals) mail_->refusals.erase(mail_->refusals.begin());
      mail_->refusals.push_back(
          fmt::format("{}: {}", run::name_of(refused->action), refused->reason));
    }
  }

  std::shared_ptr<Mail> mail_;
};

DashboardSession::DashboardSession(SessionOptions options)
    : options_(std::move(options)),
      mail_(std::make_shared<Mail>()),
      jobs_(options_.on_news),
      lookups_(options_.on_news),
      costs_(find_costs, lookups_),
      forecaster_(options_.on_news),
      loader_(options_.on_news) {
  run::ControllerOptions controller;
  const auto tell = [mail = mail_,
                     on_news = options_.on_news](const formats::ScanProgress& progress) {
    {
      const std::lock_guard lock(mail->mutex);
      mail->preparing = ui::BusyWork{"Reading the data", share_of(progress)};
    }
    if (on_news) on_news();
  };
  controller.make_session = make_session_factory(
      {.on_progress = tell,
       .timeline_interval =
           options_.for_people ? kTimelineInterval : std::chrono::steady_clock::duration::zero(),
       .with_previews = options_.for_people});
  controller.self_test = self_test;
  controller.calibrate = measure_costs;
  controller.check_fit = measure_fit;
  controller.sinks = std::move(options_.sinks);
  controller.sinks.push_back(std::make_unique<AnswerSink>(mail_));
  controller.on_publish = options_.on_news;
  controller_ = std::make_unique<run::RunController>(std::move(controller));
  controller_->post(run::RunSelfTest{});
  shell_.utc_offset = local_utc_offset();
  if (const char* const own = std::getenv("HOME")) shell_.home_folder = own;
  shell_.machine.renderer = options_.renderer;
  shell_.machine.renders_in_software = options_.renders_in_software;
  refresh_facts();
}

DashboardSession::~DashboardSession() = default;

std::shared_ptr<const run::RunSnapshot> DashboardSession::snapshot() const {
  return controller_->snapshot();
}

void DashboardSession::perform(const ui::Asked& asked) {
  for (const run::Command& command : asked.commands) post(command);
  for (const ui::Request& request : asked.requests) {
    std::visit([this](const auto& each) { perform(each); }, request);
  }
}

void DashboardSession::post(run::Command command) {
  if (std::holds_alternative<run::Configure>(command)) ++configures_posted_;
  controller_->post(std::move(command));
}

// ---------------------------------------------------------------- requests

void DashboardSession::begin(std::string text, std::function<Opened(run::JobContext&)> work) {
  if (const char* const refused = run::refusal(snapshot()->state, run::Action::configure)) {
    tell_problem(refused);
    return;
  }
  if (opening_) opening_->cancel();
  shell_.busy = ui::BusyWork{
      .text = std::move(text), .can_cancel = true, .since = std::chrono::steady_clock::now()};
  changed();
  opening_ = jobs_.submit(run::JobPriority::high, std::move(work));
}

DashboardSession::Opened DashboardSession::open_data(const fs::path& folder, const fs::path& home,
                                                     run::JobContext& context) {
  Opened opened;
  opened.request.data_folder = folder;
  opened.request.run_folder = next_run_folder(home, name_of_folder(folder));
  opened.data = read_data_folder(opened.request, home, context);
  base::StepSettings& step = opened.request.settings.step;
  step.tile_height = step.tile_width = tile_for(opened.data->folder->summary, step.tile_height);
  return opened;
}

void DashboardSession::perform(const ui::OpenFolder& request) {
  begin(fmt::format("Reading {}", name_of_folder(request.folder)),
        [folder = fs::absolute(request.folder), home = options_.home](run::JobContext& context) {
          if (is_run_folder(folder))
            return Opened{.request = resume_request(folder), .starts = true};
          return open_data(folder, home, context);
        });
}

void DashboardSession::perform(const ui::TrySample&) {
  begin("Making the sample", [home = options_.home](run::JobContext& context) {
    return Opened{.request = prepare_sample_run(home, context.stop()), .starts = true};
  });
}

void DashboardSession::perform(const ui::ContinueRun& request) {
  begin(fmt::format("Opening the run {}", name_of_folder(request.run_folder)),
        [folder = request.run_folder](run::JobContext&) {
          return Opened{.request = resume_request(folder), .starts = true};
        });
}

void DashboardSession::perform(const ui::NewRun& request) {
  begin("Choosing a folder for the run",
        [like = request.like, home = options_.home](run::JobContext&) {
          Opened opened{.request = like};
          opened.request.start = run::RunStart::fresh;
          opened.request.plan_is_given = false;
          opened.request.run_folder = next_run_folder(home, name_of_folder(like.data_folder));
          return opened;
        });
}

void DashboardSession::perform(const ui::CancelWork&) {
  if (opening_) opening_->cancel();
}

void DashboardSession::perform(const ui::ListFolder& request) {
  if (listing_) listing_->cancel();
  listing_ = lookups_.submit(
      run::JobPriority::high,
      [folder = request.folder](run::JobContext& context) { return list_folder(folder, context); });
}

void DashboardSession::perform(const ui::WriteTimeline& request) {
  writing_ = lookups_.submit(run::JobPriority::high, [request](run::JobContext&) {
    fs::path file = run::timeline_file(request.run_folder, request.timeline->step);
    run::write_timeline(file, request.timeline);
    run::write_timeline(fs::path(file).replace_extension(".csv"), request.timeline);
    return file;
  });
}

void DashboardSession::perform(const ui::Foresee& request) {
  foreseen_ = request;
  costs_.want(request.settings);
  take_outlook();
}

void DashboardSession::perform(const ui::ReadData& request) {
  // A run that is over stays in sight while its data is looked at; another mapping is for another
  // run.
  const bool configures = request.mapping != nullptr || snapshot()->state == run::RunState::ready;
  begin(fmt::format("Reading {}", name_of_folder(request.request.data_folder)),
        [request, configures, home = options_.home](run::JobContext& context) {
          Opened opened{.request = request.request, .configures = configures};
          const std::string name = name_of_folder(opened.request.data_folder);
          if (request.mapping != nullptr) {
            opened.request.settings.data.mapping =
                keep_mapping(home, name, *request.mapping).string();
          }
          std::error_code ignored;
          if (configures && fs::exists(opened.request.run_folder, ignored)) {
            opened.request.start = run::RunStart::fresh;
            opened.request.plan_is_given = false;
            opened.request.run_folder = next_run_folder(home, name);
          }
          opened.data = read_data_folder(opened.request, home, context);
          return opened;
        });
}

void DashboardSession::perform(const ui::SaveMapping& request) {
  saving_ = lookups_.submit(run::JobPriority::high, [request](run::JobContext&) {
    save_mapping(request.file, *request.mapping);
    return request.file;
  });
}

void DashboardSession::perform(const ui::LookAtSamples& request) { loader_.look_at(request); }

void DashboardSession::perform(const ui::Quit&) { begin_closing(); }

// ---------------------------------------------------------------- what jobs bring

void DashboardSession::poll() {
  take_opened();
  take_listing();
  take_facts();
  take_written();
  take_saved();
  take_outlook();
  take_preparing();
  if (loader_.poll()) {
    shell_.pictures = loader_.pictures();
    changed();
  }
  const auto now = snapshot();
  clean_up_failed_run(*now);
  notice_failed_closing(*now);
}

void DashboardSession::take_preparing() {
  std::optional<ui::BusyWork> preparing;
  {
    const std::lock_guard lock(mail_->mutex);
    preparing = std::exchange(mail_->preparing, std::nullopt);
  }
  const bool is_preparing = snapshot()->state == run::RunState::preparing;
  if (preparing && is_preparing) {
    shows_preparing_ = true;
    shell_.busy = std::move(preparing);
    changed();
  } else if (shows_preparing_ && !is_preparing) {
    shows_preparing_ = false;
    shell_.busy.reset();
    changed();
  }
}

template <typename Result>
std::optional<Result> DashboardSession::take(std::optional<run::Job<Result>>& job) {
  run::Job<Result> done = std::move(*job);
  job.reset();
  try {
    return done.take();
  } catch (const base::Error& error) {
    // Who cancelled it knows.
    const base::ErrorParts& parts = error.parts();
    if (error.kind() != base::ErrorKind::interrupted)
      tell_problem(parts.attempted + ": " + parts.subject, parts.remedy);
  } catch (const std::exception& error) {
    tell_problem(error.what());
  }
  return std::nullopt;
}

void DashboardSession::take_opened() {
  if (!opening_) return;
  if (!opening_->is_done()) {
    const run::JobProgress progress = opening_->progress();
    if (shell_.busy && progress.share > 0 && shell_.busy->share != progress.share) {
      shell_.busy->share = progress.share;
      changed();
    }
    return;
  }
  std::optional<Opened> opened = take(opening_);
  shell_.busy.reset();
  changed();
  // What ends now starts nothing.
  if (!opened || shell_.is_closing) return;
  show_data(*opened);
  shell_.problem.clear();
  shell_.problem_remedy.clear();
  if (opened->configures) post(run::Configure{std::move(opened->request)});
  if (opened->starts) post(run::StartRun{});
}

void DashboardSession::show_data(const Opened& opened) {
  const bool is_of_another =
      shell_.data != nullptr && shell_.data->folder != opened.request.data_folder;
  if (opened.data == nullptr && !is_of_another) return;
  shell_.data = opened.data == nullptr ? nullptr : opened.data->folder;
  loader_.open(opened.data);
  shell_.pictures = loader_.pictures();
}

void DashboardSession::take_listing() {
  if (!listing_ || !listing_->is_done()) return;
  if (std::optional<ui::FolderListing> listing = take(listing_)) {
    shell_.listing = std::move(listing);
  }
  changed();
}

void DashboardSession::take_written() {
  if (!writing_ || !writing_->is_done()) return;
  if (std::optional<fs::path> file = take(writing_)) shell_.written_timeline = *std::move(file);
  changed();
}

void DashboardSession::take_saved() {
  if (!saving_ || !saving_->is_done()) return;
  if (std::optional<fs::path> file = take(saving_)) shell_.written_mapping = *std::move(file);
  changed();
}

void DashboardSession::take_outlook() {
  if (!foreseen_) return;
  const auto now = snapshot();
  bool is_new = costs_.poll(*now);
  std::optional<run::ForecastQuestion> question;
  if (costs_.costs()) {
    question = {.costs = costs_.costs(),
                .shape = foreseen_->shape,
                .limits = plan::limits_of(foreseen_->budget_bytes),
                .plans = foreseen_->plans};
  }
  forecaster_.ask(std::move(question));
  const bool is_at_work = !run::is_at_rest(now->state) && now->state != run::RunState::paused;
  is_new |= forecaster_.poll(is_at_work ? run::ForecastPace::beside_training
                                        : run::ForecastPace::at_once);
  const ui::CostsState costs = costs_.costs()        ? ui::CostsState::known
                               : costs_.is_looking() ? ui::CostsState::looked_for
                                                     : ui::CostsState::missing;
  if (!is_new && costs == shell_.outlook.costs) return;
  shell_.outlook = {.costs = costs,
                    .plans = forecaster_.plans(),
                    .fits = forecaster_.fits(),
                    .problem = forecaster_.problem()};
  changed();
}

void DashboardSession::refresh_facts() {
  facts_time_ = std::chrono::steady_clock::now();
  facts_ = lookups_.submit(run::JobPriority::low, [home = options_.home](run::JobContext&) {
    Facts facts{.machine = read_machine_facts(home)};
    for (const KnownRun& run : known_runs(home)) {
      if (run.steps_done < run.steps) {
        facts.recent_runs.push_back({.folder = run.folder,
                                     .name = name_of_folder(run.folder),
                                     .steps_done = run.steps_done,
                                     .steps = run.steps,
                                     .saved = when_text(run.saved)});
      }
      auto& folders = facts.recent_folders;
      if (std::find(folders.begin(), folders.end(), run.data_folder) == folders.end())
        folders.push_back(run.data_folder);
    }
    return facts;
  });
}

void DashboardSession::take_facts() {
  if (!facts_) {
    if (std::chrono::steady_clock::now() - facts_time_ >= kFactsInterval) refresh_facts();
    return;
  }
  if (!facts_->is_done()) return;
  std::optional<Facts> facts = take(facts_);
  if (!facts) return;
  facts->machine.renderer = options_.renderer;
  facts->machine.renders_in_software = options_.renders_in_software;
  shell_.machine = std::move(facts->machine);
  shell_.recent_runs = std::move(facts->recent_runs);
  shell_.recent_folders = std::move(facts->recent_folders);
  changed();
}

void DashboardSession::clean_up_failed_run(const run::RunSnapshot& now) {
  if (now.state != run::RunState::failed || cleaned_revision_ == now.revision) return;
  cleaned_revision_ = now.revision;
  if (!left_nothing(now)) return;
  // The folder was named by this program, new for this run. Nobody waits for its going.
  static_cast<void>(lookups_.submit(
      run::JobPriority::high,
      [folder = now.request->run_folder](run::JobContext&) { remove_remains(folder, false); }));
}

void DashboardSession::notice_failed_closing(const run::RunSnapshot& now) {
  if (!shell_.is_closing || !closes_run_ || now.state != run::RunState::failed) return;
  closes_run_ = false;
  shell_.is_closing = false;
  changed();
}

void DashboardSession::tell_problem(const std::string& problem, const std::string& remedy) {
  shell_.problem = problem;
  shell_.problem_remedy = remedy;
  ++shell_.problem_number;
  changed();
}

// ---------------------------------------------------------------- ending

bool DashboardSession::is_busy() const {
  const std::lock_guard lock(mail_->mutex);
  return opening_ || listing_ || writing_ || saving_ || mail_->configured < configures_posted_;
}

void DashboardSession::begin_closing() {
  if (shell_.is_closing) return;
  shell_.is_closing = true;
  changed();
  if (opening_) opening_->cancel();
  closes_run_ = !run::is_at_rest(snapshot()->state);
  if (closes_run_) post(run::StopAndSave{});
}

bool DashboardSession::may_end() const {
  return shell_.is_closing && run::is_at_rest(snapshot()->state);
}

std::vector<std::string> DashboardSession::take_refusals() {
  const std::lock_guard lock(mail_->mutex);
  return std::exchange(mail_->refusals, {});
}

}  // namespace headroom::app
