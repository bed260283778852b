#include "core/formats/stem_index.hpp"

#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

std::string stem_of(const std::filesystem::path& file) {
  const std::filesystem::path stem = file.stem();
  const bool is_gzipped_volume = lower_extension(file) == ".gz" && lower_extension(stem) == ".nii";
  return (is_gzipped_volume ? stem.stem() : stem).string();
}

void StemIndex::add(const std::filesystem::path& below, const std::filesystem::path& file) {
  files_[{below.parent_path().string(), stem_of(below)}].push_back(file);
}

std::vector<std::filesystem::path> StemIndex::find(
    const StemKey& key, std::span<const std::string_view> suffixes) const {
  std::vector<std::filesystem::path> found;
  const auto take = [&](const StemKey& wanted) {
    const auto entry = files_.find(wanted);
    if (entry != files_.end())
      found.insert(found.end(), entry->second.begin(), entry->second.end());
  };
  take(key);
  for (const std::string_view suffix : suffixes) {
    take({key.folder, key.stem + std::string(suffix)});
  }
  return found;
}

StemKey without_suffix(const StemKey& key, std::span<const std::string_view> suffixes) {
  for (const std::string_view suffix : suffixes) {
    if (key.stem.size() > suffix.size() && key.stem.ends_with(suffix)) {
      return {key.folder, key.stem.substr(0, key.stem.size() - suffix.size())};
    }
  }
  return key;
}

}  // namespace headroom::formats
