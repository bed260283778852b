#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/script_text.hpp"
#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/settings_schema.hpp"

namespace headroom::app {
namespace {

using base::SettingGroup;
using base::SettingKind;
using base::SettingRow;

constexpr const char* kAbout =
    "Headroom trains full-resolution segmentation networks in the memory you have.\n"
    "Without a command it opens the dashboard; without a display it trains a generated sample and\n"
    "says where the results are. A folder in place of a command is opened in the dashboard.";
constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 internal error or a difference found by verify, 2 wrong use or "
    "setting,\n"
    "3 data cannot be used, 4 does not fit in memory by any plan, 5 I/O failed, 130 interrupted "
    "(state saved).";

void add_output_options(CLI::App& command, OutputOptions& output) {
  command.add_flag("--json", output.json, "Print one JSON document and nothing else")
      ->group("Output");
  command.add_flag("--quiet", output.quiet, "Show no progress")->group("Output");
}

std::string type_text(const SettingRow& row) {
  switch (row.kind) {
    case SettingKind::integer:
    case SettingKind::real:
      return "N";
    case SettingKind::bytes:
      return "SIZE";
    case SettingKind::duration:
      return "TIME";
    case SettingKind::tile:
      return "N|HxW";
    case SettingKind::choice:
    case SettingKind::text:
    case SettingKind::flag:
      break;
  }
  return "TEXT";
}

std::string help_text(const SettingRow& row) {
  const std::string range = base::range_text(row);
  return range.empty() ? std::string(row.help) : fmt::format("{} ({})", row.help, range);
}

/// The row's flag. One that can be switched off also gets --no-FLAG; where there are choices as
/// well, it may stand without a value and means its default then.
void add_setting(CLI::App& command, const SettingRow& row, GivenSettings& given) {
  const std::string flag(row.flag);
  const std::string group = fmt::format("Settings: {}", base::name_of(row.group));
  const bool has_opposite = row.kind == SettingKind::flag || !row.aliases.empty();
  if (has_opposite) {
    command
        .add_flag_callback(
            "--no-" + flag.substr(2), [&] { given.add(row, "false"); }, "The opposite")
        ->group(group);
  }
  if (row.kind == SettingKind::flag) {
    command
        .add_flag_callback(
            flag, [&] { given.add(row, "true"); }, help_text(row))
        ->group(group);
    return;
  }
  CLI::Option* option =
      command
          .add_option_function<std::string>(
              flag, [&](const std::string& value) { given.add(row, value); }, help_text(row))
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
          ->type_name(type_text(row))
          ->default_str(base::default_text(row))
          ->group(group);
  if (has_opposite) option->expected(0, 1);
}

void add_config(CLI::App& command, GivenSettings& given) {
  command
      .add_option_function<std::string>(
          "--config", [&given](const std::string& file) { given.set_config(file); },
          "Settings from a JSON file; flags win")
      ->type_name("FILE.json")
      ->group("Settings");
}

void add_some_settings(CLI::App& command, std::initializer_list<std::string_view> keys,
                       GivenSettings& given) {
  for (const std::string_view key : keys) {
    const SettingRow* row = base::find_setting(key);
    if (row == nullptr)
      throw base::Error(base::ErrorKind::internal, {.attempted = "building the command line",
                                                    .subject = fmt::format("no setting {}", key),
                                                    .remedy = "report this"});
    add_setting(command, *row, given);
  }
}

CLI::Option* add_path(CLI::App& command, const std::string& name, std::filesystem::path& path,
                      const std::string& help) {
  return command.add_option_function<std::string>(
      name, [&path](const std::string& text) { path = text; }, help);
}

void define_gui(CLI::App& command, GuiCommand& gui) {
  add_path(command, "DIR", gui.folder, "Data folder, or run folder to be continued");
  add_path(command, "--script", gui.script, "Play the lines of this file (see below)")
      ->type_name("FILE");
  command.add_flag("--headless", gui.headless, "No window; only with --script");
  add_path(
      command, "--screenshot", gui.screenshot,
      "Draw without a display, write the last picture (PNG), and end when the script has ended")
      ->type_name("FILE");
  add_path(command, "--controls", gui.controls,
           "Keep the rectangles of all controls in this file (JSON), for programs that click")
      ->type_name("FILE");
  command.add_option("--width", gui.width, "Of the window, in pixels")
      ->check(CLI::Range(320, 7680))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--height", gui.height, "Of the window, in pixels")
      ->check(CLI::Range(200, 4320))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--theme", gui.theme, "dark or light; without: as chosen last")
      ->check(CLI::IsMember({"dark", "light"}))
      ->type_name("NAME");
  command.footer(
      "Runs, the sample and the window's settings lie in ~/.local/share/headroom, or where "
      "HEADROOM_HOME says.\n\nLines of a script:\n" +
      script_help());
  add_output_options(command, gui.output);
}

void define_sample(CLI::App& command, SampleCommand& sample) {
  add_path(command, "OUT", sample.folder, "New or empty folder")->required();
  const std::map<std::string, formats::SampleKind> kinds = {{"aerial", formats::SampleKind::aerial},
                                                            {"retina", formats::SampleKind::retina},
                                                            {"cells", formats::SampleKind::cells}};
  command
      .add_option_function<std::string>(
          "--kind",
          [&sample, kinds](const std::string& name) { sample.options.kind = kinds.at(name); },
          "What the pictures show: aerial, retina or cells")
      ->check(CLI::IsMember({"aerial", "retina", "cells"}))
      ->type_name("KIND")
      ->default_str(formats::name_of(sample.options.kind));
  command.add_option("--count", sample.options.count, "Number of pictures")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--size", sample.options.size, "Height and width in pixels")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--seed", sample.options.seed, "Equal seeds give equal pictures")
      ->type_name("N")
      ->capture_default_str();
  add_output_options(command, sample.output);
}

void define_check(CLI::App& command, CheckCommand& check) {
  add_path(command, "PATH", check.path, "Data folder, or one image file")->required();
  add_output_options(command, check.output);
  add_path(command, "--augmented", check.augmented,
           "Draw the first 16 training tiles as augmentation leaves them, each beside itself with "
           "its classes: FILE.png. A file there is replaced")
      ->type_name("FILE");
  add_some_settings(
      command,
      {"layout", "slice_axis", "mapping", "ignore", "missing_masks", "split", "split_by", "folds",
       "fold", "seed", "tile", "normalise", "window", "augment", "foreground", "coverage"},
      check.given);
}

void define_train(CLI::App& command, TrainCommand& train) {
  add_path(command, "DATA", train.data, "Folder with images and masks");
  add_path(command, "--out", train.out, "New or empty folder for the run, not inside DATA")
      ->type_name("RUN");
  add_path(command, "--resume", train.resume,
           "Continue this run where it stopped, with its own settings and data")
      ->type_name("RUN");
  add_output_options(command, train.output);
  add_config(command, train.given);
  for (const SettingRow& row : base::settings_schema()) add_setting(command, row, train.given);
}

constexpr std::array<std::string_view, 5> kUseOfModel = {"device", "threads", "precision",
                                                         "memory_format", "budget"};

void add_use_of_model(CLI::App& command, GivenSettings& given) {
  for (const std::string_view key : kUseOfModel) add_some_settings(command, {key}, given);
}

void define_evaluate(CLI::App& command, EvaluateCommand& evaluate) {
  add_path(command, "RUN", evaluate.model, "Run folder (its best model), or a .safetensors file")
      ->required();
  add_path(command, "DATA", evaluate.data,
           "Data folder, all of it; without one: the validation side of the run");
  add_output_options(command, evaluate.output);
  add_use_of_model(command, evaluate.given);
  add_some_settings(command, {"layout", "slice_axis", "ignore", "missing_masks"}, evaluate.given);
}

void define_predict(CLI::App& command, PredictCommand& predict) {
  add_path(command, "RUN", predict.model, "Run folder (its best model), or a .safetensors file")
      ->required();
  command
      .add_option_function<std::vector<std::string>>(
          "INPUT",
          [&predict](const std::vector<std::string>& inputs) {
            predict.inputs.assign(inputs.begin(), inputs.end());
          },
          "Images, or folders of images")
      ->required();
  add_path(command, "--out", predict.out, "New or empty folder for the results")
      ->type_name("DIR")
      ->required();
  command.add_flag_callback(
      "--no-overlays", [&predict] { predict.overlays = false; },
      "Write no pictures with the classes drawn over the image");
  add_output_options(command, predict.output);
  add_use_of_model(command, predict.given);
}

/// One step on generated input, but for the settings that the command gives apart.
void add_generated_step(CLI::App& command, std::initializer_list<std::string_view> apart,
                        GivenSettings& given) {
  add_config(command, given);
  for (const SettingRow& row : base::settings_schema()) {
    const bool is_of_step = row.group == SettingGroup::model || row.group == SettingGroup::step;
    const bool is_apart = std::find(apart.begin(), apart.end(), row.key) != apart.end();
    if (is_of_step && !is_apart) add_setting(command, row, given);
  }
  add_some_settings(command, {"loss", "optimizer"}, given);
}

void define_bench(CLI::App& command, BenchCommand& bench) {
  command
      .add_option("--plans", bench.plans,
                  "Plans to measure: names and plans (keep,light,enc1=full,dec1=light is three); "
                  "repeatable; auto is what --plan auto chooses. Without: keep,light,full")
      ->type_name("PLANS")
      ->allow_extra_args(false);
  command.add_option("--repeat", bench.repeat, "Measured steps of each plan")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--warmup", bench.warmup, "Unmeasured rounds before")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  add_path(command, "--timeline", bench.timeline,
           "Write the live bytes of a step of each plan over time, by stage: FILE.json (with the "
           "tensors that hold the peak) or FILE.csv; on a GPU FILE.pickle, which PyTorch's memory "
           "viewer opens")
      ->type_name("FILE");
  add_output_options(command, bench.output);
  add_generated_step(command, {"plan"}, bench.given);
}

void define_verify(CLI::App& command, VerifyCommand& verify) {
  command.add_option("--policies", verify.policies, "What each stage is tried with")
      ->type_name("POLICIES")
      ->capture_default_str();
  command
      .add_option("--plans", verify.plans,
                  "all combinations of the policies, or random:N of them, drawn with --seed")
      ->type_name("all|random:N")
      ->capture_default_str();
  command.add_option("--steps", verify.steps, "Optimizer steps of each plan")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->capture_default_str();
  add_output_options(command, verify.output);
  add_generated_step(command, {"plan"}, verify.given);
}

void add_recalibrate(CLI::App& command, bool& recalibrate) {
  command.add_flag("--recalibrate", recalibrate,
                   "Measure anew what a step costs, not only once for a network and machine");
}

void add_data_of_planning(CLI::App& command, std::filesystem::path& data, GivenSettings& given) {
  add_path(command, "DATA", data,
           "Folder with images and masks, whose classes and channels the network gets");
  add_some_settings(command, {"layout", "slice_axis", "mapping", "ignore", "missing_masks"}, given);
}

void define_plan(CLI::App& command, PlanCommand& plan) {
  command.add_option("--measure", plan.measure, "Run so many plans of the trade-off as well")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  add_recalibrate(command, plan.recalibrate);
  add_output_options(command, plan.output);
  add_data_of_planning(command, plan.data, plan.given);
  add_generated_step(command, {"plan"}, plan.given);
}

void define_fit(CLI::App& command, FitCommand& fit) {
  command.add_option("--batches", fit.batches, "Tiles per micro-batch")
      ->type_name("N,…")
      ->capture_default_str();
  command.add_option("--sides", fit.sides, "Sides of square tiles in the map, in pixels")
      ->type_name("N,…")
      ->capture_default_str();
  command
      .add_option(
          "--verify", fit.verify,
          "Run a step of so many of the largest tiles, and of the next size up, which should "
          "not fit")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--heights", fit.heights,
                  "Heights for which the widest tile is found, in pixels, for tiles of any aspect")
      ->type_name("N,…");
  command
      .add_option("--reserve", fit.reserve, "Part of the budget that is left to other processes")
      ->type_name("BYTES");
  add_recalibrate(command, fit.recalibrate);
  add_output_options(command, fit.output);
  add_data_of_planning(command, fit.data, fit.given);
  add_generated_step(command, {"plan", "tile", "batch"}, fit.given);
}

void define_report(CLI::App& command, ReportCommand& report) {
  command
      .add_option_function<std::vector<std::string>>(
          "RUN",
          [&report](const std::vector<std::string>& runs) {
            report.runs.assign(runs.begin(), runs.end());
          },
          "Run folders; several are compared")
      ->required();
  add_path(command, "--out", report.out,
           "What is written: FILE.html (one page, opens without network), .json, .csv (a row for "
           "each plan) or .md. An earlier report there is replaced")
      ->type_name("FILE");
  add_output_options(command, report.output);
}

[[noreturn]] void refuse(const std::string& subject, const std::string& remedy) {
  throw base::Error(
      base::ErrorKind::usage,
      {.attempted = "reading the command line", .subject = subject, .remedy = remedy});
}

/// A folder, or an option of the dashboard, in place of the command means the dashboard.
bool means_dashboard(std::string_view first) {
  for (const std::string_view option : {"--script", "--headless", "--screenshot", "--controls"}) {
    if (first == option || first.starts_with(std::string(option) + '=')) return true;
  }
  std::error_code ignored;
  return !first.starts_with('-') && std::filesystem::is_directory(first, ignored);
}

/// Every command with where its values go.
class Parser {
 public:
  Parser();
  [[nodiscard]] Invocation parse(int argument_count, const char* const* arguments);

 private:
  template <typename Command>
  void add(const std::string& name, const std::string& help, void (*define)(CLI::App&, Command&));
  void require_known_command(int argument_count, const char* const* arguments) const;
  [[nodiscard]] std::vector<std::string> command_names() const;
  [[nodiscard]] bool is_command_name(std::string_view word) const;
  [[nodiscard]] ShowText text_of(const CLI::Success& success);

  CLI::App app_{kAbout, "headroom"};
  OutputOptions output_{};
  std::map<const CLI::App*, std::function<Invocation()>> chosen_{};
};

template <typename Command>
void Parser::add(const std::string& name, const std::string& help,
                 void (*define)(CLI::App&, Command&)) {
  CLI::App* command = app_.add_subcommand(name, help);
  const auto values = std::make_shared<Command>();
  define(*command, *values);
  chosen_[command] = [values]() -> Invocation { return *values; };
}

Parser::Parser() {
  app_.set_version_flag("--version", fmt::format("headroom {}", base::build_commit()));
  app_.require_subcommand(0, 1);
  app_.footer(kExitCodes);
  add_output_options(app_, output_);
  add("gui", "Open the dashboard", define_gui);
  add("sample", "Write a generated data set with exact masks", define_sample);
  add("check", "Scan a data folder or read one file, and list findings", define_check);
  add("train", "Train a network", define_train);
  add("evaluate", "Whole-image scores, per class and per image", define_evaluate);
  add("predict", "Class of every pixel of whole images", define_predict);
  add("bench", "Measured time and peak of plans, on generated input", define_bench);
  add("verify", "Prove that plans do not change results", define_verify);
  add("plan", "Fastest plan for a budget, and the trade-off of memory and time", define_plan);
  add("fit", "Largest tile for each batch under a budget", define_fit);
  add("report", "Write a report of one run, or a comparison of several", define_report);
  add<DevicesCommand>("devices", "Devices, memory, versions",
                      [](CLI::App& command, DevicesCommand& devices) {
                        add_output_options(command, devices.output);
                      });
}

std::vector<std::string> Parser::command_names() const {
  std::vector<std::string> names;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

bool Parser::is_command_name(std::string_view word) const {
  const std::vector<std::string> names = command_names();
  return std::find(names.begin(), names.end(), word) != names.end();
}

void Parser::require_known_command(int argument_count, const char* const* arguments) const {
  if (argument_count < 2 || *arguments[1] == '-') return;
  const std::string word = arguments[1];
  if (is_command_name(word) || means_dashboard(word)) return;
  refuse(fmt::format("this version has no command {}, and no such folder is there", word),
         fmt::format("Commands are {}; see headroom --help", fmt::join(command_names(), ", ")));
}

ShowText Parser::text_of(const CLI::Success& success) {
  std::ostringstream text;
  app_.exit(success, text, text);
  return {text.str()};
}

Invocation Parser::parse(int argument_count, const char* const* arguments) {
  require_known_command(argument_count, arguments);
  std::vector<const char*> words(arguments, arguments + argument_count);
  const bool is_command = argument_count >= 2 && is_command_name(arguments[1]);
  if (argument_count >= 2 && !is_command && means_dashboard(arguments[1]))
    words.insert(words.begin() + 1, "gui");
  try {
    app_.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::Success& success) {
    return text_of(success);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app_.get_subcommands();
    const std::string name = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    refuse(error.what(), fmt::format("See headroom {}--help", name));
  }
  const auto chosen = app_.get_subcommands();
  if (chosen.empty()) return FirstStart{output_};
  if (output_.json || output_.quiet)
    refuse("--json and --quiet stand before the command", "Give them behind it");
  return chosen_.at(chosen.front())();
}

}  // namespace

Invocation parse_command_line(int argument_count, const char* const* arguments) {
  return Parser().parse(argument_count, arguments);
}

}  // namespace headroom::app
