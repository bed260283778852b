#include "tests/ui/dashboard_scenes.hpp"

#include <chrono>
#include <utility>

#include "tests/ui/sample_folder.hpp"
#include "tests/ui/sample_outlook.hpp"
#include "tests/ui/sample_snapshots.hpp"
#include "ui/dashboard.hpp"

namespace headroom::tests {
namespace {

ui::Shell sample_shell() {
  ui::Shell shell;
  constexpr std::int64_t kGiB = std::int64_t{1} << 30;
  shell.machine = {.device = "CPU, 2 threads",
                   .device_total_bytes = 32 * kGiB,
                   .device_free_bytes = 21 * kGiB,
                   .memory_total_bytes = 32 * kGiB,
                   .memory_free_bytes = 21 * kGiB,
                   .disk_free_bytes = 412 * kGiB,
                   .renderer = "llvmpipe",
                   .renders_in_software = true};
  shell.recent_runs.push_back({.folder = "runs/fundus_native",
                               .name = "fundus_native",
                               .steps_done = 1712,
                               .steps = 2000,
                               .saved = "today at 14:52"});
  return shell;
}

run::RunSnapshot failed_snapshot() {
  run::RunSnapshot snapshot = training_snapshot();
  snapshot.state = run::RunState::failed;
  snapshot.error = run::Failed{
      .kind = base::ErrorKind::out_of_memory,
      .error = {.attempted = "training",
                .subject = "step 1713 needs more than 8.21 GiB, the budget is 8.00 GiB",
                .remedy = "Set more stages to Full, or choose a smaller --tile or --batch"},
      .step = 1712,
      .saved_step = 1712};
  return snapshot;
}

/// Twice in one step: Light was not enough.
run::RunSnapshot out_of_memory_snapshot() {
  run::RunSnapshot snapshot = training_snapshot({.plan_changes = {}});
  const std::size_t stages = snapshot.facts->stages.size();
  plan::StepForm before{plan::Plan(stages, plan::Policy::keep), 2};
  for (const plan::Policy policy : {plan::Policy::light, plan::Policy::full}) {
    const plan::StepForm after{plan::Plan(stages, policy), 2};
    snapshot = run::reduce(std::move(snapshot),
                           run::MemoryRelieved{{.step = 940,
                                                .refused_bytes = std::int64_t{8400} << 20,
                                                .budget_bytes = std::int64_t{8} << 30,
                                                .before = before,
                                                .after = after}});
    before = after;
  }
  return snapshot;
}

run::RunSnapshot with_state(run::RunState state) {
  run::RunSnapshot snapshot = training_snapshot();
  snapshot.state = state;
  return snapshot;
}

run::RunSnapshot empty_snapshot() {
  run::RunSnapshot snapshot;
  snapshot.self_test = run::SelfTestReport{.plans = 32, .equal = 32, .seconds = 0.4};
  return snapshot;
}

run::RunSnapshot ready_snapshot() {
  run::RunSnapshot snapshot;
  snapshot.request = training_snapshot({.steps_done = 1}).request;
  snapshot.request->settings.step.plan = "enc1=full,enc2=light,dec1=full";
  snapshot.state = run::RunState::ready;
  return snapshot;
}

/// Ready, while the network is measured, and after that failed.
run::RunSnapshot calibrating_snapshot(run::CalibrationStatus::State state) {
  run::RunSnapshot snapshot = ready_snapshot();
  snapshot.calibration = run::CalibrationStatus{
      .state = state,
      .steps = 23,
      .problem = {.attempted = "calibrating",
                  .subject = "the machine has no memory left",
                  .remedy = "Close other programs, or choose a smaller network"}};
  return snapshot;
}

/// Scenes of the panel What fits, which is a tab behind others in small windows.
std::vector<Scene> fit_scenes() {
  using State = run::CalibrationStatus::State;
  const SampleRun sample;
  std::vector<Scene> scenes;
  const auto add = [&](const char* name, run::RunSnapshot snapshot, ui::Outlook outlook) {
    Scene scene{.name = name,
                .run = shared(std::move(snapshot)),
                .shell = sample_shell(),
                .front_panel = ui::panel(ui::PanelId::what_fits).id};
    scene.shell.outlook = std::move(outlook);
    scenes.push_back(std::move(scene));
  };
  const ui::Outlook missing{.costs = ui::CostsState::missing};
  add("fits", training_snapshot(sample), sample_outlook(sample, training_snapshot(sample)));
  run::RunSnapshot ready = ready_snapshot();
  ready.request->settings.step.budget_bytes = sample.budget_bytes;
  add("fits_ready", ready, sample_outlook(sample, ready));
  add("needs_calibration", ready_snapshot(), missing);
  add("calibrating", calibrating_snapshot(State::running), missing);
  add("calibration_failed", calibrating_snapshot(State::failed), missing);
  return scenes;
}

/// Scenes of the workspace Data, which a folder that is opened brings.
std::vector<Scene> data_scenes() {
  std::vector<Scene> scenes;
  const auto add = [&](const char* name, const SampleFolder& sample) {
    Scene scene{.name = name, .shell = sample_shell()};
    scene.shell.data = sample_folder(sample);
    scene.shell.pictures = sample_pictures(scene.shell.data);
    scene.run = shared(run_ready_on(*scene.shell.data));
    scenes.push_back(std::move(scene));
  };
  add("data", {.has_error = true});
  add("data_many", {.samples = 900, .mask_values = 300, .findings = 200});
  add("data_empty", {.samples = 0, .mask_values = 0});
  return scenes;
}

run::RunSnapshot preparing_snapshot() {
  run::RunSnapshot snapshot;
  snapshot.request = training_snapshot({.steps_done = 1}).request;
  snapshot.state = run::RunState::preparing;
  return snapshot;
}

}  // namespace

std::vector<Scene> dashboard_scenes() {
  run::RunSnapshot finished = training_snapshot({.steps_done = 2000});
  finished.state = run::RunState::finished;
  finished.outcome = run::Outcome::completed;
  std::vector<std::pair<const char*, run::RunSnapshot>> states;
  states.emplace_back("first_start", empty_snapshot());
  states.emplace_back("ready", ready_snapshot());
  states.emplace_back("preparing", preparing_snapshot());
  states.emplace_back("training", training_snapshot());
  states.emplace_back("paused", with_state(run::RunState::paused));
  states.emplace_back("out_of_memory", out_of_memory_snapshot());
  states.emplace_back("failed", failed_snapshot());
  states.emplace_back("finished", std::move(finished));
  states.emplace_back("young", training_snapshot({.levels = 4,
                                                  .steps = 400,
                                                  .steps_done = 3,
                                                  .tile = 256,
                                                  .plan_changes = {},
                                                  .with_timeline = false,
                                                  .with_previews = false}));
  states.emplace_back("deep", training_snapshot({.levels = 8, .steps_done = 900}));
  std::vector<Scene> scenes;
  Scene busy{.name = "busy", .run = shared(ready_snapshot()), .shell = sample_shell()};
  busy.shell.busy = ui::BusyWork{
      .text = "Reading aerial_dubai",
      .share = 0.4,
      .can_cancel = true,
      .since = std::chrono::steady_clock::time_point{std::chrono::milliseconds(-5000)}};
  busy.shell.problem = "reading the folder: /data/aerial holds no image";
  busy.shell.problem_number = 1;
  scenes.push_back(std::move(busy));
  for (auto& [name, snapshot] : states) {
    Scene scene{.name = name, .run = shared(std::move(snapshot)), .shell = sample_shell()};
    scene.shell.outlook.costs = ui::CostsState::missing;
    scenes.push_back(std::move(scene));
  }
  for (Scene& scene : scenes) {
    if (scene.name == "training" || scene.name == "paused" || scene.name == "finished")
      scene.shell.outlook = sample_outlook({}, *scene.run);
  }
  for (Scene& scene : fit_scenes()) scenes.push_back(std::move(scene));
  for (Scene& scene : data_scenes()) scenes.push_back(std::move(scene));
  return scenes;
}

base::Image draw_scene(app::Window& window, const Scene& scene, ui::ThemeKind theme) {
  std::vector<std::string> missing;
  ui::Preferences preferences;
  preferences.theme = theme;
  preferences.reduce_motion = true;
  ui::Dashboard dashboard(ui::load_fonts(ui::system_font_files(), missing), preferences);
  constexpr int kFramesToSettle = 8;
  window.keep_picture(true);
  for (int frame = 0; frame < kFramesToSettle; ++frame) {
    window.begin_frame();
    static_cast<void>(dashboard.draw({.run = scene.run,
                                      .shell = scene.shell,
                                      .textures = window.textures(),
                                      .scale = window.scale(),
                                      .seconds = frame * 0.1}));
    // The layout has chosen its own front panel by then.
    constexpr int kFrameToFront = 4;
    if (frame == kFrameToFront && scene.front_panel != nullptr)
      ImGui::SetWindowFocus(scene.front_panel);
    window.end_frame();
  }
  return window.picture();
}

}  // namespace headroom::tests
