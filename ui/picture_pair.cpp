#include "ui/picture_pair.hpp"

#include <utility>

namespace headroom::ui {

bool PicturePair::make(PictureSource wanted) {
  if (wanted == source_) {
    growing_source_ = {};
    growing_image_ = growing_overlay_ = {};
    return false;
  }
  if (growing_source_ != wanted) begin(std::move(wanted));
  // Source pixels of one frame: about 2 ms.
  constexpr std::int64_t kPixelsPerFrame = 400'000;
  const std::int64_t left = kPixelsPerFrame - growing_image_.grow(kPixelsPerFrame);
  if (left > 0) growing_overlay_.grow(left);
  if (!growing_image_.is_complete() || !growing_overlay_.is_complete()) return true;
  if (!keeps_image_) image_ = growing_image_.picture();
  overlay_ = growing_overlay_.picture();
  source_ = std::exchange(growing_source_, {});
  growing_image_ = growing_overlay_ = {};
  return false;
}

void PicturePair::begin(PictureSource wanted) {
  keeps_image_ = source_.of == wanted.of && source_.reduction == wanted.reduction;
  growing_image_ = keeps_image_ ? GrowingPicture() : growing_image(wanted.of, wanted.reduction);
  growing_overlay_ = growing_overlay(wanted.of, wanted.layer, wanted.colours, wanted.reduction);
  growing_source_ = std::move(wanted);
}

}  // namespace headroom::ui
