#include "core/formats/mask_keys.hpp"

#include <cstdint>
#include <map>

namespace headroom::formats {

std::vector<base::MaskKeySummary> count_mask_keys(std::span<const ScannedSample> samples,
                                                  const base::ClassMapping& mapping) {
  std::map<base::MaskKey, base::MaskKeySummary> counts;
  for (const ScannedSample& sample : samples) {
    const CodeLabels codes(mapping, sample.census.coding, sample.census.palette,
                           sample.census.names);
    // Two indices of a palette may have one colour.
    std::map<base::MaskKey, std::int64_t> pixels_of;
    for (const auto& [code, pixels] : sample.census.pixels_of)
      pixels_of[codes.key_of(code)] += pixels;
    for (const auto& [key, pixels] : pixels_of) {
      base::MaskKeySummary& count =
          counts.try_emplace(key, base::MaskKeySummary{key}).first->second;
      count.pixels += pixels;
      ++count.images;
    }
  }
  std::vector<base::MaskKeySummary> keys;
  keys.reserve(counts.size());
  for (auto& [key, count] : counts) keys.push_back(std::move(count));
  return keys;
}

}  // namespace headroom::formats
