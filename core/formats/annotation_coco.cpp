#include "core/formats/annotation_coco.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/formats/json_members.hpp"
#include "core/formats/run_lengths.hpp"

namespace headroom::formats {

namespace {

using base::Severity;
using nlohmann::json;

constexpr const char* kBroken = "annotation-broken";
constexpr std::int64_t kLongestSide = std::int64_t{1} << 24;

/// x, y, x, y, …; nothing where the list holds anything else.
std::optional<Ring> outline_of(const json& list) {
  if (!list.is_array() || list.size() % 2 != 0) return std::nullopt;
  if (!std::ranges::all_of(list, [](const json& number) { return number.is_number(); }))
    return std::nullopt;
  Ring ring;
  for (std::size_t i = 0; i < list.size(); i += 2)
    ring.push_back({list[i].get<double>(), list[i + 1].get<double>()});
  return ring;
}

std::optional<std::vector<std::int64_t>> counts_of(const json& segmentation) {
  const json* counts = find_member(segmentation, "counts");
  if (counts == nullptr) return std::nullopt;
  if (counts->is_string()) return parse_compressed_counts(counts->get_ref<const std::string&>());
  const auto is_count = [](const json& number) { return number.is_number_integer(); };
  if (!counts->is_array() || !std::ranges::all_of(*counts, is_count)) return std::nullopt;
  return counts->get<std::vector<std::int64_t>>();
}

/// [height, width]
std::optional<ImageSize> size_of_runs(const json& segmentation) {
  const json* size = find_member(segmentation, "size");
  const auto is_side = [](const json& side) {
    return side.is_number_integer() && side > 0 && side < kLongestSide;
  };
  if (size == nullptr || !size->is_array() || size->size() != 2) return std::nullopt;
  if (!std::ranges::all_of(*size, is_side)) return std::nullopt;
  return ImageSize{(*size)[0].get<std::int64_t>(), (*size)[1].get<std::int64_t>()};
}

bool is_crowd(const json& annotation) {
  const json* crowd = find_member(annotation, "iscrowd");
  return crowd != nullptr && (*crowd == 1 || *crowd == true);
}

bool has_outline(const json& annotation) {
  const json* segmentation = find_member(annotation, "segmentation");
  if (segmentation == nullptr || segmentation->is_null()) return false;
  return !segmentation->is_array() || !segmentation->empty();
}

class CocoParser {
 public:
  explicit CocoParser(const std::filesystem::path& file) { document_.file = file; }

  AnnotationDocument run(const json& document) {
    if (has_list(document, "categories")) read_categories(document["categories"]);
    for (const json& image : document["images"]) read_image(image);
    std::int64_t number = 0;
    for (const json& annotation : document["annotations"]) read_annotation(annotation, ++number);
    return std::move(document_);
  }

 private:
  void read_categories(const json& categories) {
    for (const json& category : categories) {
      const auto id = integer_member(category, "id");
      auto name = text_member(category, "name");
      if (!id || !name || name->empty()) {
        document_.problems.add(Severity::error, kBroken,
                               fmt::format("the category {}", short_text(category)),
                               "has no whole number as id, or no name", "correct it");
      } else if (!category_of_.emplace(*id, std::move(*name)).second) {
        document_.problems.add(Severity::error, kBroken, fmt::format("category {}", *id),
                               "stands there twice", "give each category an id of its own");
      }
    }
    for (const auto& [id, name] : category_of_) document_.names.push_back(name);
  }

  void read_image(const json& image) {
    const auto id = integer_member(image, "id");
    auto name = text_member(image, "file_name");
    if (!id || !name || name->empty()) {
      document_.problems.add(Severity::error, kBroken,
                             fmt::format("the image {}", short_text(image)),
                             "has no whole number as id, or no file_name", "correct it");
      return;
    }
    if (!image_of_.emplace(*id, document_.images.size()).second) {
      document_.problems.add(Severity::error, kBroken, fmt::format("image {}", *id),
                             "stands there twice", "give each image an id of its own");
      return;
    }
    document_.images.push_back({.document = document_.file,
                                .name = std::move(*name),
                                .size = size_member(image, "height", "width")});
  }

  void read_annotation(const json& object, std::int64_t number) {
    const auto id = integer_member(object, "id");
    Annotation annotation{.entry = id ? fmt::format("annotation {}", *id)
                                      : fmt::format("annotation number {}", number)};
    AnnotatedImage* image = image_of(object, annotation.entry);
    if (image == nullptr) return;
    if (!has_outline(object)) {
      image->problems.add(
          Severity::error, "annotation-without-outline", annotation.entry,
          "has no outline in \"segmentation\"",
          "give it an outline, or remove it; a box alone cannot train segmentation");
      return;
    }
    const auto category = integer_member(object, "category_id");
    const auto name = category ? category_of_.find(*category) : category_of_.end();
    if (name == category_of_.end()) {
      const json* given = find_member(object, "category_id");
      image->problems.add(Severity::error, kBroken, annotation.entry,
                          fmt::format("has the category_id {}, which no category has",
                                      given == nullptr ? "(none)" : short_text(*given)),
                          "add the category, or correct the id");
      return;
    }
    annotation.name = name->second;
    annotation.is_ignored = is_crowd(object);
    read_segmentation(object, annotation, *image);
    if (!annotation.polygons.empty() || !annotation.runs.empty())
      image->annotations.push_back(std::move(annotation));
  }

  AnnotatedImage* image_of(const json& object, const std::string& entry) {
    const auto id = integer_member(object, "image_id");
    const auto found = id ? image_of_.find(*id) : image_of_.end();
    if (found != image_of_.end()) return &document_.images[found->second];
    document_.problems.add(Severity::warning, "annotation-without-image", entry,
                           id ? fmt::format("belongs to the image {}, which is not listed", *id)
                              : "belongs to no image",
                           "add the image to \"images\", or remove the annotation");
    return nullptr;
  }

  static void read_segmentation(const json& object, Annotation& annotation, AnnotatedImage& image) {
    const json& segmentation = object["segmentation"];
    if (segmentation.is_object()) {
      read_runs(segmentation, annotation, image);
    } else if (segmentation.is_array() && !segmentation.front().is_number()) {
      for (const json& outline : segmentation) read_outline(outline, annotation, image);
    } else {
      read_outline(segmentation, annotation, image);
    }
  }

  static void read_outline(const json& list, Annotation& annotation, AnnotatedImage& image) {
    std::optional<Ring> ring = outline_of(list);
    if (ring) {
      add_polygon({std::move(*ring)}, annotation, image);
      return;
    }
    image.problems.add(Severity::error, kBroken, annotation.entry,
                       fmt::format("has the outline {}", short_text(list)),
                       "write it as [x, y, x, y, …]");
  }

  static void read_runs(const json& segmentation, Annotation& annotation, AnnotatedImage& image) {
    const auto size = size_of_runs(segmentation);
    const auto counts = counts_of(segmentation);
    if (!size || !counts) {
      image.problems.add(Severity::error, kBroken, annotation.entry,
                         "has run lengths that cannot be read",
                         "write \"size\" as [height, width] and \"counts\" as a list of whole "
                         "numbers or COCO's compressed text");
      return;
    }
    if (!image.size) image.size = size;
    if (*image.size != *size) {
      image.problems.add(
          Severity::error, kBroken, annotation.entry,
          fmt::format("has run lengths for {}x{} pixels, its image has {}x{}", size->width,
                      size->height, image.size->width, image.size->height),
          "give run lengths of the image's size");
      return;
    }
    auto runs = runs_of_counts(*counts, size->height * size->width);
    if (!runs) {
      image.problems.add(Severity::error, kBroken, annotation.entry,
                         fmt::format("has run lengths beyond the {} pixels of its image",
                                     size->height * size->width),
                         "correct its \"counts\"");
      return;
    }
    annotation.runs = std::move(*runs);
  }

  static std::string short_text(const json& value) {
    constexpr std::size_t kLongest = 60;
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
  }

  AnnotationDocument document_;
  std::map<std::int64_t, std::string> category_of_;
  std::map<std::int64_t, std::size_t> image_of_;  ///< index into document_.images
};

}  // namespace

bool is_coco(const json& document) {
  return has_list(document, "images") && has_list(document, "annotations");
}

AnnotationDocument parse_coco(const json& document, const std::filesystem::path& file) {
  return CocoParser(file).run(document);
}

}  // namespace headroom::formats
