// One folder with images and masks that the ends or beginnings of their names tell apart.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/formats/channel_name.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/pairing.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;
using Stems = std::set<std::string>;

/// Of each mask that has the rest of an image's name behind another beginning ("img_7", "mask_7"):
/// the image's stem by the mask's.
std::map<std::string, std::string> pair_by_prefix(const Stems& stems) {
  std::map<std::string, std::string> image_of;
  for (const std::string& stem : stems) {
    for (const std::string_view prefix : image_prefixes()) {
      if (!stem.starts_with(prefix) || stem.size() == prefix.size()) continue;
      for (const std::string_view mask : mask_prefixes()) {
        const std::string partner = std::string(mask) + stem.substr(prefix.size());
        if (stems.contains(partner)) image_of.emplace(partner, stem);
      }
    }
  }
  return image_of;
}

/// What a mask's name may begin with: an image's stem, also without its own suffix or its mark as a
/// channel.
Stems possible_bases(const Stems& stems) {
  Stems bases = stems;
  for (const std::string& stem : stems) {
    bases.insert(without_suffix({"", stem}, image_suffixes()).stem);
    if (const auto channel = channel_of_stem(stem)) bases.insert(channel->base);
  }
  return bases;
}

struct PartnerStems {
  Stems masks{}, areas{};
};

/// "_mask" is the valid area where the image has a mask with another suffix.
PartnerStems find_partners(const Stems& stems) {
  PartnerStems found;
  for (const std::string& base : possible_bases(stems)) {
    std::vector<std::string> masks, areas;
    for (const std::string_view suffix : mask_suffixes()) {
      const bool is_also_area = std::ranges::find(area_suffixes(), suffix) != area_suffixes().end();
      const std::string partner = base + std::string(suffix);
      if (stems.contains(partner)) (is_also_area ? areas : masks).push_back(partner);
    }
    if (masks.empty()) std::swap(masks, areas);
    for (const std::string_view suffix : area_suffixes()) {
      const std::string partner = base + std::string(suffix);
      if (stems.contains(partner) && std::ranges::find(masks, partner) == masks.end()) {
        found.areas.insert(partner);
      }
    }
    found.masks.insert(masks.begin(), masks.end());
  }
  return found;
}

IndexedKinds sort_by_name(const ListedFolder& folder) {
  Stems stems;
  for (const fs::path& name : folder.names) stems.insert(stem_of(name));
  const PartnerStems partners = find_partners(stems);
  const std::map<std::string, std::string> image_of = pair_by_prefix(stems);
  IndexedKinds kinds;
  for (const fs::path& name : folder.names) {
    const std::string stem = stem_of(name);
    if (const auto image = image_of.find(stem); image != image_of.end()) {
      kinds.masks.add(image->second + name.extension().string(), folder.path / name);
      continue;
    }
    StemIndex& index = partners.masks.contains(stem)   ? kinds.masks
                       : partners.areas.contains(stem) ? kinds.areas
                                                       : kinds.images;
    index.add(name, folder.path / name);
  }
  return kinds;
}

}  // namespace

std::optional<Layout> recognise_suffixes(const DataFolder& folder, Asked /*asked*/) {
  Layout layout{.name = "suffix-pairs"};
  for (const ListedFolder& listed : folder.listing.folders) {
    const IndexedKinds kinds = sort_by_name(listed);
    if (kinds.masks.empty()) {
      leave_unlabelled(layout, listed);
      continue;
    }
    PairingGroup group{.folder = listed.path};
    group.choices.push_back(pair_files("", kinds));
    layout.groups.push_back(std::move(group));
  }
  if (!has_pair(layout)) return std::nullopt;
  return layout;
}

}  // namespace headroom::formats
