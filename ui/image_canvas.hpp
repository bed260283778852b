#pragma once
// An image with something laid over it, right of a divider: pan, zoom at the pointer, a reading of
// what is under it. Drawn into the current window; the UI thread.

#include <cstdint>
#include <functional>
#include <string>

#include "ui/chart_frame.hpp"
#include "ui/frame.hpp"
#include "ui/preview_view.hpp"

namespace headroom::ui {

/// A panel's own, kept from frame to frame.
struct CanvasState {
  float divider = 0.5F;  ///< share of the area's width
  PreviewView view{};
  Extent shown{};  ///< the image that `view` is of
};

struct CanvasContent {
  std::string name{};  ///< of its controls: "preview" has "preview/image" and "preview/divider"
  std::string subject{};
  Extent image{};
  SharedPicture picture{}, overlay{};
  std::string left_label{}, right_label{};
  /// What is under a point of the image, in its pixels.
  std::function<std::string(const Point&)> reading{};
};

/// By how much the image is to be reduced before it is drawn into `area`.
[[nodiscard]] std::int64_t reduction_in(const CanvasState& state, const Extent& image,
                                        const PixelBox& area);

void draw_canvas(const Frame& frame, CanvasState& state, const CanvasContent& content,
                 const PixelBox& area);

/// The slider of the overlays' opacity; `end`: its right end and middle, in pixels.
void draw_opacity(const Frame& frame, const char* name, const ImVec2& end);
[[nodiscard]] float opacity_width(const Frame& frame);

}  // namespace headroom::ui
