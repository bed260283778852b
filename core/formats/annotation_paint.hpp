#pragma once
// Annotations as pixels. Pure but for masks that annotations name; any thread.

#include <cstdint>
#include <functional>

#include "core/base/image.hpp"
#include "core/formats/annotation.hpp"
#include "core/formats/raster_file.hpp"

namespace headroom::formats {

struct PaintedAnnotations {
  base::Image codes{};                  ///< [window.height, window.width, 1] of u16; 0: no object
  std::int64_t overlapping_pixels = 0;  ///< that a run or mask covers where an object was
};

using CodeOfAnnotation = std::function<std::uint16_t(const Annotation&)>;

/// Paints the annotations in their order, so that later ones cover earlier ones. A pixel belongs to
/// a polygon when its centre is inside, by the even-odd rule over the polygon's rings; this is the
/// rule of GDAL's rasteriser, which does it, and of COCO's own tools, which round positions to a
/// fifth of a pixel. `size` is the image's, the window lies inside it. Throws Error (unusable_data)
/// naming document and entry: a run beyond the image, a mask that cannot be read or has another
/// size.
[[nodiscard]] PaintedAnnotations paint_annotations(const AnnotatedImage& image,
                                                   const CodeOfAnnotation& code_of,
                                                   const ImageSize& size,
                                                   const PixelWindow& window);

}  // namespace headroom::formats
