#pragma once
// What a person asks of the program outside a run: plain values that a frame returns and the
// program performs, in the background where it takes time.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/settings.hpp"
#include "core/plan/fit_map.hpp"
#include "core/plan/plan.hpp"
#include "core/plan/step_timeline.hpp"
#include "core/run/command.hpp"

namespace headroom::ui {

/// A data folder or a run folder; the program finds out which.
struct OpenFolder {
  std::filesystem::path folder{};
};
/// Makes the generated sample where it is not there yet, and starts a run on it.
struct TrySample {};
/// Continues a run that was stopped; its settings come from its folder.
struct ContinueRun {
  std::filesystem::path run_folder{};
};
/// Configures another run with the same data and settings, in a folder of its own, to be changed
/// before it starts.
struct NewRun {
  run::RunRequest like{};
};
/// Gives up what Shell::busy tells of.
struct CancelWork {};
/// For the folder dialog: Shell::listing will hold it.
struct ListFolder {
  std::filesystem::path folder{};
};
/// Writes what was recorded of a step into its run's folder, as JSON and CSV;
/// Shell::written_timeline tells when it is there.
struct WriteTimeline {
  std::shared_ptr<const plan::StepTimeline> timeline{};  ///< never null
  std::filesystem::path run_folder{};
};
/// What plans and sizes cost is to be known for this from now on; Shell::outlook holds it.
struct Foresee {
  base::Settings settings{};  ///< of the network, as run::settings_of_costs gives them
  std::string cost_key{};     ///< theirs
  plan::BatchShape shape{};
  std::int64_t budget_bytes = 0;
  std::vector<plan::Plan> plans{};  ///< as run::ForecastQuestion has them
};
/// Reads the data folder of a run anew and configures that run: with the settings of `request`,
/// and with `mapping` where one is given, which the program keeps as a file. Shell::data has what
/// is found.
struct ReadData {
  run::RunRequest request{};
  std::shared_ptr<const base::ClassMapping> mapping{};  ///< null: as the settings say
};
/// Writes a mapping to a file that is not there yet, as `--mapping` reads it;
/// Shell::written_mapping tells when it is there.
struct SaveMapping {
  std::shared_ptr<const base::ClassMapping> mapping{};  ///< never null
  std::filesystem::path file{};
};
/// Samples of Shell::data that are looked at: Shell::pictures will have the chosen one, and small
/// pictures of the others.
struct LookAtSamples {
  std::size_t chosen = 0;
  std::vector<std::size_t> others{};

  friend bool operator==(const LookAtSamples&, const LookAtSamples&) = default;
};
/// Stops and saves a run that is under way, and ends the program.
struct Quit {};

using Request = std::variant<OpenFolder, TrySample, ContinueRun, NewRun, CancelWork, ListFolder,
                             WriteTimeline, Foresee, ReadData, SaveMapping, LookAtSamples, Quit>;

/// What a frame asks for, in order.
struct Asked {
  std::vector<run::Command> commands{};
  std::vector<Request> requests{};
};

}  // namespace headroom::ui
