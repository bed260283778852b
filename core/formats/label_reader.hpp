#pragma once
// The labels of a sample, whether they are a raster mask or annotations. Any thread.

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/formats/annotation_set.hpp"
#include "core/formats/mask_pixels.hpp"

namespace headroom::formats {

/// Where the labels of a sample are.
struct LabelSource {
  std::filesystem::path mask{};  ///< absolute; of no meaning where `key` is given
  std::int64_t page = 0;         ///< of the mask
  std::string key{};             ///< of the annotations; empty where the mask is a raster
  ImageSize image_size{};        ///< that annotations are painted at
};

/// The whole image's. `annotations` may be null where the mask is a raster. Throws Error
/// (unusable_data) as read_mask_pixels and AnnotationSet::read do.
[[nodiscard]] LabelPixels read_label_pixels(const LabelSource& source,
                                            const AnnotationSet* annotations);

}  // namespace headroom::formats
