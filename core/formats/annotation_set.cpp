#include "core/formats/annotation_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/annotation_paint.hpp"

namespace headroom::formats {

namespace {

constexpr const char* kBackground = "background";

/// "background", then names as AnnotationSet orders them, each once.
std::vector<std::string> order_names(const std::vector<std::string>& listed,
                                     const std::map<std::string, AnnotatedImage>& images) {
  std::set<std::string> used;
  for (const auto& [key, image] : images) {
    for (const Annotation& annotation : image.annotations) used.insert(annotation.name);
  }
  std::vector<std::string> names;
  std::set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) names.push_back(name);
  };
  add(kBackground);
  for (const std::string& name : listed) add(name);
  for (const std::string& name : used) add(name);
  return names;
}

/// Whether every polygon lies beside the image; false for annotations of runs and masks.
bool is_outside(const Annotation& annotation, double width, double height) {
  double left = width, top = height, right = 0, bottom = 0;
  for (const Polygon& polygon : annotation.polygons) {
    for (const Ring& ring : polygon) {
      for (const PixelPosition& position : ring) {
        left = std::min(left, position.x);
        right = std::max(right, position.x);
        top = std::min(top, position.y);
        bottom = std::max(bottom, position.y);
      }
    }
  }
  return !annotation.polygons.empty() &&
         (left >= width || top >= height || right <= 0 || bottom <= 0);
}

void note_outside(const AnnotatedImage& image, const ImageSize& size, EntryProblems& problems) {
  const double width = image.is_relative ? 1 : static_cast<double>(size.width);
  const double height = image.is_relative ? 1 : static_cast<double>(size.height);
  for (const Annotation& annotation : image.annotations) {
    if (!is_outside(annotation, width, height)) continue;
    problems.add(base::Severity::warning, "annotation-outside", annotation.entry,
                 fmt::format("lies outside its image '{}' of {}x{} pixels", image.name, size.width,
                             size.height),
                 "check that it belongs to this image");
  }
}

void note_size(const AnnotatedImage& image, const ImageSize& size, EntryProblems& problems) {
  if (!image.size || *image.size == size) return;
  const bool is_turned = image.size->width == size.height && image.size->height == size.width;
  problems.add(
      base::Severity::error, "mask-size-differs", fmt::format("'{}'", image.name),
      fmt::format("is annotated at {}x{} pixels, the image has {}x{}", image.size->width,
                  image.size->height, size.width, size.height),
      is_turned ? "it was annotated turned (EXIF); store the image turned, without EXIF orientation"
                : "give the image that was annotated, or annotations of this size");
}

}  // namespace

AnnotationSet::AnnotationSet(const std::vector<std::string>& listed_names,
                             std::map<std::string, AnnotatedImage> images,
                             std::vector<FileDigest> digests)
    : images_(std::move(images)),
      digests_(std::move(digests)),
      names_(std::make_shared<const std::vector<std::string>>(order_names(listed_names, images_))) {
  if (names_->size() >= kIgnoredName) {
    throw base::Error(
        base::ErrorKind::unusable_data,
        {"reading the annotations", fmt::format("they name {} different classes", names_->size()),
         "give annotations whose names are classes, not objects"});
  }
  for (std::size_t code = 0; code < names_->size(); ++code)
    code_of_[(*names_)[code]] = static_cast<std::uint16_t>(code);
}

const AnnotatedImage& AnnotationSet::image(const std::string& key) const {
  const auto found = images_.find(key);
  if (found != images_.end()) return found->second;
  throw base::Error(base::ErrorKind::internal, {"reading the annotations", base::display_text(key),
                                                "report this as a fault of the program"});
}

std::vector<base::Finding> AnnotationSet::check(const std::string& key,
                                                const ImageSize& size) const {
  const AnnotatedImage& annotated = image(key);
  EntryProblems problems = annotated.problems;
  note_size(annotated, size, problems);
  note_outside(annotated, size, problems);
  return problems.findings(annotated.document);
}

LabelPixels AnnotationSet::read(const std::string& key, const ImageSize& size,
                                const PixelWindow& window) const {
  const AnnotatedImage& annotated = image(key);
  PaintedAnnotations painted = paint_annotations(
      annotated,
      [&](const Annotation& annotation) {
        return annotation.is_ignored ? kIgnoredName : code_of_.at(annotation.name);
      },
      size, window);
  return {{.file = annotated.document,
           .coding = MaskCoding::name,
           .names = names_,
           .image = std::move(painted.codes),
           .window = window},
          painted.overlapping_pixels};
}

}  // namespace headroom::formats
