#include "core/formats/leak_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/formats/footprint.hpp"

namespace headroom::formats {

namespace {

constexpr std::size_t kMostPerCode = 20;
constexpr const char* kRemedy =
    "remove one of them, or put both on one side with --split or --split-by";

/// The findings of one code.
class LeakList {
 public:
  explicit LeakList(const char* code) : code_(code) {}

  void add(const std::string& file, std::string message) {
    if (findings_.size() < kMostPerCode) {
      findings_.push_back({base::Severity::warning, code_, file, std::move(message)});
    } else {
      ++others_;
    }
  }

  void move_to(std::vector<base::Finding>& all) {
    if (others_ > 0) {
      findings_.push_back(
          {base::Severity::warning, code_, {}, fmt::format("and {} more of this kind", others_)});
    }
    std::ranges::move(findings_, std::back_inserter(all));
  }

 private:
  const char* code_;
  std::vector<base::Finding> findings_;
  std::int64_t others_ = 0;
};

class LeakCheck {
 public:
  LeakCheck(const Dataset& dataset, const data::Split& split) : dataset_(dataset), split_(split) {}

  std::vector<base::Finding> run() {
    compare_pixels();
    compare_looks();
    compare_origins("patient", "leak-same-patient",
                    [](const data::Sample& sample) { return sample.patient; });
    compare_origins("series", "leak-same-series", [](const data::Sample& sample) {
      return sample.patient.empty() ? sample.series : std::string();
    });
    compare_footprints();
    return std::move(findings_);
  }

 private:
  [[nodiscard]] const data::Sample& sample(std::int64_t index) const {
    return dataset_.samples.at(static_cast<std::size_t>(index));
  }
  [[nodiscard]] const PictureDigest& picture(std::int64_t index) const {
    return dataset_.traits.at(static_cast<std::size_t>(index)).picture;
  }

  void compare_pixels() {
    std::unordered_map<std::string, std::int64_t> trained;
    for (const std::int64_t index : split_.train) trained.emplace(picture(index).pixels, index);
    LeakList leaks("leak-equal-pixels");
    is_told_.assign(dataset_.samples.size(), false);
    for (const std::int64_t index : split_.validation) {
      const auto twin = trained.find(picture(index).pixels);
      if (twin == trained.end() || picture(index).pixels.empty()) continue;
      is_told_[static_cast<std::size_t>(index)] = true;
      leaks.add(sample(index).id,
                fmt::format("it validates and has the same pixels as '{}', which is trained on; {}",
                            sample(twin->second).id, kRemedy));
    }
    leaks.move_to(findings_);
  }

  /// The training picture that differs in the fewest bits from a validation picture.
  void compare_looks() {
    LeakList leaks("leak-near-duplicate");
    for (const std::int64_t index : split_.validation) {
      if (!picture(index).look || is_told_[static_cast<std::size_t>(index)]) continue;
      int fewest = kNearDuplicateBits + 1;
      std::int64_t nearest = 0;
      for (const std::int64_t other : split_.train) {
        if (!picture(other).look) continue;
        const int bits = std::popcount(*picture(index).look ^ *picture(other).look);
        if (bits >= fewest || are_of_one_origin(sample(index), sample(other))) continue;
        fewest = bits;
        nearest = other;
      }
      if (fewest > kNearDuplicateBits) continue;
      leaks.add(sample(index).id,
                fmt::format("it validates and looks like '{}', which is trained on ({} of 64 bits "
                            "of their perceptual hashes differ); if they show the same, {}",
                            sample(nearest).id, fewest, kRemedy));
    }
    leaks.move_to(findings_);
  }

  static bool are_of_one_origin(const data::Sample& a, const data::Sample& b) {
    const auto same = [](const std::string& x, const std::string& y) {
      return !x.empty() && x == y;
    };
    return a.image == b.image || same(a.patient, b.patient) || same(a.series, b.series);
  }

  template <typename Name>
  void compare_origins(const char* what, const char* code, const Name& name_of) {
    struct Sides {
      std::int64_t train = 0, validation = 0;
      std::int64_t first = 0;  ///< that validates
    };
    std::map<std::string, Sides> sides;
    for (const std::int64_t index : split_.train) ++sides[name_of(sample(index))].train;
    for (const std::int64_t index : split_.validation) {
      Sides& both = sides[name_of(sample(index))];
      if (both.validation++ == 0) both.first = index;
    }
    LeakList leaks(code);
    for (const auto& [name, both] : sides) {
      if (name.empty() || both.train == 0 || both.validation == 0) continue;
      leaks.add(sample(both.first).id,
                fmt::format("{} '{}' has {} samples to train on and {} to validate on, this one "
                            "among them; keep each {} on one side with --split-by {}",
                            what, name, both.train, both.validation, what, what));
    }
    leaks.move_to(findings_);
  }

  void compare_footprints() {
    std::vector<std::optional<Footprint>> footprints;
    for (std::size_t i = 0; i < dataset_.samples.size(); ++i) {
      const data::Sample& one = dataset_.samples[i];
      const std::int64_t top = one.part ? one.part->top : 0, left = one.part ? one.part->left : 0;
      const auto& geo = dataset_.traits.at(i).geo;
      footprints.push_back(geo ? footprint_of(*geo, {left, top, one.width, one.height})
                               : std::nullopt);
    }
    LeakList leaks("leak-overlap");
    for (const FootprintOverlap& overlap : find_overlaps(footprints, split_)) {
      if (sample(overlap.train).image == sample(overlap.validation).image) continue;
      leaks.add(sample(overlap.validation).id,
                fmt::format("it validates and shares {:.0f} % of its ground with '{}', which is "
                            "trained on; keep both on one side with --split-by folder, a regular "
                            "expression, or lists",
                            100 * overlap.share, sample(overlap.train).id));
    }
    leaks.move_to(findings_);
  }

  const Dataset& dataset_;
  const data::Split& split_;
  std::vector<base::Finding> findings_;
  std::vector<bool> is_told_;  ///< [sample] that it has the pixels of another
};

}  // namespace

std::vector<base::Finding> find_leaks(const Dataset& dataset, const data::Split& split) {
  return LeakCheck(dataset, split).run();
}

}  // namespace headroom::formats
