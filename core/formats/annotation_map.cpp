#include "core/formats/annotation_map.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/data/parallel_for.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/map_placement.hpp"
#include "core/formats/raster_reader.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

using base::Severity;

/// The ends of a stem from each '_' on that have a number, the longest first.
std::vector<std::string> numbered_ends(const std::string& stem) {
  std::vector<std::string> ends;
  for (std::size_t at = stem.find('_'); at != std::string::npos; at = stem.find('_', at + 1)) {
    std::string end = stem.substr(at);
    if (std::ranges::any_of(end, [](unsigned char c) { return std::isdigit(c) != 0; }))
      ends.push_back(std::move(end));
  }
  return ends;
}

bool is_named_like_a_mask(const fs::path& image) {
  const StemKey key{.stem = stem_of(image)};
  return without_suffix(key, mask_suffixes()) != key;
}

using PathsByName = std::map<std::string, std::vector<fs::path>>;

/// Images by what they are paired with.
class MapPairs {
 public:
  MapPairs(const std::set<fs::path>& images, const std::vector<MapFeatures>& maps) {
    for (const MapFeatures& map : maps) files_.insert(map.file);
    images_ = images;
    pair_by_stem();
    pair_by_end();
    share_the_last();
  }

  struct Pair {
    fs::path image{};
    fs::path file{};
    bool is_shared = false;  ///< the file is of several images
  };
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }
  /// Files without an image.
  [[nodiscard]] const std::set<fs::path>& left_over() const { return files_; }

 private:
  void pair(const fs::path& image, const fs::path& file) {
    pairs_.push_back({image, file});
    images_.erase(image);
    files_.erase(file);
  }

  void pair_by_stem() {
    PathsByName by_stem;
    for (const fs::path& image : images_) by_stem[stem_of(image)].push_back(image);
    for (const fs::path& file : std::set(files_)) {
      const auto found = by_stem.find(stem_of(file));
      if (found == by_stem.end()) continue;
      const auto beside =
          std::ranges::find(found->second, file.parent_path(), &fs::path::parent_path);
      if (beside != found->second.end()) {
        pair(*beside, file);
      } else if (found->second.size() == 1 && images_.contains(found->second.front())) {
        pair(found->second.front(), file);
      }
    }
  }

  void pair_by_end() {
    PathsByName images_by_end, files_by_end;
    for (const fs::path& image : images_) {
      for (const std::string& end : numbered_ends(stem_of(image)))
        images_by_end[end].push_back(image);
    }
    for (const fs::path& file : files_) {
      for (const std::string& end : numbered_ends(stem_of(file))) files_by_end[end].push_back(file);
    }
    for (const fs::path& file : std::set(files_)) {
      for (const std::string& end : numbered_ends(stem_of(file))) {
        const auto found = images_by_end.find(end);
        if (found == images_by_end.end()) continue;
        const bool is_unique = found->second.size() == 1 && files_by_end.at(end).size() == 1;
        if (is_unique && images_.contains(found->second.front())) pair(found->second.front(), file);
        break;
      }
    }
  }

  void share_the_last() {
    std::erase_if(images_, is_named_like_a_mask);
    if (files_.size() != 1 || images_.empty()) return;
    for (const fs::path& image : images_) pairs_.push_back({image, *files_.begin(), true});
    files_.clear();
  }

  std::set<fs::path> images_, files_;  ///< that have no partner yet
  std::vector<Pair> pairs_;
};

class MapAnnotation {
 public:
  MapAnnotation(const AnnotationScan& scan, const ImageNames& images,
                const std::vector<MapFeatures>& maps)
      : scan_(scan), maps_(maps), pairs_(images.images(), maps) {
    for (std::size_t i = 0; i < maps.size(); ++i) index_of_[maps[i].file] = i;
  }

  MapDocuments run() {
    for (const MapFeatures& map : maps_)
      result_.documents.push_back({.file = map.file, .problems = map.problems});
    place_all();
    for (std::size_t i = 0; i < maps_.size(); ++i) note_unused(i);
    for (const fs::path& file : pairs_.left_over()) {
      result_.documents[index_of_.at(file)].problems.add(
          Severity::error, "image-missing", "the file", "belongs to no image by its name",
          "name it like its image, or give one file for all images");
    }
    note_property();
    return std::move(result_);
  }

 private:
  void place_all() {
    const auto& pairs = pairs_.pairs();
    std::vector<std::optional<PlacedFeatures>> placed(pairs.size());
    std::vector<std::optional<RasterInfo>> rasters(pairs.size());
    data::parallel_for(static_cast<std::int64_t>(pairs.size()),
                       {.threads = scan_.threads, .stop = scan_.stop}, [&](std::int64_t i) {
                         const auto at = static_cast<std::size_t>(i);
                         rasters[at] = read_header(pairs[at].image);
                         placed[at] = rasters[at] ? place_features(map_of(pairs[at]), *rasters[at])
                                                  : PlacedFeatures{};
                       });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      AnnotationDocument& document = result_.documents[index_of_.at(pairs[i].file)];
      std::set<std::size_t>& used = used_[pairs[i].file];
      used.insert(placed[i]->used.begin(), placed[i]->used.end());
      AnnotatedImage& image = placed[i]->image;
      image.document = pairs[i].file;
      image.name = pairs[i].image.generic_string();
      if (rasters[i]) note_place(pairs[i], *rasters[i], image);
      document.images.push_back(std::move(image));
    }
  }

  /// Nothing where the scan will say what is wrong with the image.
  [[nodiscard]] std::optional<RasterInfo> read_header(const fs::path& image) const {
    try {
      return read_raster_info(scan_.root / image);
    } catch (const base::Error&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] const MapFeatures& map_of(const MapPairs::Pair& pair) const {
    return maps_[index_of_.at(pair.file)];
  }

  void note_place(const MapPairs::Pair& pair, const RasterInfo& raster, AnnotatedImage& image) {
    const std::string entry = fmt::format("'{}'", base::display_path(pair.image));
    if (!raster.geo) {
      image.problems.add(Severity::info, "pixel-coordinates", entry,
                         "has no place on the ground; coordinates are taken as its pixels",
                         "give a GeoTIFF if they are not");
    } else if (raster.geo->crs_wkt.empty()) {
      image.problems.add(Severity::warning, "crs-unknown", entry,
                         "names no reference system; that of the annotations is taken",
                         "store it in the image");
    }
    if (pair.is_shared && image.annotations.empty()) {
      image.problems.add(Severity::warning, "annotation-none", entry,
                         "is touched by no area and counts as background",
                         "remove the image if it was not annotated");
    }
  }

  void note_unused(std::size_t index) {
    const MapFeatures& map = maps_[index];
    const std::set<std::size_t>& used = used_[map.file];
    if (pairs_.left_over().contains(map.file)) return;
    const bool are_none = used.empty();
    for (std::size_t i = 0; i < map.features.size(); ++i) {
      if (used.contains(i)) continue;
      result_.documents[index].problems.add(
          are_none ? Severity::error : Severity::warning, "annotation-outside",
          map.features[i].entry, "lies outside of every image of its file",
          are_none ? "no area of the file touches an image; check the reference systems"
                   : "check that it belongs to these images");
    }
  }

  void note_property() {
    if (maps_.empty()) return;
    const auto with =
        std::ranges::find_if(maps_, [](const MapFeatures& map) { return !map.property.empty(); });
    const MapFeatures& first = with == maps_.end() ? maps_.front() : *with;
    constexpr std::size_t kMostNamed = 8;
    std::vector<std::string> others = first.other_properties;
    if (others.size() > kMostNamed) others.resize(kMostNamed);
    std::string message =
        first.property.empty()
            ? std::string("all areas of a layer are one class")
            : fmt::format("classes are taken from the property '{}'", first.property);
    if (!others.empty()) {
      message += fmt::format(
          "; give --layout geojson:NAME or gpkg:NAME for another property ({}{})",
          fmt::join(others, ", "), first.other_properties.size() > others.size() ? ", …" : "");
    }
    result_.findings.push_back({Severity::info, "class-property", base::display_path(first.file),
                                base::display_text(message)});
  }

  const AnnotationScan& scan_;
  const std::vector<MapFeatures>& maps_;
  const MapPairs pairs_;
  std::map<fs::path, std::size_t> index_of_;
  std::map<fs::path, std::set<std::size_t>> used_;
  MapDocuments result_;
};

}  // namespace

MapDocuments annotate_by_place(const AnnotationScan& scan, const ImageNames& images,
                               const std::vector<MapFeatures>& maps) {
  return MapAnnotation(scan, images, maps).run();
}

}  // namespace headroom::formats
