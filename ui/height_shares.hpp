#pragma once
// How the parts of a panel share its height. Pure; any thread.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace headroom::ui {

struct PartHeight {
  float least = 0;
  float wanted = 0;  ///< at least `least`
};

/// Each part has its least height; what is left of `room` goes to the parts in their order, up to
/// what they want, and then to the last one. Where there is no room for the least heights, those.
[[nodiscard]] inline std::vector<float> share_height(float room,
                                                     std::span<const PartHeight> parts) {
  std::vector<float> heights;
  for (const PartHeight& part : parts) {
    heights.push_back(part.least);
    room -= part.least;
  }
  for (std::size_t i = 0; i < parts.size() && room > 0; ++i) {
    const bool is_last = i + 1 == parts.size();
    const float more = is_last ? room : std::min(room, parts[i].wanted - parts[i].least);
    heights[i] += std::max(0.0F, more);
    room -= std::max(0.0F, more);
  }
  return heights;
}

}  // namespace headroom::ui
