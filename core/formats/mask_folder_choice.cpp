#include "core/formats/mask_folder_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/interruption.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/mask_census.hpp"

namespace headroom::formats {

namespace {

constexpr std::size_t kMasksLookedAt = 8;

/// All mask folders of one name.
struct Candidate {
  std::vector<std::filesystem::path> masks{};
  std::int64_t values = 0;  ///< different ones in the first masks
};

using Candidates = std::map<std::string, Candidate>;

std::int64_t count_values(const std::filesystem::path& root,
                          const std::vector<std::filesystem::path>& masks,
                          const std::stop_token& stop) {
  std::set<std::int64_t> codes;
  for (std::size_t i = 0; i < std::min(masks.size(), kMasksLookedAt); ++i) {
    base::throw_if_stopped(stop, "choosing among mask folders");
    try {
      for (const auto& [code, pixels] : take_census(root / masks[i]).pixels_of) codes.insert(code);
    } catch (const base::Error&) {
      // A mask that cannot be read says nothing about its folder; the scan names it when the folder
      // is taken.
      continue;
    }
  }
  return static_cast<std::int64_t>(codes.size());
}

Candidates look_at_candidates(const std::filesystem::path& root, const Layout& layout,
                              const std::stop_token& stop) {
  Candidates candidates;
  for (const PairingGroup& group : layout.groups) {
    if (group.choices.size() < 2) continue;
    for (const MaskChoice& choice : group.choices) {
      for (const FilePair& pair : choice.pairs) candidates[choice.name].masks.push_back(pair.mask);
    }
  }
  for (auto& [name, candidate] : candidates)
    candidate.values = count_values(root, candidate.masks, stop);
  return candidates;
}

base::Finding describe(const PairingGroup& group, const MaskChoice& chosen,
                       const Candidates& candidates) {
  std::vector<std::string> others;
  for (const MaskChoice& choice : group.choices) {
    if (&choice == &chosen) continue;
    const auto found = candidates.find(choice.name);
    others.push_back(found == candidates.end()
                         ? fmt::format("'{}' (no pairs)", choice.name)
                         : fmt::format("'{}' ({} values)", choice.name, found->second.values));
  }
  return {base::Severity::info, "mask-folder-chosen", base::display_path(group.folder),
          fmt::format("of several mask folders '{}' is used ({} values in its first masks), not {}",
                      chosen.name, candidates.at(chosen.name).values, fmt::join(others, ", "))};
}

}  // namespace

std::vector<base::Finding> choose_mask_folders(const std::filesystem::path& root, Layout& layout,
                                               std::stop_token stop) {
  const Candidates candidates = look_at_candidates(root, layout, stop);
  const auto rank = [&](const MaskChoice& choice) {
    const auto found = candidates.find(choice.name);
    const auto values = found == candidates.end() ? 0 : found->second.values;
    return std::tuple(-static_cast<std::int64_t>(choice.pairs.size()), values, choice.name);
  };
  std::vector<base::Finding> findings;
  for (PairingGroup& group : layout.groups) {
    if (group.choices.size() < 2) continue;
    const auto best = std::ranges::min_element(group.choices, {}, rank);
    if (!best->pairs.empty()) findings.push_back(describe(group, *best, candidates));
    MaskChoice chosen = std::move(*best);
    group.choices.clear();
    group.choices.push_back(std::move(chosen));
  }
  return findings;
}

}  // namespace headroom::formats
