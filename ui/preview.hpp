#pragma once
// The panel Preview: a validation image with truth, prediction and difference; pan, zoom and a
// divider. The UI thread.

#include <cstddef>
#include <memory>

#include "ui/frame.hpp"
#include "ui/preview_picture.hpp"
#include "ui/preview_view.hpp"

namespace headroom::ui {

/// What pictures are made from.
struct PictureSource {
  run::SharedPreview of{};
  std::shared_ptr<const run::SessionFacts> of_run{};
  PreviewLayer layer = PreviewLayer::prediction;
  std::int64_t reduction = 0;
  friend bool operator==(const PictureSource&, const PictureSource&) = default;
};

struct PreviewPictures {
  PictureSource source{};
  SharedPicture image{}, overlay{};  ///< null where they cannot be made
};

/// The next pictures, while they are made.
struct GrowingPictures {
  PictureSource source{};
  bool keeps_image = false;  ///< that of the pictures before is the same
  GrowingPicture image{}, overlay{};
};

/// The panel's own, kept from frame to frame.
struct PreviewState {
  std::size_t sample = 0;
  int layer = static_cast<int>(PreviewLayer::prediction);
  float divider = 0.5F;  ///< share of the image area's width
  PreviewView view{};
  Extent shown{};              ///< the image that `view` is of
  PreviewPictures pictures{};  ///< shown until the next ones are complete
  GrowingPictures growing{};
};

/// Draws into the current window.
void draw_preview(const Frame& frame, PreviewState& state);

}  // namespace headroom::ui
