#include "core/formats/listed_sides.hpp"

#include <map>

namespace headroom::formats {

namespace fs = std::filesystem;

void set_listed_sides(const ListedImages& lists, const fs::path& root,
                      std::vector<data::Sample>& samples) {
  std::map<fs::path, data::SplitSide> side_of;
  for (const fs::path& image : lists.train) side_of[root / image] = data::SplitSide::train;
  for (const fs::path& image : lists.validation)
    side_of[root / image] = data::SplitSide::validation;
  for (data::Sample& sample : samples) {
    const auto listed = side_of.find(sample.image);
    sample.side = listed == side_of.end() ? data::SplitSide::none : listed->second;
  }
}

}  // namespace headroom::formats
