#include "core/formats/annotation_documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/data/parallel_for.hpp"
#include "core/formats/annotation_coco.hpp"
#include "core/formats/annotation_instances.hpp"
#include "core/formats/annotation_labelme.hpp"
#include "core/formats/annotation_map.hpp"
#include "core/formats/annotation_rle_csv.hpp"
#include "core/formats/annotation_yolo_folder.hpp"
#include "core/formats/folder_listing.hpp"
#include "core/formats/map_features.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCoco = "coco";
constexpr const char* kLabelme = "labelme";
constexpr const char* kRleCsv = "rle-csv";
constexpr const char* kGeojson = "geojson";
constexpr const char* kGpkg = "gpkg";
constexpr const char* kYolo = "yolo";
constexpr const char* kInstanceFolders = "instance-folders";

/// Of what files of an extension may hold.
std::vector<std::string> layouts_of(const fs::path& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".json") return {kCoco, kLabelme, kGeojson};
  if (extension == ".csv") return {kRleCsv};
  if (extension == ".geojson") return {kGeojson};
  if (extension == ".gpkg") return {kGpkg};
  return {};
}

bool has_document_extension(const fs::path& file) { return !layouts_of(file).empty(); }

/// "geojson" and "surface" of "geojson:surface".
struct WantedLayout {
  std::string name{};
  std::string property{};

  explicit WantedLayout(const std::string& text) {
    const std::size_t colon = text.find(':');
    name = text.substr(0, colon);
    if (colon != std::string::npos) property = text.substr(colon + 1);
  }
  [[nodiscard]] bool includes(const std::string& layout) const {
    return name == "auto" || name == layout;
  }
};

struct ParsedFile {
  std::string layout{};  ///< empty: no annotations
  AnnotationDocument document{};
  std::optional<MapFeatures> map{};  ///< instead of the document
  FileDigest digest{};
  std::optional<base::Finding> problem{};
};

void parse_json_file(const fs::path& root, const fs::path& file, ParsedFile& parsed) {
  const std::string text = base::read_file(root / file);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '[') return;  // no format begins with a list
  const nlohmann::json json =
      base::parse_json_object(text, "reading the annotations", base::display_path(file));
  if (is_coco(json)) {
    parsed.layout = kCoco;
    parsed.document = parse_coco(json, file);
  } else if (is_labelme(json)) {
    parsed.layout = kLabelme;
    parsed.document = parse_labelme(json, file);
  } else if (json.contains("type") && json["type"] == "FeatureCollection") {
    parsed.layout = kGeojson;
  }
}

void parse_document(const fs::path& root, const fs::path& file, const WantedLayout& wanted,
                    ParsedFile& parsed) {
  const std::string extension = lower_extension(file);
  if (extension == ".json") {
    parse_json_file(root, file, parsed);
  } else if (extension == ".csv") {
    if (!is_rle_csv(root / file)) return;
    parsed.layout = kRleCsv;
    parsed.document = parse_rle_csv(root, file);
  } else {
    parsed.layout = extension == ".gpkg" ? kGpkg : kGeojson;
  }
  if (parsed.layout == kGeojson)
    parsed.map = read_map_features(root, file, "GeoJSON", wanted.property);
  if (parsed.layout == kGpkg) parsed.map = read_map_features(root, file, "GPKG", wanted.property);
}

ParsedFile parse_file(const fs::path& root, const fs::path& file, const WantedLayout& wanted) {
  ParsedFile parsed;
  if (std::ranges::none_of(layouts_of(file),
                           [&](const std::string& layout) { return wanted.includes(layout); }))
    return parsed;
  try {
    parse_document(root, file, wanted, parsed);
    if (!parsed.layout.empty()) parsed.digest = digest_file(root / file, base::display_path(file));
  } catch (const base::Error& error) {
    const auto& parts = error.parts();
    const std::string detail = parts.detail.empty() ? "" : fmt::format(" ({})", parts.detail);
    parsed.layout.clear();
    parsed.problem = {base::Severity::error, "annotations-unreadable", base::display_path(file),
                      fmt::format("{}; {}{}", parts.subject, parts.remedy, detail)};
  }
  return parsed;
}

std::vector<ParsedFile> parse_files(const AnnotationScan& scan, const std::vector<fs::path>& files,
                                    const WantedLayout& wanted) {
  std::vector<ParsedFile> parsed(files.size());
  data::parallel_for(static_cast<std::int64_t>(files.size()),
                     {.threads = scan.threads, .stop = scan.stop}, [&](std::int64_t i) {
                       const auto at = static_cast<std::size_t>(i);
                       parsed[at] = parse_file(scan.root, files[at], wanted);
                     });
  return parsed;
}

std::vector<fs::path> list_documents(const AnnotationScan& scan) {
  std::vector<fs::path> files;
  for (const ListedFolder& folder :
       list_files(scan.root, has_document_extension, scan.stop).folders) {
    for (const fs::path& name : folder.names) files.push_back(folder.path / name);
  }
  return files;
}

/// Those of one layout among the files; their contents move.
AnnotationDocuments take_documents(const std::string& layout, const AnnotationScan& scan,
                                   const ImageNames& images, const std::vector<fs::path>& files,
                                   std::vector<ParsedFile>& parsed) {
  AnnotationDocuments found{.layout = layout};
  std::vector<MapFeatures> maps;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<std::string> possible = layouts_of(files[i]);
    const bool may_be = std::ranges::find(possible, layout) != possible.end();
    if (parsed[i].problem && may_be) found.findings.push_back(*parsed[i].problem);
    if (parsed[i].layout != layout) continue;
    found.digests.push_back(std::move(parsed[i].digest));
    if (parsed[i].map) {
      maps.push_back(std::move(*parsed[i].map));
    } else {
      found.documents.push_back(std::move(parsed[i].document));
    }
  }
  if (maps.empty()) return found;
  MapDocuments placed = annotate_by_place(scan, images, maps);
  found.documents = std::move(placed.documents);
  found.findings.insert(found.findings.end(), placed.findings.begin(), placed.findings.end());
  return found;
}

AnnotationDocuments take_yolo(const AnnotationScan& scan, const ImageNames& images) {
  YoloDocuments found = find_yolo_documents(scan, images);
  return {kYolo, std::move(found.documents), std::move(found.digests), std::move(found.findings)};
}

AnnotationDocuments take_instance_folders(const AnnotationScan& scan,
                                          const FolderListing& listing) {
  AnnotationDocuments found{.layout = kInstanceFolders,
                            .documents = find_instance_folders(scan.root, listing)};
  std::vector<fs::path> masks;
  for (const AnnotationDocument& document : found.documents) {
    for (const Annotation& annotation : document.images.front().annotations)
      masks.push_back(annotation.mask);
  }
  found.digests.resize(masks.size());
  data::parallel_for(static_cast<std::int64_t>(masks.size()),
                     {.threads = scan.threads, .stop = scan.stop}, [&](std::int64_t i) {
                       const auto at = static_cast<std::size_t>(i);
                       found.digests[at] = digest_file(
                           masks[at], base::display_path(masks[at].lexically_relative(scan.root)));
                     });
  return found;
}

}  // namespace

std::vector<AnnotationDocuments> find_annotation_documents(const AnnotationScan& scan,
                                                           const FolderListing& listing,
                                                           const ImageNames& images) {
  const WantedLayout wanted(scan.layout);
  const std::vector<fs::path> files = list_documents(scan);
  std::vector<ParsedFile> parsed = parse_files(scan, files, wanted);
  std::vector<AnnotationDocuments> by_layout;
  for (const std::string& layout : annotation_layout_names()) {
    if (!wanted.includes(layout)) continue;
    AnnotationDocuments found = layout == kYolo ? take_yolo(scan, images)
                                : layout == kInstanceFolders
                                    ? take_instance_folders(scan, listing)
                                    : take_documents(layout, scan, images, files, parsed);
    if (!found.documents.empty() || !found.findings.empty()) by_layout.push_back(std::move(found));
  }
  return by_layout;
}

const std::vector<std::string>& annotation_layout_names() {
  static const std::vector<std::string> names = {kCoco, kLabelme, kRleCsv,         kGeojson,
                                                 kGpkg, kYolo,    kInstanceFolders};
  return names;
}

bool is_annotation_layout(const std::string& name) {
  const WantedLayout wanted(name);
  const bool is_map = wanted.name == kGeojson || wanted.name == kGpkg;
  if (name.find(':') != std::string::npos && (!is_map || wanted.property.empty())) return false;
  const auto& names = annotation_layout_names();
  return std::ranges::find(names, wanted.name) != names.end();
}

}  // namespace headroom::formats
