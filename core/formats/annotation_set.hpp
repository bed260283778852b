#pragma once
// The annotations of a data folder, parsed once and then unchanged: scan and readers share it over
// all threads.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/annotation.hpp"
#include "core/formats/file_digest.hpp"
#include "core/formats/mask_pixels.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

struct LabelPixels {
  MaskPixels mask{};                    ///< of the window, coding `name`
  std::int64_t overlapping_pixels = 0;  ///< as PaintedAnnotations has it
};

class AnnotationSet {
 public:
  /// `listed_names` are those that documents list, in their order; the others that annotations
  /// have come behind them, in ascending order. What no annotation covers is "background", the
  /// first name. Throws Error (unusable_data) when there are more than 65534 names.
  AnnotationSet(const std::vector<std::string>& listed_names,
                std::map<std::string, AnnotatedImage> images, std::vector<FileDigest> digests);

  /// Of the documents, by path.
  [[nodiscard]] const std::vector<FileDigest>& digests() const { return digests_; }

  /// What is wrong with an image's annotations, as such and at its true size.
  [[nodiscard]] std::vector<base::Finding> check(const std::string& key,
                                                 const ImageSize& size) const;

  /// `size` is the image's. Throws Error as paint_annotations does.
  [[nodiscard]] LabelPixels read(const std::string& key, const ImageSize& size,
                                 const PixelWindow& window) const;

 private:
  [[nodiscard]] const AnnotatedImage& image(const std::string& key) const;

  std::map<std::string, AnnotatedImage> images_;  ///< by data::Sample::label_key
  std::vector<FileDigest> digests_;
  CodeNames names_;
  std::map<std::string, std::uint16_t> code_of_;
};

}  // namespace headroom::formats
