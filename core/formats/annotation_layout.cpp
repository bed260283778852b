#include "core/formats/annotation_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/image_names.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const AnnotationScan& scan, const std::string& problem, std::string remedy) {
  throw base::Error(
      base::ErrorKind::unusable_data,
      {"scanning the data folder", fmt::format("'{}' {}", base::display_path(scan.root), problem),
       std::move(remedy)});
}

bool has_annotations(const AnnotationDocument& document) {
  return std::ranges::any_of(
      document.images, [](const AnnotatedImage& image) { return !image.annotations.empty(); });
}

/// Finds the images of the documents of one layout.
class ImageSearch {
 public:
  ImageSearch(const ImageNames& names, AnnotationDocuments found)
      : names_(names), found_(std::move(found)) {}

  void run() {
    pass_over_captions();
    for (AnnotationDocument& document : found_.documents) take(document);
  }

  [[nodiscard]] std::size_t count() const { return images_.size(); }
  [[nodiscard]] const AnnotationDocuments& documents() const { return found_; }

  AnnotationLayout finish() {
    MaskChoice choice{.findings = std::move(found_.findings)};
    for (const AnnotationDocument& document : found_.documents)
      append(choice.findings, document.problems.findings(document.file));
    for (const auto& [key, image] : images_)
      choice.pairs.push_back({.image = path_of_.at(key), .mask = image.document, .label_key = key});
    leave_unlabelled(choice);
    std::vector<std::string> listed;
    for (const AnnotationDocument& document : found_.documents) {
      if (used_documents_.contains(document.file))
        listed.insert(listed.end(), document.names.begin(), document.names.end());
    }
    AnnotationLayout result;
    result.layout.name = found_.layout;
    result.layout.groups.push_back({.folder = {}, .choices = {std::move(choice)}});
    result.annotations = std::make_shared<const AnnotationSet>(listed, std::move(images_),
                                                               std::move(found_.digests));
    return result;
  }

 private:
  static void append(std::vector<base::Finding>& to, std::vector<base::Finding> from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  }

  /// Captions and boxes beside outlines (COCO's own "annotations" folder) are no labels of pixels.
  void pass_over_captions() {
    const bool is_coco = found_.layout == "coco";
    if (!is_coco || !std::ranges::any_of(found_.documents, has_annotations)) return;
    for (AnnotationDocument& document : found_.documents) {
      const bool has_no_outlines =
          std::ranges::any_of(document.images, [](const AnnotatedImage& image) {
            return image.problems.has("annotation-without-outline");
          });
      if (has_annotations(document) || !has_no_outlines) continue;
      document.images.clear();
      document.names.clear();
      document.problems = {};
      document.problems.add(base::Severity::info, "annotations-passed-over", "the document",
                            "outlines no object and is not used", "others do");
    }
  }

  void take(AnnotationDocument& document) {
    for (AnnotatedImage& image : document.images) {
      std::vector<fs::path> paths = names_.find(document.file.parent_path(), image.name);
      if (paths.empty() && document.images.size() == 1)
        paths = names_.find(document.file.parent_path(), document.file.stem().string());
      if (paths.size() == 1) {
        take(paths.front(), std::move(image), document);
      } else {
        note_not_found(image, paths, document);
      }
    }
  }

  void take(const fs::path& path, AnnotatedImage image, AnnotationDocument& document) {
    const std::string key = path.generic_string();
    const auto known = images_.find(key);
    if (known == images_.end()) {
      path_of_.emplace(key, path);
      used_documents_.insert(document.file);
      images_.emplace(key, std::move(image));
      return;
    }
    document.problems.add(base::Severity::warning, "duplicate-mask",
                          fmt::format("the image '{}'", image.name),
                          fmt::format("is annotated in {} too, and this entry is not used",
                                      base::display_path(known->second.document)),
                          "keep one entry per image");
  }

  static void note_not_found(const AnnotatedImage& image, const std::vector<fs::path>& paths,
                             AnnotationDocument& document) {
    const std::string entry = fmt::format("the image '{}'", image.name);
    if (paths.empty()) {
      document.problems.add(base::Severity::warning, "image-missing", entry,
                            "is not in the data folder", "add it, or remove its entry");
      return;
    }
    document.problems.add(base::Severity::error, "image-ambiguous", entry,
                          fmt::format("may be '{}' or '{}'", base::display_path(paths[0]),
                                      base::display_path(paths[1])),
                          "name it by its path from the data folder");
  }

  void leave_unlabelled(MaskChoice& choice) const {
    for (const fs::path& image : names_.images()) {
      if (images_.contains(image.generic_string())) continue;
      choice.unlabelled.push_back({.image = image});
    }
  }

  const ImageNames& names_;
  AnnotationDocuments found_;
  std::map<std::string, AnnotatedImage> images_;
  std::map<std::string, fs::path> path_of_;
  std::set<fs::path> used_documents_;
};

[[noreturn]] void fail_without_images(const AnnotationScan& scan, const ImageSearch& search) {
  const AnnotationDocuments& found = search.documents();
  if (!found.findings.empty()) {
    throw base::Error(base::ErrorKind::unusable_data,
                      {"scanning the data folder", found.findings.front().message,
                       "`headroom check` reads the folder again when it is corrected"});
  }
  const AnnotationDocument& document = found.documents.front();
  fail(scan,
       fmt::format(
           "holds {} annotations in '{}', but no image that they name{}", found.layout,
           base::display_path(document.file),
           document.images.empty()
               ? ""
               : fmt::format(", such as '{}'", base::display_text(document.images.front().name))),
       "put the images beside the document, or correct the names in it");
}

}  // namespace

std::optional<AnnotationLayout> recognise_annotations(const FolderListing& images,
                                                      const AnnotationScan& scan) {
  const ImageNames names(images);
  std::vector<ImageSearch> searches;
  for (AnnotationDocuments& found : find_annotation_documents(scan, images, names)) {
    searches.emplace_back(names, std::move(found)).run();
  }
  if (searches.empty()) {
    if (scan.layout == "auto") return std::nullopt;
    fail(scan, fmt::format("holds no {} annotations", scan.layout),
         "give --layout auto, or the layout that it has");
  }
  const auto best = std::ranges::max_element(searches, {}, &ImageSearch::count);
  if (best->count() == 0) fail_without_images(scan, *best);
  return best->finish();
}

}  // namespace headroom::formats
