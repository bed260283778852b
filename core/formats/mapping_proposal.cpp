#include "core/formats/mapping_proposal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

namespace headroom::formats {

namespace {

using PixelsOfKey = std::map<base::MaskKey, std::int64_t>;

constexpr std::int64_t kStrayShare = 2000;  ///< of all pixels, its inverse
constexpr std::size_t kManyClasses = 32;

/// Whether an index means the same colour in all masks that are palettes, and no mask is anything
/// else.
bool is_one_palette(const std::vector<MaskCensus>& masks) {
  std::map<std::int64_t, std::uint32_t> colour_of;
  for (const MaskCensus& mask : masks) {
    if (mask.coding != MaskCoding::palette) return false;
    for (const auto& [code, pixels] : mask.pixels_of) {
      if (code >= static_cast<std::int64_t>(mask.palette.size())) continue;
      const std::uint32_t colour = mask.palette[static_cast<std::size_t>(code)];
      if (colour_of.try_emplace(code, colour).first->second != colour) return false;
    }
  }
  return true;
}

/// A mapping of one colour is enough to have codes named as colours.
PixelsOfKey count_keys(const std::vector<MaskCensus>& masks, bool by_colour) {
  base::ClassMapping naming;
  if (by_colour) naming.ids[{true, 0}] = 0;
  PixelsOfKey pixels_of;
  for (const MaskCensus& mask : masks) {
    const CodeLabels codes(naming, mask.coding, mask.palette);
    for (const auto& [code, pixels] : mask.pixels_of) pixels_of[codes.key_of(code)] += pixels;
  }
  return pixels_of;
}

bool is_binary(const PixelsOfKey& keys) {
  return keys.size() == 2 && keys.contains({false, 0}) && keys.contains({false, 255});
}

/// 0 … K-1 or 1 … K.
bool are_consecutive(const PixelsOfKey& keys) {
  const std::int64_t first = keys.begin()->first.value;
  const std::int64_t last = keys.rbegin()->first.value;
  return (first == 0 || first == 1) && last - first + 1 == static_cast<std::int64_t>(keys.size());
}

/// Removes keys of few pixels, unless fewer than two would be left.
PixelsOfKey take_strays(PixelsOfKey& keys) {
  std::int64_t total = 0;
  for (const auto& [key, pixels] : keys) total += pixels;
  PixelsOfKey kept, strays;
  for (const auto& entry : keys) (entry.second < total / kStrayShare ? strays : kept).insert(entry);
  if (kept.size() < 2) return {};
  keys = std::move(kept);
  return strays;
}

class Proposal {
 public:
  Proposal(PixelsOfKey keys, std::int64_t ignore_value, RareValues rare)
      : keys_(std::move(keys)), ignore_value_(ignore_value), rare_(rare) {}

  MappingProposal run(bool by_colour) {
    if (by_colour) {
      ignore_strays();
    } else {
      sort_values();
    }
    name_classes(by_colour);
    report();
    return std::move(proposal_);
  }

 private:
  void sort_values() {
    if (is_binary(keys_)) return;
    const base::MaskKey ignored{false, ignore_value_};
    PixelsOfKey others = keys_;
    others.erase(ignored);
    if (keys_.contains(ignored) && !others.empty() && are_consecutive(others)) {
      ignore(ignored);
      return;
    }
    if (are_consecutive(keys_)) return;
    ignore_strays();
    if (is_binary(keys_)) return;
    if (keys_.size() > 1 && keys_.contains(ignored)) ignore(ignored);
  }

  void ignore_strays() {
    if (rare_ == RareValues::are_classes) return;
    const PixelsOfKey strays = take_strays(keys_);
    if (strays.empty()) return;
    std::int64_t pixels = 0;
    for (const auto& [key, count] : strays) {
      proposal_.mapping.ids[key] = base::kIgnoreLabel;
      pixels += count;
    }
    add(base::Severity::warning, "stray-values",
        fmt::format("{} rare mask values ({}{}) with {} pixels together are taken as ignore; give "
                    "--mapping if they are classes",
                    strays.size(), base::to_string(strays.begin()->first),
                    strays.size() > 1 ? ", …" : "", pixels));
  }

  void ignore(base::MaskKey key) {
    proposal_.mapping.ids[key] = base::kIgnoreLabel;
    add(base::Severity::info, "ignore-value",
        fmt::format(
            "the mask value {} ({} pixels) is taken as ignore; give --ignore -1 if it is a class",
            base::to_string(key), keys_.at(key)));
    keys_.erase(key);
  }

  void name_classes(bool by_colour) {
    const bool binary = is_binary(keys_);
    const bool ids = !by_colour && are_consecutive(keys_);
    std::uint8_t id = 0;
    for (const auto& [key, pixels] : keys_) {
      if (static_cast<std::int64_t>(proposal_.mapping.class_names.size()) == base::kMaxClasses)
        break;
      proposal_.mapping.ids[key] = id;
      std::string name = base::to_string(key);
      if (binary) {
        name = id == 0 ? "background" : "foreground";
      } else if (ids) {
        name = fmt::format("class_{}", key.value);
      } else if (!by_colour) {
        name = fmt::format("value_{}", key.value);
      }
      proposal_.mapping.class_names.push_back(std::move(name));
      ++id;
    }
  }

  void report() {
    const auto classes = static_cast<std::int64_t>(keys_.size());
    if (classes == 1) {
      add(base::Severity::error, "single-value",
          fmt::format(
              "every mask pixel has the value {}: there is nothing to tell apart; check the masks",
              base::to_string(keys_.begin()->first)));
    } else if (classes > base::kMaxClasses) {
      add(base::Severity::error, "too-many-values",
          fmt::format(
              "the masks hold {} different values, more than {} classes; if they number objects, "
              "give --mapping with 0 as background and \"other\" as one class",
              classes, base::kMaxClasses));
    } else if (keys_.size() > kManyClasses) {
      add(base::Severity::warning, "many-values",
          fmt::format(
              "the masks hold {} different values, each taken as a class; if they number objects, "
              "give --mapping with 0 as background and \"other\" as one class",
              classes));
    }
  }

  void add(base::Severity severity, const char* code, std::string message) {
    proposal_.findings.push_back({severity, code, {}, std::move(message)});
  }

  PixelsOfKey keys_;
  const std::int64_t ignore_value_;
  const RareValues rare_;
  MappingProposal proposal_;
};

/// In any case, without '_' around it.
std::string plain_word(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::size_t first = name.find_first_not_of('_');
  if (first == std::string::npos) return name;
  return name.substr(first, name.find_last_not_of('_') - first + 1);
}

MappingProposal propose_names(const std::vector<std::string>& names) {
  MappingProposal proposal;
  proposal.mapping.class_names.emplace_back("background");
  std::vector<std::string>& classes = proposal.mapping.class_names;
  for (const std::string& name : names) {
    const std::string word = plain_word(name);
    std::uint8_t id = 0;
    if (word == "ignore" || word == "void") {
      id = base::kIgnoreLabel;
      proposal.findings.push_back(
          {base::Severity::info,
           "ignore-value",
           {},
           fmt::format("areas named '{}' are taken as ignore; give --mapping if they are a class",
                       name)});
    } else if (word != "background") {
      if (static_cast<std::int64_t>(classes.size()) == base::kMaxClasses) {
        proposal.findings.push_back(
            {base::Severity::error,
             "too-many-values",
             {},
             fmt::format("the annotations have {} names, more than {} classes; give --mapping that "
                         "joins some of them",
                         names.size(), base::kMaxClasses)});
        break;
      }
      id = static_cast<std::uint8_t>(classes.size());
      classes.push_back(name);
    }
    proposal.mapping.ids[{.name = name}] = id;
  }
  if (classes.size() == 1) {
    proposal.findings.push_back({base::Severity::error,
                                 "single-value",
                                 {},
                                 "the annotations name no class beside the background"});
  }
  return proposal;
}

}  // namespace

bool hold_colours(const std::vector<MaskCensus>& masks) {
  const bool all_values = std::ranges::all_of(
      masks, [](const MaskCensus& mask) { return mask.coding == MaskCoding::value; });
  return !all_values && !is_one_palette(masks);
}

MappingProposal propose_mapping(const std::vector<MaskCensus>& masks, std::int64_t ignore_value,
                                RareValues rare) {
  if (!masks.empty() && masks.front().coding == MaskCoding::name)
    return propose_names(*masks.front().names);
  const bool by_colour = hold_colours(masks);
  PixelsOfKey keys = count_keys(masks, by_colour);
  if (keys.empty()) {
    return {{},
            {{base::Severity::error, "single-value", {}, "no mask pixel is inside a valid area"}}};
  }
  return Proposal(std::move(keys), ignore_value, rare).run(by_colour);
}

}  // namespace headroom::formats
