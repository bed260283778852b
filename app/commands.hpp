#pragma once
// What the command line can ask for: one struct per command with what was given, and the function
// that does it. Called by `main` on its thread; each returns the exit code and throws base::Error.

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "app/given_settings.hpp"
#include "core/formats/generate.hpp"

namespace headroom::app {

/// Options that every command has.
struct OutputOptions {
  bool json = false;   ///< one JSON document on standard output and nothing else there
  bool quiet = false;  ///< no progress
};

/// No command: the dashboard, or, without a display, the generated sample is trained.
struct FirstStart {
  OutputOptions output{};
};

/// The dashboard.
struct GuiCommand {
  OutputOptions output{};
  std::filesystem::path folder{};      ///< data or run that is opened; may be empty
  std::filesystem::path script{};      ///< played; may be empty
  bool headless = false;               ///< no window: the script alone
  std::filesystem::path screenshot{};  ///< the window's last picture; it is drawn without a display
  std::filesystem::path controls{};    ///< where the controls' rectangles are written, as JSON
  std::int64_t width = 1600, height = 900;
  std::string theme{};  ///< dark or light; empty: as chosen last
};

struct SampleCommand {
  OutputOptions output{};
  formats::GenerateOptions options{};
  std::filesystem::path folder{};
};

struct CheckCommand {
  OutputOptions output{};
  std::filesystem::path path{};       ///< a data folder, or one image file
  std::filesystem::path augmented{};  ///< PNG of training tiles that is written; may be empty
  GivenSettings given{};
};

struct TrainCommand {
  OutputOptions output{};
  std::filesystem::path data{};
  std::filesystem::path out{};
  std::filesystem::path resume{};  ///< not empty: the run that is continued
  GivenSettings given{};
};

struct EvaluateCommand {
  OutputOptions output{};
  std::filesystem::path model{};  ///< a run folder or a model file
  std::filesystem::path data{};   ///< empty: the validation side of the run
  GivenSettings given{};
};

struct PredictCommand {
  OutputOptions output{};
  std::filesystem::path model{};
  std::vector<std::filesystem::path> inputs{};  ///< files or folders
  std::filesystem::path out{};
  bool overlays = true;
  GivenSettings given{};
};

struct BenchCommand {
  OutputOptions output{};
  std::vector<std::string> plans{};  ///< each a list of names, or one plan in STAGE=POLICY form
  std::int64_t repeat = 10;
  std::int64_t warmup = 2;
  std::filesystem::path timeline{};  ///< what is recorded of a step of each plan; may be empty
  GivenSettings given{};
};

struct VerifyCommand {
  OutputOptions output{};
  std::string policies = "keep,full";
  std::string plans = "all";  ///< or random:N
  std::int64_t steps = 3;
  GivenSettings given{};
};

struct ReportCommand {
  OutputOptions output{};
  std::vector<std::filesystem::path> runs{};
  std::filesystem::path out{};  ///< its extension says what is written; may be empty with --json
};

struct PlanCommand {
  OutputOptions output{};
  std::filesystem::path data{};  ///< whose classes and channels count; may be empty
  std::int64_t measure = 0;      ///< plans of the trade-off that are run
  bool recalibrate = false;
  GivenSettings given{};
};

struct FitCommand {
  OutputOptions output{};
  std::filesystem::path data{};  ///< whose classes and channels count; may be empty
  std::string batches = "1,2,4,8";
  std::string sides = "128,256,384,512,768,1024,1536,2048,3072,4096";
  std::string heights{};    ///< of the widest tiles; empty: squares alone
  std::string reserve{};    ///< of the budget, left to others; empty: nothing
  std::int64_t verify = 0;  ///< largest cells that are run
  bool recalibrate = false;
  GivenSettings given{};
};

struct DevicesCommand {
  OutputOptions output{};
};

/// Help or the version.
struct ShowText {
  std::string text{};
};

using Invocation = std::variant<FirstStart, GuiCommand, SampleCommand, CheckCommand, TrainCommand,
                                EvaluateCommand, PredictCommand, BenchCommand, VerifyCommand,
                                PlanCommand, FitCommand, ReportCommand, DevicesCommand, ShowText>;

[[nodiscard]] int perform(const FirstStart& command);
[[nodiscard]] int perform(const GuiCommand& command);
[[nodiscard]] int perform(const SampleCommand& command);
[[nodiscard]] int perform(const CheckCommand& command);
[[nodiscard]] int perform(const TrainCommand& command);
[[nodiscard]] int perform(const EvaluateCommand& command);
[[nodiscard]] int perform(const PredictCommand& command);
[[nodiscard]] int perform(const BenchCommand& command);
[[nodiscard]] int perform(const VerifyCommand& command);
[[nodiscard]] int perform(const PlanCommand& command);
[[nodiscard]] int perform(const FitCommand& command);
[[nodiscard]] int perform(const ReportCommand& command);
[[nodiscard]] int perform(const DevicesCommand& command);
[[nodiscard]] int perform(const ShowText& command);

}  // namespace headroom::app
