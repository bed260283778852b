#pragma once
// The picture of an image and the one that lies over it. They are made when what they show changes,
// over as many frames as it takes, each of which stays short; those before are shown meanwhile.
// Owned by a panel; the UI thread.

#include <cstdint>

#include "ui/preview_picture.hpp"

namespace headroom::ui {

/// What pictures are made from.
struct PictureSource {
  run::SharedPreview of{};
  PreviewLayer layer = PreviewLayer::prediction;
  LabelColours colours{};  ///< of the overlay
  std::int64_t reduction = 0;

  friend bool operator==(const PictureSource&, const PictureSource&) = default;
};

class PicturePair {
 public:
  /// To be called in each frame, with a preview that is not null. True while pictures are being
  /// made: the next frame is due at once.
  [[nodiscard]] bool make(PictureSource wanted);

  /// Of the pictures that are shown; `of` is null before the first are complete.
  [[nodiscard]] const PictureSource& source() const { return source_; }
  /// Null where they cannot be made.
  [[nodiscard]] const SharedPicture& image() const { return image_; }
  [[nodiscard]] const SharedPicture& overlay() const { return overlay_; }

 private:
  void begin(PictureSource wanted);

  PictureSource source_{};
  SharedPicture image_{}, overlay_{};
  PictureSource growing_source_{};
  bool keeps_image_ = false;  ///< that of the pictures before is the same
  GrowingPicture growing_image_{}, growing_overlay_{};
};

}  // namespace headroom::ui
