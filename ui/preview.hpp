#pragma once
// The panel Preview: a validation image with truth, prediction and difference; pan, zoom and a
// divider. The UI thread.

#include <cstddef>
#include <memory>

#include "ui/frame.hpp"
#include "ui/preview_picture.hpp"
#include "ui/preview_view.hpp"

namespace headroom::ui {

/// Pictures, and what they were made from.
struct PreviewPictures {
  run::SharedPreview of{};
  std::shared_ptr<const run::SessionFacts> of_run{};
  PreviewLayer layer = PreviewLayer::prediction;
  std::int64_t reduction = 0;
  SharedPicture image{}, overlay{};  ///< null where they cannot be made
};

/// The panel's own, kept from frame to frame.
struct PreviewState {
  std::size_t sample = 0;
  int layer = static_cast<int>(PreviewLayer::prediction);
  float divider = 0.5F;  ///< share of the image area's width
  PreviewView view{};
  Extent shown{};  ///< the image that `view` is of
  PreviewPictures pictures{};
};

/// Draws into the current window.
void draw_preview(const Frame& frame, PreviewState& state);

}  // namespace headroom::ui
