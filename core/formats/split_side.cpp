#include "core/formats/split_side.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/formats/folder_roles.hpp"

namespace headroom::formats {

namespace {

using data::SplitSide;

constexpr std::array<std::pair<std::string_view, SplitSide>, 10> kSides = {
    {{"train", SplitSide::train},
     {"training", SplitSide::train},
     {"imagestr", SplitSide::train},
     {"val", SplitSide::validation},
     {"valid", SplitSide::validation},
     {"validation", SplitSide::validation},
     {"dev", SplitSide::validation},
     {"test", SplitSide::test},
     {"testing", SplitSide::test},
     {"imagests", SplitSide::test}}};

std::string_view without_number(std::string_view word) {
  return word.substr(0, word.find_last_not_of("0123456789") + 1);
}

/// A name tells a side when it is, besides numbers and words for images, the side's word alone:
/// "stress_test" is none.
SplitSide side_of_folder(const std::string& name) {
  SplitSide side = SplitSide::none;
  for (const std::string& word : role_of_folder(name).qualifiers) {
    const std::string_view text = without_number(word);
    if (text.empty()) continue;
    const auto found =
        std::ranges::find_if(kSides, [&](const auto& each) { return each.first == text; });
    if (found == kSides.end() || side != SplitSide::none) return SplitSide::none;
    side = found->second;
  }
  return side;
}

}  // namespace

SplitSide side_of_path(const std::filesystem::path& relative) {
  for (const auto& folder : relative.parent_path()) {
    const SplitSide side = side_of_folder(folder.string());
    if (side != SplitSide::none) return side;
  }
  return SplitSide::none;
}

}  // namespace headroom::formats
