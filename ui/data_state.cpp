#include "ui/data_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/run/state_machine.hpp"
#include "ui/data_text.hpp"

namespace headroom::ui {
namespace {

std::vector<base::MaskKey> keys_of(const DataFolder& data) {
  std::vector<base::MaskKey> keys;
  for (const base::MaskKeySummary& each : data.summary.mask_keys) keys.push_back(each.key);
  return keys;
}

/// Where the sample that was chosen before is now; the first one where it is gone.
std::size_t chosen_in(const DataFolder& data, const DataState& before) {
  if (before.of == nullptr || before.chosen >= before.of->samples.size()) return 0;
  const auto found =
      std::ranges::find(data.samples, before.of->samples[before.chosen].id, &FolderSample::id);
  return found == data.samples.end() ? 0 : static_cast<std::size_t>(found - data.samples.begin());
}

}  // namespace

void follow_data(const Frame& frame, DataState& state) {
  state.in_sight.clear();
  if (state.of == frame.shell.data) return;
  DataState next;
  next.of = frame.shell.data;
  if (next.of != nullptr) {
    next.mapping = MappingEdit(next.of->mapping, keys_of(*next.of));
    const bool is_same = state.of != nullptr && state.of->folder == next.of->folder;
    if (is_same) {
      next.chosen = chosen_in(*next.of, state);
      next.severities = state.severities;
      next.sample_filter = state.sample_filter;
      next.sample_text = state.sample_text;
    }
    next.scrolls_to_chosen = true;
  }
  state = std::move(next);
  refilter_findings(state);
  refilter_samples(state);
}

void ask_for_pictures(const Frame& frame, DataState& state) {
  if (state.of == nullptr || state.of->samples.empty()) return;
  LookAtSamples wanted{.chosen = state.chosen, .others = state.in_sight};
  if (state.asked == wanted) return;
  state.asked = wanted;
  frame.request(std::move(wanted));
}

void refilter_findings(DataState& state) {
  state.findings.clear();
  if (state.of != nullptr)
    state.findings = shown_findings(state.of->summary.findings, state.severities);
}

void refilter_samples(DataState& state) {
  state.samples.clear();
  if (state.of != nullptr) {
    state.samples =
        shown_samples(*state.of, static_cast<SampleFilter>(state.sample_filter), state.sample_text);
  }
}

void choose_sample(DataState& state, std::size_t sample) {
  state.chosen = sample;
  state.scrolls_to_chosen = true;
  if (std::ranges::binary_search(state.samples, sample)) return;
  state.sample_filter = static_cast<int>(SampleFilter::all);
  state.sample_text.clear();
  refilter_samples(state);
}

std::string reading_refusal(const Frame& frame) {
  if (frame.shell.busy) return "Wait for this: " + frame.shell.busy->text + ".";
  if (!frame.run.request) return "Open a data folder first.";
  const char* const refusal = run::refusal(frame.run.state, run::Action::configure);
  return refusal == nullptr ? "" : refusal;
}

std::string data_start_refusal(const run::RunSnapshot& run, const DataState& state) {
  const bool is_of_run =
      state.of != nullptr && run.request && run.request->data_folder == state.of->folder;
  if (!is_of_run) return {};
  if (state.mapping.is_changed())
    return "The mapping of the mask values was edited: apply the edits in Data, or undo them.";
  // With other settings other things are found.
  if (!changed_settings(state.of->settings, run.request->settings).empty()) return {};
  const std::int64_t errors =
      count_findings(state.of->summary.findings)[static_cast<std::size_t>(base::Severity::error)];
  if (errors > 0)
    return fmt::format("The data has {}, listed in Data.",
                       count_of_severity(base::Severity::error, errors));
  return state.of->samples.empty() ? "The folder has no usable sample: Data tells why." : "";
}

run::RunRequest request_of_data(const Frame& frame) {
  return frame.run.request ? frame.shared.request_edit.latest(frame.run) : run::RunRequest{};
}

}  // namespace headroom::ui
