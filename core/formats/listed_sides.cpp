#include "core/formats/listed_sides.hpp"

#include <map>
#include <string>

#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace fs = std::filesystem;

data::ListedSides sides_of(const ListedImages& lists, const fs::path& root,
                           const std::vector<data::Sample>& samples) {
  std::multimap<fs::path, std::string> ids_of;
  for (const data::Sample& sample : samples) ids_of.emplace(sample.image, sample.id);
  const auto ids_in = [&](const std::vector<fs::path>& images) {
    std::vector<std::string> ids;
    for (const fs::path& image : images) {
      const auto [first, last] = ids_of.equal_range(root / image);
      for (auto entry = first; entry != last; ++entry) ids.push_back(entry->second);
    }
    return ids;
  };
  return {.source = base::display_path(lists.source),
          .train = ids_in(lists.train),
          .validation = ids_in(lists.validation)};
}

}  // namespace headroom::formats
