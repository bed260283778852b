#pragma once
// The panel Preview: a validation image with truth, prediction and difference; pan, zoom and a
// divider. The UI thread.

#include <cstddef>

#include "ui/frame.hpp"
#include "ui/image_canvas.hpp"
#include "ui/picture_pair.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct PreviewState {
  std::size_t sample = 0;
  int layer = static_cast<int>(PreviewLayer::prediction);
  CanvasState canvas{};
  PicturePair pictures{};
};

/// Draws into the current window.
void draw_preview(const Frame& frame, PreviewState& state);

}  // namespace headroom::ui
