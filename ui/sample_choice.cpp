#include "ui/sample_choice.hpp"

#include <algorithm>

#include "ui/text_match.hpp"

namespace headroom::ui {
namespace {

bool passes(const FolderSample& sample, SampleFilter filter) {
  switch (filter) {
    case SampleFilter::training:
      return sample.side == SplitSide::training;
    case SampleFilter::validation:
      return sample.side == SplitSide::validation;
    case SampleFilter::with_findings:
      return sample.worst.has_value();
    case SampleFilter::all:
      break;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> shown_samples(const DataFolder& data, SampleFilter filter,
                                       std::string_view text) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < data.samples.size(); ++i) {
    if (passes(data.samples[i], filter) && contains_text(data.samples[i].id, text))
      shown.push_back(i);
  }
  return shown;
}

std::size_t neighbour(const std::vector<std::size_t>& shown, std::size_t from, int step) {
  if (shown.empty()) return from;
  if (step < 0) {
    const auto after = std::ranges::lower_bound(shown, from);
    return after == shown.begin() ? shown.back() : *(after - 1);
  }
  const auto after = std::ranges::upper_bound(shown, from);
  return after == shown.end() ? shown.front() : *after;
}

}  // namespace headroom::ui
