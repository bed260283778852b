#pragma once
// The panel Preview of the workspace Data: the chosen sample with its mask laid over it, class by
// class. The UI thread.

#include "ui/data_state.hpp"
#include "ui/image_canvas.hpp"
#include "ui/picture_pair.hpp"

namespace headroom::ui {

/// The panel's own, kept from frame to frame.
struct SamplePreviewState {
  CanvasState canvas{};
  PicturePair pictures{};
};

/// Draws into the current window.
void draw_sample_preview(const Frame& frame, SamplePreviewState& state, DataState& data);

}  // namespace headroom::ui
