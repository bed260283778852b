#include "core/formats/label_reader.hpp"

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::formats {

LabelPixels read_label_pixels(const LabelSource& source, const AnnotationSet* annotations) {
  if (source.key.empty()) return {.mask = read_mask_pixels(source.mask, source.page)};
  if (annotations == nullptr) {
    throw base::Error(base::ErrorKind::internal,
                      {"reading the annotations", base::display_path(source.mask),
                       "report this as a fault of the program"});
  }
  const ImageSize& size = source.image_size;
  return annotations->read(source.key, size, {.width = size.width, .height = size.height});
}

}  // namespace headroom::formats
