#include "core/data/class_positions.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/base/interruption.hpp"
#include "core/data/counter_random.hpp"
#include "core/data/parallel_for.hpp"

namespace headroom::data {
namespace {

constexpr std::size_t kMostPixels = 64;

/// The pixels of lowest hash among all that were offered.
class LowestHashes {
 public:
  /// Other keys give other hashes, so that images of one size do not keep the same places.
  explicit LowestHashes(std::uint64_t key) : key_(key) {}

  void offer(std::int64_t pixel) {
    const std::uint64_t hash = mix64(key_ ^ static_cast<std::uint64_t>(pixel));
    if (hash >= bound_) return;
    heap_.emplace_back(hash, pixel);
    std::ranges::push_heap(heap_);
    if (heap_.size() <= kMostPixels) return;
    std::ranges::pop_heap(heap_);
    heap_.pop_back();
    bound_ = heap_.front().first;
  }

  [[nodiscard]] std::vector<std::int64_t> pixels() const {
    std::vector<std::int64_t> kept;
    for (const auto& [hash, pixel] : heap_) kept.push_back(pixel);
    std::ranges::sort(kept);
    return kept;
  }

 private:
  std::uint64_t key_;
  std::vector<std::pair<std::uint64_t, std::int64_t>> heap_;  ///< the highest hash in front
  std::uint64_t bound_ = std::numeric_limits<std::uint64_t>::max();
};

using PixelsByClass = std::vector<std::vector<std::int64_t>>;

/// [class]: pixels of it in one sample, of which one part after the other is read.
PixelsByClass find_in(SampleCache& cache, std::int64_t index, std::int64_t classes,
                      const std::stop_token& stop) {
  const std::uint64_t key = mix64(static_cast<std::uint64_t>(index));
  const std::int64_t sample_width = cache.samples()[static_cast<std::size_t>(index)].width;
  std::vector<LowestHashes> lowest(static_cast<std::size_t>(classes), LowestHashes(key));
  for (const base::PixelWindow& part : cache.parts(index)) {
    base::throw_if_stopped(stop, "looking for the classes in the masks");
    const auto decoded = cache.read_part(index, part);
    const std::uint8_t* label = decoded->labels.labels.data();
    for (std::int64_t row = part.top; row < part.bottom(); ++row) {
      for (std::int64_t column = part.left; column < part.right(); ++column, ++label) {
        // kIgnoreLabel is no class, whatever their number.
        if (*label < classes) lowest[*label].offer(row * sample_width + column);
      }
    }
  }
  PixelsByClass found;
  for (const LowestHashes& of_class : lowest) found.push_back(of_class.pixels());
  return found;
}

}  // namespace

ClassPositions find_class_positions(SampleCache& cache, const std::vector<std::int64_t>& chosen,
                                    const ClassPositionOptions& options, std::stop_token stop) {
  std::vector<PixelsByClass> found(chosen.size());
  parallel_for(static_cast<std::int64_t>(chosen.size()), {.threads = options.threads, .stop = stop},
               [&](std::int64_t i) {
                 const auto at = static_cast<std::size_t>(i);
                 found[at] = find_in(cache, chosen[at], options.classes, stop);
               });
  ClassPositions positions(static_cast<std::size_t>(options.classes));
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t label = 0; label < positions.size(); ++label) {
      if (!found[i][label].empty())
        positions[label].push_back({chosen[i], std::move(found[i][label])});
    }
  }
  return positions;
}

}  // namespace headroom::data
