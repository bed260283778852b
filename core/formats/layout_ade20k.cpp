// ADE20K's scene parsing set: images and annotations of one name, ADE_train_00000001, in folders by
// side; 0 is what nobody labelled.
#include <algorithm>
#include <string>

#include "core/base/io_error.hpp"
#include "core/base/text_number.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/name_list.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr const char* kBeginning = "ADE_";

bool any_name_is_ade(const FolderListing& listing) {
  return std::ranges::any_of(listing.folders, [](const ListedFolder& folder) {
    return folder.names.front().native().starts_with(kBeginning);
  });
}

bool all_names_are_ade(const Layout& layout) {
  for (const PairingGroup& group : layout.groups) {
    for (const MaskChoice& choice : group.choices) {
      for (const FilePair& pair : choice.pairs) {
        if (!stem_of(pair.image).starts_with(kBeginning)) return false;
      }
    }
  }
  return true;
}

/// objectInfo150.txt: a table by tabs, whose first column is the value and the last the name.
MaskMeaning read_meaning(const fs::path& root, const fs::path& folder) {
  MaskMeaning meaning{.source = "ADE20K, where 0 is unlabelled", .ignored = {0}};
  const fs::path file = folder / "objectInfo150.txt";
  const auto lines = read_name_list(root / file);
  if (!lines) return meaning;
  meaning.source = base::display_path(file);
  for (const std::string& line : *lines) {
    const auto value = base::parse_integer(line.substr(0, line.find('\t')));
    const std::size_t name = line.rfind('\t') + 1;
    if (value && name > 0) meaning.names.emplace(*value, base::display_text(line.substr(name)));
  }
  return meaning;
}

}  // namespace

std::optional<Layout> recognise_ade20k(const DataFolder& folder, Asked asked) {
  if (asked == Asked::no && !any_name_is_ade(folder.listing)) return std::nullopt;
  Layout layout = pair_by_folders(folder.listing);
  if (!has_pair(layout)) return std::nullopt;
  if (asked == Asked::no && !all_names_are_ade(layout)) return std::nullopt;
  layout.name = "ade20k";
  layout.meaning = read_meaning(folder.root, layout.groups.front().folder);
  return layout;
}

}  // namespace headroom::formats
