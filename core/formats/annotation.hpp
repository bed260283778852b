#pragma once
// What annotation documents say of images, the same for all their formats. Values; any thread.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/finding.hpp"

namespace headroom::formats {

/// Columns to the right, rows down. (0, 0) is the upper left corner of the first pixel, whose
/// centre is (0.5, 0.5).
struct PixelPosition {
  double x = 0;
  double y = 0;
};

/// Closed by itself: the last position need not repeat the first.
using Ring = std::vector<PixelPosition>;
/// Inside by the even-odd rule: an outline, with holes behind it.
using Polygon = std::vector<Ring>;

/// Pixels that follow each other down the columns: pixel 0 is (0, 0), pixel 1 the one below it.
struct ColumnRun {
  std::int64_t first = 0;
  std::int64_t length = 0;
};

struct ImageSize {
  std::int64_t height = 0;
  std::int64_t width = 0;
  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

/// One object: the union of its polygons, runs and mask.
struct Annotation {
  std::string name{};       ///< of its class
  std::string entry{};      ///< where the document has it: "annotation 17", "row 3"
  bool is_ignored = false;  ///< no class is told for this area (COCO's crowds)
  std::vector<Polygon> polygons{};
  std::vector<ColumnRun> runs{};
  std::filesystem::path mask{};  ///< absolute; a raster that is not 0 on the object
};

/// What is wrong with entries of a document: of each kind the first entry, and how many more there
/// are.
class EntryProblems {
 public:
  /// Problems of one code and remedy are one kind. `problem` continues the entry's name: "has no
  /// outline".
  void add(base::Severity severity, const char* code, const std::string& entry,
           const std::string& problem, const std::string& remedy);
  [[nodiscard]] bool has(const std::string& code) const;
  /// One per kind, naming the document (relative to the data folder).
  [[nodiscard]] std::vector<base::Finding> findings(const std::filesystem::path& document) const;

 private:
  struct Kind {
    base::Severity severity{};
    std::string code{};
    std::string entry{};
    std::string problem{};
    std::string remedy{};
    std::int64_t more = 0;
  };
  std::vector<Kind> kinds_;
};

/// All that a document says of one image.
struct AnnotatedImage {
  std::filesystem::path document{};  ///< relative to the data folder
  std::string name{};                ///< of the image, as the document has it
  std::optional<ImageSize> size{};   ///< as the document has it
  bool is_relative = false;          ///< positions are shares of width and height
  std::vector<Annotation>
      annotations{};  ///< in the document's order: later ones cover earlier ones
  EntryProblems problems{};
};

/// A file, or a folder of masks, of any annotation format.
struct AnnotationDocument {
  std::filesystem::path file{};      ///< relative to the data folder
  std::vector<std::string> names{};  ///< of classes, where the document lists them, in its order
  std::vector<AnnotatedImage> images{};
  EntryProblems problems{};  ///< that concern no single image of it
};

/// Adds a polygon to an annotation of the image; one whose outline has no area, or with positions
/// that no raster reaches, becomes a problem of the image.
void add_polygon(Polygon polygon, Annotation& annotation, AnnotatedImage& image);

}  // namespace headroom::formats
