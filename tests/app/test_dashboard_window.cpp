// The real program in a real window on a virtual X server, with real clicks.
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <optional>
#include <thread>

#include "tests/app/cli_fixture.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using tests::ChildProcess;

constexpr auto kPatience = 60s;

/// Looks until it is so; false when the time has passed.
bool wait_until(const std::function<bool()>& is_so, std::chrono::seconds most = kPatience) {
  const auto end = std::chrono::steady_clock::now() + most;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    // The program and the X server are other processes: there is nothing to wait on but time.
    std::this_thread::sleep_for(20ms);
  }
  return true;
}

bool is_installed(const fs::path& program) {
  std::error_code ignored;
  return fs::exists(program, ignored);
}

class DashboardInXvfb : public CliTest {
 protected:
  void SetUp() override {
    if (!is_installed("/usr/bin/Xvfb") || !is_installed("/usr/bin/xdotool"))
      GTEST_SKIP() << "Xvfb or xdotool is not installed";
    for (int number = 90; number < 190 && !server_; ++number) try_display(number);
    ASSERT_TRUE(server_) << "no X server came up";
  }

  void try_display(int number) {
    const std::string lock = "/tmp/.X" + std::to_string(number) + "-lock";
    if (fs::exists(lock)) return;
    display_ = ":" + std::to_string(number);
    auto server = std::make_unique<ChildProcess>(tests::ProcessOptions{
        .arguments = {"/usr/bin/Xvfb", display_, "-screen", "0", "1280x720x24", "-nolisten", "tcp"},
        .timeout = 280s});
    const std::string socket = "/tmp/.X11-unix/X" + std::to_string(number);
    if (wait_until([&] { return fs::exists(socket); }, 10s)) server_ = std::move(server);
  }

  [[nodiscard]] tests::ProcessOptions gui(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {
        "gui", "--width", "1280", "--height", "720", "--controls", at("controls.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    tests::ProcessOptions made = options(std::move(arguments));
    made.environment["DISPLAY"] = display_;
    made.timeout = 250s;
    return made;
  }

  /// What the program last wrote; null while there is nothing.
  [[nodiscard]] nlohmann::json controls() const {
    if (!fs::exists(at("controls.json"))) return nullptr;
    return nlohmann::json::parse(read_text(at("controls.json")));
  }
  [[nodiscard]] std::optional<nlohmann::json> control(const std::string& name) const {
    const nlohmann::json all = controls();
    if (all.is_null()) return std::nullopt;
    for (const auto& each : all["controls"]) {
      if (each["name"] == name) return each;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::string state() const {
    const nlohmann::json all = controls();
    return all.is_null() ? std::string() : all["state"].get<std::string>();
  }
  void xdotool(std::vector<std::string> words) const {
    words.insert(words.begin(), "/usr/bin/xdotool");
    tests::ProcessOptions made{.arguments = std::move(words)};
    made.environment["DISPLAY"] = display_;
    ASSERT_EQ(tests::run_process(std::move(made)).exit_code, 0);
  }
  void click(const std::string& name) const {
    ASSERT_TRUE(wait_until([&] {
      const auto found = control(name);
      return found && (*found)["enabled"] == true;
    })) << name;
    const auto found = *control(name);
    const auto middle = [&](const char* from, const char* size) {
      return std::to_string(
          static_cast<int>(found[from].get<double>() + found[size].get<double>() / 2));
    };
    xdotool(
        {"mousemove", middle("x", "width"), middle("y", "height"), "sleep", "0.2", "click", "1"});
  }
  /// Quicker than a frame that is drawn in software.
  void tap_control_q() const { xdotool({"keydown", "ctrl", "key", "q", "keyup", "ctrl"}); }
  [[nodiscard]] fs::path run_folder() const { return at("home/runs/sample-001"); }
  [[nodiscard]] std::string run_file(const char* name) const {
    const fs::path file = run_folder() / name;
    return fs::exists(file) ? read_text(file) : std::string();
  }
  [[nodiscard]] int lines_of(const char* name) const {
    const std::string text = run_file(name);
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

  std::string display_;
  std::unique_ptr<ChildProcess> server_;
};

TEST_F(DashboardInXvfb, SampleTogglesPauseResumeStopQuit_WriteAWholeRun) {
  ChildProcess program(gui());
  click("start/sample");
  ASSERT_TRUE(wait_until([&] { return lines_of("steps.csv") > 2; }));
  click("plan/stage/enc1");
  // Heading, the plan the run began with, and the change.
  ASSERT_TRUE(wait_until([&] { return lines_of("plans.csv") == 3; }));
  click("plan/stage/dec1");
  ASSERT_TRUE(wait_until([&] { return lines_of("plans.csv") == 4; }));
  click("top/primary");
  ASSERT_TRUE(wait_until([&] { return state() == "paused"; }));
  const int paused_lines = lines_of("steps.csv");
  click("top/primary");
  ASSERT_TRUE(wait_until([&] { return lines_of("steps.csv") > paused_lines; }));
  click("top/stop");
  ASSERT_TRUE(wait_until([&] { return state() == "finished"; }));
  tap_control_q();
  const tests::ProcessResult result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(fs::exists(run_folder() / "state_last" / "state.safetensors"));
  EXPECT_THAT(run_file("plans.csv"), HasSubstr("enc1=light,dec1=light"));
  EXPECT_THAT(result.errors, HasSubstr("--resume"));
}

TEST_F(DashboardInXvfb, QuittingWhileTraining_SavesAndSaysSo) {
  ChildProcess program(gui());
  click("start/sample");
  ASSERT_TRUE(wait_until([&] { return lines_of("steps.csv") > 2; }));
  tap_control_q();
  const tests::ProcessResult result = program.wait();
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("the run is saved after step"));
  EXPECT_TRUE(fs::exists(run_folder() / "state_last" / "state.safetensors"));
}

TEST_F(DashboardInXvfb, PathTypedQuickly_IsTakenToItsLastLetter) {
  const std::string path = at("a/folder/with/a/name/that/is/long");
  fs::create_directories(path);
  ChildProcess program(gui());
  const auto is_typed = [&](const std::string& text) {
    return wait_until([&] { return (*control("folder/path"))["text"] == text; }, 10s);
  };
  click("start/open");
  // The X server may still be finding out who has its keyboard.
  ASSERT_TRUE(wait_until([&] {
    click("folder/path");
    xdotool({"key", "ctrl+a", "type", "x"});
    return is_typed("x");
  }));
  xdotool({"key", "ctrl+a", "type", "--delay", "1", path});
  EXPECT_TRUE(is_typed(path)) << (*control("folder/path"))["text"];
  program.send_signal(SIGTERM);
  EXPECT_EQ(program.wait().exit_code, 130);
}

TEST_F(DashboardInXvfb, SoftwareRenderer_IsNamedWithAHint) {
  ChildProcess program(gui());
  ASSERT_TRUE(wait_until([&] { return control("start/open").has_value(); }));
  program.send_signal(SIGTERM);
  const tests::ProcessResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("llvmpipe"));
  EXPECT_THAT(result.errors, HasSubstr("a tenth of a core"));
}

}  // namespace
}  // namespace headroom::app
