#pragma once
// What a person does with the open data folder, for all panels of the workspace Data. The
// dashboard's own, kept from frame to frame; the UI thread.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/data_folder.hpp"
#include "ui/finding_lines.hpp"
#include "ui/frame.hpp"
#include "ui/mapping_edit.hpp"
#include "ui/sample_choice.hpp"

namespace headroom::ui {

struct DataState {
  std::shared_ptr<const DataFolder> of{};  ///< what the rest is about; null: nothing was read

  MappingEdit mapping{};
  std::optional<base::MaskKey> menu_key{};  ///< whose class is being chosen
  ImVec2 menu_at{};                         ///< where its menu opens, in pixels
  std::optional<std::size_t> typed_row{};   ///< of the table: its class is being named
  std::string typed_name{};                 ///< so far
  std::string typed_file{};                 ///< where the mapping is to be saved

  SeverityFilter severities{true, true, true};
  std::vector<std::size_t> findings{};  ///< that are shown

  int sample_filter = static_cast<int>(SampleFilter::all);
  std::string sample_text{};
  std::vector<std::size_t> samples{};  ///< that are shown
  std::size_t chosen = 0;              ///< in the preview; an index into the folder's samples
  bool scrolls_to_chosen = false;
  std::vector<std::size_t> in_sight{};  ///< samples whose thumbnails this frame drew
  std::vector<bool> hidden_classes{};   ///< by id: left out of the overlay

  std::optional<LookAtSamples> asked{};  ///< what was asked for last
};

/// To be called once in each frame, before the panels: begins anew where another folder was read,
/// and keeps the chosen sample where the same one was read again.
void follow_data(const Frame& frame, DataState& state);

/// To be called after the panels: asks for the pictures that they want to show.
void ask_for_pictures(const Frame& frame, DataState& state);

/// After a filter has changed.
void refilter_findings(DataState& state);
void refilter_samples(DataState& state);

/// Shows a sample in the preview and in the list, whatever the filter.
void choose_sample(DataState& state, std::size_t sample);

/// Why the data cannot be read or changed now: a run is under way, or something else is being read;
/// empty: it can.
[[nodiscard]] std::string reading_refusal(const Frame& frame);

/// Why a run on this data cannot be started; empty: it can, as far as the data goes.
[[nodiscard]] std::string data_start_refusal(const run::RunSnapshot& run, const DataState& state);

/// The run that reading the data anew is for, by what was asked of it last.
[[nodiscard]] run::RunRequest request_of_data(const Frame& frame);

}  // namespace headroom::ui
