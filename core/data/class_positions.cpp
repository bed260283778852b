#include "core/data/class_positions.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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

/// [class]: pixels of it in one image.
std::vector<std::vector<std::int64_t>> find_in(const base::LabelImage& image, std::uint64_t key,
                                               std::int64_t classes) {
  std::vector<LowestHashes> lowest(static_cast<std::size_t>(classes), LowestHashes(key));
  for (std::size_t pixel = 0; pixel < image.labels.size(); ++pixel) {
    const std::size_t label = image.labels[pixel];
    // kIgnoreLabel is no class, whatever their number.
    if (label < lowest.size()) lowest[label].offer(static_cast<std::int64_t>(pixel));
  }
  std::vector<std::vector<std::int64_t>> found;
  for (const LowestHashes& of_class : lowest) found.push_back(of_class.pixels());
  return found;
}

}  // namespace

ClassPositions find_class_positions(SampleCache& cache, const std::vector<std::int64_t>& chosen,
                                    const ClassPositionOptions& options, std::stop_token stop) {
  std::vector<std::vector<std::vector<std::int64_t>>> found(chosen.size());
  parallel_for(static_cast<std::int64_t>(chosen.size()),
               {.threads = options.threads, .stop = std::move(stop)}, [&](std::int64_t i) {
                 const auto at = static_cast<std::size_t>(i);
                 const std::uint64_t key = mix64(static_cast<std::uint64_t>(chosen[at]));
                 found[at] = find_in(cache.get(chosen[at])->labels, key, options.classes);
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
