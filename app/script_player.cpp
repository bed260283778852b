#include "app/script_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "app/console.hpp"
#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"
#include "core/base/text_number.hpp"
#include "core/run/calibration.hpp"

namespace headroom::app {
namespace {

/// Paths may have spaces.
std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::optional<run::RunState> state_named(std::string_view name) {
  for (std::size_t i = 0; i < run::kRunStates; ++i) {
    if (name == run::kRunStateNames[i]) return static_cast<run::RunState>(i);
  }
  return std::nullopt;
}

}  // namespace

ScriptPlayer::ScriptPlayer(std::vector<ScriptLine> lines, Options options)
    : lines_(std::move(lines)), options_(std::move(options)) {}

void ScriptPlayer::refuse(const ScriptLine& line, const std::string& subject,
                          const std::string& remedy) const {
  refuse_script_line(options_.source, line.number, subject, remedy);
}

void ScriptPlayer::check_refusals(DashboardSession& session) const {
  const std::vector<std::string> refusals = session.take_refusals();
  if (refusals.empty()) return;
  refuse_script_line(options_.source, played_line_, refusals.front(),
                     "Wait for a state in which it can be done: wait state NAME");
}

void ScriptPlayer::advance(DashboardSession& session) {
  check_refusals(session);
  if (is_taken_ && !is_taken_(*session.snapshot())) return;
  is_taken_ = nullptr;
  while (!is_done() && !is_taken_ && play(lines_[next_], session)) {
    played_line_ = lines_[next_].number;
    ++next_;
  }
}

bool ScriptPlayer::play(const ScriptLine& line, DashboardSession& session) {
  using Taken = std::function<bool(const run::RunSnapshot&)>;
  const auto before = session.snapshot();
  const Taken in_another_state = [state = before->state](const run::RunSnapshot& now) {
    return now.state != state;
  };
  const Taken heard = [revision = before->revision](const run::RunSnapshot& now) {
    return now.revision > revision;
  };
  const auto command = [&](run::Command each, Taken is_taken) {
    is_taken_ = std::move(is_taken);
    session.perform({.commands = {std::move(each)}, .requests = {}});
    return true;
  };
  const auto request = [&](ui::Request each) {
    session.perform({.commands = {}, .requests = {std::move(each)}});
    return true;
  };
  // What a request opens has to be there before the next line can speak of it.
  if (session.is_busy()) return false;
  if (!session.shell().problem.empty()) {
    const std::string& remedy = session.shell().problem_remedy;
    refuse_script_line(options_.source, played_line_, session.shell().problem,
                       remedy.empty() ? "See there" : remedy);
  }
  if (line.verb == "open") return request(ui::OpenFolder{joined(line.words)});
  if (line.verb == "sample") return request(ui::TrySample{});
  if (line.verb == "quit") return request(ui::Quit{});
  if (line.verb == "start") return command(run::StartRun{}, in_another_state);
  if (line.verb == "pause") return command(run::Pause{}, in_another_state);
  if (line.verb == "resume") return command(run::Resume{}, in_another_state);
  if (line.verb == "save") {
    return command(run::SaveNow{}, [saved = before->save_seconds](const run::RunSnapshot& now) {
      return now.save_seconds > saved;
    });
  }
  if (line.verb == "stop") return command(run::StopAndSave{}, in_another_state);
  if (line.verb == "self-test") return command(run::RunSelfTest{}, heard);
  if (line.verb == "wait") return wait(line, session);
  if (line.verb == "plan") {
    set_plan(line, session);
  } else if (line.verb == "set") {
    set_setting(line, session);
  } else if (line.verb == "calibrate") {
    calibrate(line, session);
  } else if (line.verb == "learning-rate") {
    const std::optional<double> rate = base::parse_real(line.words.front());
    if (!rate) refuse(line, line.words.front() + " is no number", "Write: learning-rate 0.001");
    return command(run::SetLearningRate{*rate}, heard);
  } else if (line.verb == "picture") {
    require_window(line);
    options_.take_picture(joined(line.words));
  } else if (line.verb == "workspace") {
    show_workspace(line);
  } else if (line.verb == "show") {
    show_sample(line, session);
  } else if (line.verb == "log") {
    std::string text;
    for (const run::LogEntry& entry : session.snapshot()->log) text += entry.text + '\n';
    write_errors(text);
  }
  return true;
}

bool ScriptPlayer::is_there(const ScriptLine& line, const run::RunSnapshot& now) const {
  const std::string& what = line.words.front();
  const std::string with = line.words.size() > 1 ? line.words[1] : "";
  if (what == "self-test") return now.self_test.has_value();
  if (what == "state") {
    const std::optional<run::RunState> state = state_named(with);
    if (!state) refuse(line, "no state " + with, "States are empty, ready, preparing, training, …");
    return now.state == *state;
  }
  if (what == "applied") return !now.applied_plan.empty() && now.applied_plan == now.requested_plan;
  if (what == "calibrated")
    return now.calibration && now.calibration->state == run::CalibrationStatus::State::done;
  if (what == "saved") return now.last_save.has_value();
  if (what != "step")
    refuse(line, "cannot wait for " + what, "Write: wait step N, wait state NAME");
  const std::optional<std::int64_t> step = base::parse_integer(with);
  if (!step) refuse(line, with + " is no number of a step", "Write: wait step 20");
  return now.steps_done >= *step;
}

bool ScriptPlayer::wait(const ScriptLine& line, const DashboardSession& session) const {
  const auto now = session.snapshot();
  if (is_there(line, *now)) return true;
  if (line.words.front() == "self-test") return false;
  if (line.words.front() == "calibrated" && now->calibration) {
    if (now->calibration->is_running()) return false;
    refuse(line, "the calibration ended: " + now->calibration->problem.subject,
           now->calibration->problem.remedy);
  }
  if (now->state == run::RunState::failed && now->error)
    throw base::Error(now->error->kind, now->error->error);
  // Nothing is under way that could bring it about.
  if (run::is_at_rest(now->state))
    refuse(line,
           fmt::format("the run is {}, after step {}", run::name_of(now->state), now->steps_done),
           "What the line waits for will not come; start a run, or wait for less");
  return false;
}

void ScriptPlayer::set_plan(const ScriptLine& line, DashboardSession& session) {
  const auto now = session.snapshot();
  if (now->facts == nullptr)
    refuse(line, "the network is not built yet", "Write before it: wait state training");
  const plan::Plan plan = plan::parse_plan(line.words.front(), now->facts->stages);
  is_taken_ = [plan](const run::RunSnapshot& later) { return later.requested_plan == plan; };
  session.perform({.commands = {run::SetPlan{plan}}, .requests = {}});
}

void ScriptPlayer::calibrate(const ScriptLine& line, DashboardSession& session) {
  const auto now = session.snapshot();
  if (!now->request) refuse(line, "no folder is open", "Write before it: open FOLDER");
  const auto& data = session.shell().data;
  const base::DatasetSummary dataset =
      now->facts ? now->facts->dataset : (data ? data->summary : base::DatasetSummary{});
  is_taken_ = [revision = now->revision](const run::RunSnapshot& later) {
    return later.revision > revision && later.calibration;
  };
  session.perform(
      {.commands = {run::Calibrate{run::settings_of_costs(now->request->settings, dataset)}},
       .requests = {}});
}

void ScriptPlayer::require_window(const ScriptLine& line) const {
  if (options_.dashboard == nullptr)
    refuse(line, "there is no window", "Play the script without --headless");
}

void ScriptPlayer::show_workspace(const ScriptLine& line) const {
  require_window(line);
  const std::string& name = line.words.front();
  if (name != "data" && name != "train")
    refuse(line, "no workspace " + name, "Workspaces are data and train");
  options_.dashboard->show(name == "data" ? ui::Workspace::data : ui::Workspace::train);
}

void ScriptPlayer::show_sample(const ScriptLine& line, const DashboardSession& session) const {
  require_window(line);
  const auto& data = session.shell().data;
  if (data == nullptr) refuse(line, "no folder was read", "Write before it: open FOLDER");
  const std::string id = joined(line.words);
  if (std::ranges::find(data->samples, id, &ui::FolderSample::id) == data->samples.end())
    refuse(line, "no sample " + id, "Samples are listed in the workspace Data");
  options_.dashboard->show_sample(id);
}

void ScriptPlayer::set_setting(const ScriptLine& line, DashboardSession& session) {
  const auto now = session.snapshot();
  if (!now->request) refuse(line, "no folder is open", "Write before it: open FOLDER");
  const base::SettingRow* const row = base::find_setting(line.words[0]);
  if (row == nullptr)
    refuse(line, "no setting " + line.words[0], "Settings are listed by: headroom train --help");
  run::RunRequest request = *now->request;
  base::apply_text(request.settings, *row, line.words[1]);
  session.perform({.commands = {run::Configure{std::move(request)}}, .requests = {}});
}

}  // namespace headroom::app
