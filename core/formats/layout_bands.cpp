// One folder per band, and one of masks: red, green, blue, nir and gt beside each other, or
// images/B02, images/B03 and masks. Files of one name are one sample.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/channel_name.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/folder_tree.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/pairing.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

/// In the order in which they are stacked, before numbered ones.
constexpr std::array<std::string_view, 9> kBandWords = {"red",   "green", "blue", "rededge", "nir",
                                                        "swir1", "swir2", "swir", "thermal"};

struct BandFolder {
  std::int64_t order = 0;
  std::string name{};  ///< of the band
  fs::path path{};
  std::vector<std::string> qualifiers{};  ///< the name's other words
};

/// Nothing for folders whose name has no band, or more than one.
std::optional<BandFolder> band_of(const fs::path& folder) {
  BandFolder band{.path = folder};
  for (std::string& word : words_of(folder.filename().string())) {
    const auto known = std::ranges::find(kBandWords, word);
    const auto number = channel_number(word);
    const bool is_band = known != kBandWords.end() || (number && word.front() > '9');
    if (!is_band) {
      band.qualifiers.push_back(std::move(word));
      continue;
    }
    if (!band.name.empty()) return std::nullopt;
    band.order = number ? static_cast<std::int64_t>(kBandWords.size()) + *number
                        : known - kBandWords.begin();
    band.name = std::move(word);
  }
  if (band.name.empty()) return std::nullopt;
  return band;
}

/// The files of a folder, without the word for their kind that names may begin with: "red_7",
/// "gt_7".
StemIndex index_without(const FolderListing& listing, const fs::path& folder,
                        const std::string& kind) {
  StemIndex index;
  for (const FileBelow& each : files_below(listing, folder)) {
    const std::string name = each.below.filename().string();
    const bool begins = lower_case(name).starts_with(kind + "_");
    index.add(each.below.parent_path() / (begins ? name.substr(kind.size() + 1) : name), each.file);
  }
  return index;
}

class BandGroup {
 public:
  BandGroup(const FolderListing& listing, std::vector<BandFolder> bands)
      : listing_(listing), bands_(std::move(bands)) {
    for (const BandFolder& band : bands_)
      files_of_.push_back(index_without(listing, band.path, band.name));
  }

  MaskChoice pair_with(const fs::path& masks) {
    std::string kind;
    for (const std::string& word : words_of(masks.filename().string())) {
      if (role_of_folder(word).role == FolderRole::masks) kind = word;
    }
    choice_ = pair_files(masks.filename().string(),
                         {files_of_.front(), index_without(listing_, masks, kind), {}});
    for (const auto& [key, files] : files_of_.front().files()) key_of_[files.front()] = key;
    choice_.pairs = with_bands(std::move(choice_.pairs));
    choice_.unlabelled = with_bands(std::move(choice_.unlabelled));
    report_more_than_first();
    choice_.findings.push_back(
        {base::Severity::info, "channels-in-files", base::display_path(bands_.front().path),
         fmt::format("{} samples have their {} channels in folders of their own, in this order: {}",
                     choice_.pairs.size(), bands_.size(), fmt::join(names(), ", "))});
    return std::move(choice_);
  }

 private:
  std::vector<FilePair> with_bands(std::vector<FilePair> pairs) {
    std::vector<FilePair> whole;
    for (FilePair& pair : pairs) {
      if (add_bands(pair)) whole.push_back(std::move(pair));
    }
    return whole;
  }

  /// False where a band lacks the file, which is a finding.
  bool add_bands(FilePair& pair) {
    const StemKey& key = key_of_.at(pair.image);
    for (std::size_t band = 1; band < bands_.size(); ++band) {
      const auto found = files_of_[band].files().find(key);
      if (found == files_of_[band].files().end()) {
        report_missing(pair.image, bands_[band].path);
        return false;
      }
      pair.more_images.push_back(found->second.front());
    }
    return true;
  }

  void report_more_than_first() {
    for (std::size_t band = 1; band < bands_.size(); ++band) {
      for (const auto& [key, files] : files_of_[band].files()) {
        if (!files_of_.front().files().contains(key))
          report_missing(files.front(), bands_.front().path);
      }
    }
  }

  void report_missing(const fs::path& file, const fs::path& folder) {
    choice_.findings.push_back(
        {base::Severity::error, "channel-missing", base::display_path(file),
         fmt::format("{}: the folder {} has no file of this name; add the missing channel",
                     base::display_path(file), base::display_path(folder))});
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const BandFolder& band : bands_)
      result.push_back(base::display_path(band.path.filename()));
    return result;
  }

  const FolderListing& listing_;
  const std::vector<BandFolder> bands_;
  std::vector<StemIndex> files_of_;     ///< by band
  std::map<fs::path, StemKey> key_of_;  ///< of the first band's files
  MaskChoice choice_;
};

using ParentAndWords = std::pair<fs::path, std::vector<std::string>>;

std::map<ParentAndWords, std::vector<BandFolder>> find_bands(const FolderListing& listing) {
  std::map<ParentAndWords, std::vector<BandFolder>> groups;
  for (const ListedFolder& folder : listing.folders) {
    auto band = band_of(folder.path);
    if (band) groups[{folder.path.parent_path(), band->qualifiers}].push_back(std::move(*band));
  }
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  for (auto& [place, bands] : groups) {
    std::ranges::sort(bands, {},
                      [](const BandFolder& band) { return std::pair(band.order, band.name); });
  }
  return groups;
}

/// The only mask folder beside bands, or beside the folder of images that holds them.
std::optional<fs::path> mask_folder_of(const FolderListing& listing, const ParentAndWords& bands) {
  const auto& [parent, words] = bands;
  const NamedRole above = role_of_folder(parent.filename().string());
  std::vector<fs::path> found;
  for (const ListedFolder& folder : listing.folders) {
    const NamedRole named = role_of_folder(folder.path.filename().string());
    if (named.role != FolderRole::masks) continue;
    const bool is_beside = folder.path.parent_path() == parent && named.qualifiers == words;
    const bool is_above = above.role == FolderRole::images &&
                          folder.path.parent_path() == parent.parent_path() &&
                          named.qualifiers == above.qualifiers;
    if (is_beside || is_above) found.push_back(folder.path);
  }
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace

std::optional<Layout> recognise_bands(const DataFolder& folder, Asked /*asked*/) {
  Layout layout{.name = "band-folders"};
  std::vector<fs::path> used;
  for (auto& [place, bands] : find_bands(folder.listing)) {
    const auto masks = mask_folder_of(folder.listing, place);
    if (!masks) continue;
    used.push_back(*masks);
    for (const BandFolder& band : bands) used.push_back(band.path);
    PairingGroup group{.folder = place.first};
    group.choices.push_back(BandGroup(folder.listing, bands).pair_with(*masks));
    layout.groups.push_back(std::move(group));
  }
  if (!has_pair(layout)) return std::nullopt;
  note_other_folders(layout, folder.listing, used);
  return layout;
}

}  // namespace headroom::formats
