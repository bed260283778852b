#include "core/formats/annotation_labelme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/json_members.hpp"

namespace headroom::formats {

namespace {

using base::Severity;
using nlohmann::json;

/// [[x, y], …]; nothing where the list holds anything else.
std::optional<Ring> points_of(const json& shape) {
  const json* points = find_member(shape, "points");
  const auto is_point = [](const json& point) {
    return point.is_array() && point.size() == 2 && point[0].is_number() && point[1].is_number();
  };
  if (points == nullptr || !points->is_array() || !std::ranges::all_of(*points, is_point))
    return std::nullopt;
  Ring ring;
  for (const json& point : *points)
    ring.push_back({point[0].get<double>(), point[1].get<double>()});
  return ring;
}

Ring rectangle_of(const PixelPosition& a, const PixelPosition& b) {
  return {{a.x, a.y}, {b.x, a.y}, {b.x, b.y}, {a.x, b.y}};
}

/// So many corners that the polygon is nowhere further than 1/100 pixel from the circle.
Ring circle_of(const PixelPosition& centre, const PixelPosition& on_edge) {
  constexpr double kFarthest = 0.01;
  const double radius = std::hypot(on_edge.x - centre.x, on_edge.y - centre.y);
  const double step = std::acos(std::max(0.0, 1 - kFarthest / std::max(radius, kFarthest)));
  const int corners = static_cast<int>(std::clamp(std::ceil(std::numbers::pi / step), 8.0, 1e5));
  Ring ring;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    ring.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return ring;
}

void read_shape(const json& shape, std::size_t number, AnnotatedImage& image) {
  Annotation annotation{.name = text_member(shape, "label").value_or(""),
                        .entry = fmt::format("shape {}", number)};
  if (annotation.name.empty()) {
    image.problems.add(Severity::error, "annotation-broken", annotation.entry, "has no label",
                       "give it one, or remove it");
    return;
  }
  annotation.entry += fmt::format(" ('{}')", annotation.name);
  const std::string type = text_member(shape, "shape_type").value_or("polygon");
  std::optional<Ring> points = points_of(shape);
  const bool needs_two = type == "rectangle" || type == "circle";
  if (type == "line" || type == "linestrip" || type == "point" || type == "points") {
    image.problems.add(Severity::warning, "annotation-without-area", annotation.entry,
                       fmt::format("is a {} and is left out", type), "draw areas as polygons");
  } else if (!needs_two && type != "polygon") {
    image.problems.add(Severity::error, "annotation-broken", annotation.entry,
                       fmt::format("is of the type '{}', which is not supported", type),
                       "draw it as polygon, rectangle or circle");
  } else if (!points || (needs_two && points->size() != 2)) {
    image.problems.add(Severity::error, "annotation-broken", annotation.entry,
                       "has no \"points\" that fit its type",
                       "write [[x, y], …], two for rectangle and circle");
  } else if (type == "rectangle") {
    add_polygon({rectangle_of((*points)[0], (*points)[1])}, annotation, image);
  } else if (type == "circle") {
    add_polygon({circle_of((*points)[0], (*points)[1])}, annotation, image);
  } else {
    add_polygon({std::move(*points)}, annotation, image);
  }
  if (!annotation.polygons.empty()) image.annotations.push_back(std::move(annotation));
}

}  // namespace

bool is_labelme(const json& document) { return has_list(document, "shapes"); }

AnnotationDocument parse_labelme(const json& document, const std::filesystem::path& file) {
  AnnotationDocument parsed{.file = file};
  AnnotatedImage image{.document = file,
                       .name = text_member(document, "imagePath").value_or(""),
                       .size = size_member(document, "imageHeight", "imageWidth")};
  if (image.name.empty()) image.name = file.stem().string();
  std::size_t number = 0;
  for (const json& shape : document["shapes"]) read_shape(shape, ++number, image);
  parsed.images.push_back(std::move(image));
  return parsed;
}

}  // namespace headroom::formats
