// Random clicks, drags, wheel turns and keys while the run goes through all its states and the
// program around it lists, works, fails and closes: no assert, no two controls with one ID, no
// command that the state refuses, no memory that grows.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <array>
#include <random>
#include <set>
#include <string_view>

#include "core/run/state_machine.hpp"
#include "tests/ui/counted_allocations.hpp"
#include "tests/ui/headless_dashboard.hpp"
#include "tests/ui/sample_folder.hpp"
#include "tests/ui/sample_outlook.hpp"
#include "tests/ui/sample_snapshots.hpp"

namespace headroom::tests {
namespace {

using Snapshots = std::array<std::shared_ptr<const run::RunSnapshot>, run::kRunStates>;

/// One snapshot per state.
Snapshots snapshots_of_all_states() {
  const run::RunSnapshot training = training_snapshot({.steps_done = 700});
  Snapshots all;
  for (std::size_t state = 0; state < run::kRunStates; ++state) {
    run::RunSnapshot snapshot = training;
    if (state == static_cast<std::size_t>(run::RunState::empty)) snapshot = {};
    if (state == static_cast<std::size_t>(run::RunState::ready) ||
        state == static_cast<std::size_t>(run::RunState::preparing)) {
      snapshot = {.request = training.request, .log = training.log};
    }
    if (state == static_cast<std::size_t>(run::RunState::failed)) {
      snapshot.error = run::Failed{
          .error = {.attempted = "training", .subject = "step 701", .remedy = "try again"}};
    }
    snapshot.state = static_cast<run::RunState>(state);
    snapshot.revision = static_cast<std::int64_t>(state) + 1;
    all[state] = shared(std::move(snapshot));
  }
  return all;
}

/// Predictions, some of another network; or none.
std::vector<ui::Outlook> make_outlooks() {
  const run::RunSnapshot run = training_snapshot({.steps_done = 700});
  const run::RunSnapshot other = training_snapshot({.levels = 3, .steps_done = 7});
  return {{},
          {.costs = ui::CostsState::missing},
          sample_outlook({.steps_done = 700, .budget_bytes = std::int64_t{3} << 30}, run),
          sample_outlook({.steps_done = 700}, run),
          sample_outlook({.levels = 3}, other)};
}

/// Folders of the runs' data: usual ones and one with many of all.
std::vector<SharedFolder> make_folders() {
  return {sample_folder(), sample_folder({.samples = 7, .has_error = true}),
          sample_folder({.samples = 900, .mask_values = 300, .findings = 200}),
          sample_folder({.samples = 0, .mask_values = 0})};
}

/// What comes into the window from outside.
struct Surroundings {
  std::vector<ui::Outlook> outlooks = make_outlooks();
  std::vector<SharedFolder> folders = make_folders();
};

/// A program in the middle of something, or of nothing: each part is there or not.
ui::Shell random_shell(std::mt19937_64& random, const Surroundings& around) {
  const auto happens = [&] { return std::bernoulli_distribution(0.4)(random); };
  ui::Shell shell;
  shell.machine = {.device = "CPU, 2 threads", .memory_free_bytes = std::int64_t{1} << 34};
  if (happens()) shell.home_folder = "/home/ada";
  if (happens()) {
    shell.machine.renderer = "llvmpipe";
    shell.machine.renders_in_software = true;
  }
  if (happens()) {
    shell.recent_runs = {{.folder = "runs/done", .name = "done", .steps_done = 9, .steps = 9},
                         {.folder = "runs/half", .name = "half", .steps_done = 4, .steps = 9}};
  }
  if (happens()) shell.recent_folders = {"/data/aerial", "/data/fundus"};
  if (happens()) shell.busy = ui::BusyWork{.text = "Reading aerial", .can_cancel = happens()};
  if (happens()) {
    shell.problem = "That folder has no images";
    shell.problem_number = static_cast<std::int64_t>(random() % 5);
  }
  if (happens()) {
    shell.listing = ui::FolderListing{.folder = happens() ? "/home/ada" : "/"};
    if (happens()) shell.listing->problem = "Permission denied";
    for (int i = 0; i < 50; ++i)
      shell.listing->folders.push_back({.name = "f" + std::to_string(i), .is_run = i % 3 == 0});
  }
  shell.outlook = around.outlooks[random() % around.outlooks.size()];
  if (happens() || happens()) {
    shell.data = around.folders[random() % around.folders.size()];
    if (happens()) shell.pictures = sample_pictures(shell.data);
  }
  shell.is_closing = random() % 20 == 0;
  return shell;
}

constexpr auto kKeys = std::to_array<ImGuiKey>(
    {ImGuiKey_Tab,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
     ImGuiKey_DownArrow, ImGuiKey_Enter,     ImGuiKey_Space,      ImGuiKey_Escape,
     ImGuiKey_Backspace, ImGuiKey_Delete,    ImGuiKey_1,          ImGuiKey_2,
     ImGuiKey_3,         ImGuiKey_4,         ImGuiKey_A,          ImGuiKey_Z,
     ImGuiKey_O,         ImGuiKey_PageUp,    ImGuiKey_PageDown,   ImGuiKey_Home,
     ImGuiKey_End,       ImGuiKey_Minus,     ImGuiKey_Equal});

class Monkey {
 public:
  Monkey(HeadlessDashboard& window, std::uint64_t seed) : window_(window), random_(seed) {}

  /// One thing that hands do; up to two frames.
  void act() {
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
        ImGui::GetIO().AddMousePosEvent(anywhere().x, anywhere().y);
        break;
      case 3:
        aim();
        break;
      case 4:
      case 5:
        click();
        break;
      case 6:
      case 7:
        toggle_button(below(5) == 0 ? ImGuiMouseButton_Right : ImGuiMouseButton_Left);
        break;
      case 8:
        ImGui::GetIO().AddMouseWheelEvent(0, static_cast<float>(below(9)) - 4);
        break;
      case 9:
        window_.press(kKeys[below(kKeys.size())], below(4) == 0 ? ImGuiMod_Ctrl : ImGuiKey_None);
        break;
      case 10:
        ImGui::GetIO().AddInputCharacter("0123456789.e-aZ "[below(16)]);
        break;
      default:
        if (below(20) == 0) resize();
        break;
    }
  }

  void release() {
    for (int button = 0; button < 2; ++button) {
      if (down_[static_cast<std::size_t>(button)]) toggle_button(button);
    }
  }

  std::mt19937_64& random() { return random_; }

  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

 private:
  ImVec2 anywhere() {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return {static_cast<float>(below(static_cast<std::size_t>(size.x))),
            static_cast<float>(below(static_cast<std::size_t>(size.y)))};
  }

  /// At a control, as clicks into the void find little.
  void aim() {
    const auto& items = window_.probe().items();
    if (items.empty()) return;
    const ui::ProbedItem& item = items[below(items.size())];
    ImGui::GetIO().AddMousePosEvent((item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2);
  }

  void click() {
    aim();
    window_.frame();
    toggle_button(ImGuiMouseButton_Left);
    window_.frame();
    toggle_button(ImGuiMouseButton_Left);
  }

  void toggle_button(ImGuiMouseButton button) {
    bool& down = down_[static_cast<std::size_t>(button)];
    down = !down;
    ImGui::GetIO().AddMouseButtonEvent(button, down);
  }

  void resize() {
    constexpr auto kSizes =
        std::to_array<ImVec2>({{1920, 1080}, {1280, 720}, {640, 400}, {2560, 1440}});
    ImGui::GetIO().DisplaySize = kSizes[below(kSizes.size())];
  }

  HeadlessDashboard& window_;
  std::mt19937_64 random_;
  std::array<bool, 2> down_{};
};

void expect_legal(HeadlessDashboard& window) {
  for (const run::Command& command : window.asked.commands) {
    const run::Action action = run::action_of(command);
    EXPECT_EQ(run::refusal(window.run->state, action), nullptr)
        << run::name_of(action) << " while " << run::name_of(window.run->state);
    const auto* const set = std::get_if<run::SetPlan>(&command);
    if (set != nullptr) {
      ASSERT_NE(window.run->facts, nullptr);
      EXPECT_EQ(set->plan.size(), window.run->facts->stages.size());
    }
  }
  window.asked = {};
}

void expect_single_ids(const HeadlessDashboard& window) {
  ASSERT_EQ(GImGui->DebugDrawIdConflictsId, 0U);
  std::set<std::string_view> names;
  for (const ui::ProbedItem& item : window.probe().items()) {
    ASSERT_TRUE(names.insert(item.name).second) << item.name << " was drawn twice";
  }
}

/// Panels that were torn off may lie over the top bar.
void uncover_top_bar(HeadlessDashboard& window) {
  constexpr float kBelow = 200;
  for (ImGuiWindow* const each : GImGui->Windows) {
    const bool is_panel = std::string_view(each->Name).find("###") != std::string_view::npos;
    if (is_panel && !each->DockIsActive && each->Pos.y < kBelow)
      ImGui::SetWindowPos(each, {each->Pos.x, kBelow});
  }
  window.frames(1);
}

/// Glyphs of one size, whatever the hands chose: memory is compared between seeds.
void restore_size(HeadlessDashboard& window) {
  uncover_top_bar(window);
  // What is open, or is typed into, takes the first keys and clicks.
  constexpr int kMostTries = 8;
  for (int i = 0; i < kMostTries && window.find("top/settings/size/80 %") == nullptr; ++i) {
    window.press(ImGuiKey_Escape);
    window.click("top/settings");
    window.frames(3);
  }
  for (const char* const size : {"top/settings/size/80 %", "top/settings/size/100 %"}) {
    window.click(size);
    window.frames(3);
  }
  window.press(ImGuiKey_Escape);
  window.frames(3);
}

TEST(Dashboard, UnderRandomHands_AsksOnlyForWhatIsAllowedAndDoesNotGrow) {
  constexpr std::uint64_t kSeeds = 10;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kFramesPerSeed = 300;  // a frame takes many times as long there
#else
  constexpr int kFramesPerSeed = 5000;
#endif
  CountedAllocations allocations;
  HeadlessDashboard window;
  const Snapshots snapshots = snapshots_of_all_states();
  const Surroundings around;
  std::vector<std::int64_t> bytes_after;
  std::set<run::Action> seen;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Monkey monkey(window, seed);
    for (int frame = 0; frame < kFramesPerSeed; ++frame) {
      if (monkey.below(25) == 0) window.run = snapshots[monkey.below(snapshots.size())];
      if (monkey.below(40) == 0) window.shell = random_shell(monkey.random(), around);
      monkey.act();
      window.frame();
      for (const run::Command& command : window.asked.commands) {
        seen.insert(run::action_of(command));
      }
      expect_legal(window);
      expect_single_ids(window);
      if (testing::Test::HasFailure()) return;
    }
    monkey.release();
    window.resize(1920, 1080);
    window.run = snapshots[static_cast<std::size_t>(run::RunState::training)];
    window.shell = {};
    window.frames(3);
    restore_size(window);
    window.asked = {};
    bytes_after.push_back(allocations.live_bytes());
  }
  EXPECT_GE(seen.size(), 4U) << "the hands must reach the controls";
  // Windows and glyphs are made in the first rounds; later ones find them.
  constexpr std::int64_t kSlack = std::int64_t{1} << 20;
  EXPECT_LE(bytes_after.back(), bytes_after[kSeeds / 2] + kSlack);
}

}  // namespace
}  // namespace headroom::tests
