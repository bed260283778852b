#pragma once
// Which part of an image a panel shows, and how large: zooming at the pointer, panning, fitting.
// Pure; any thread.

namespace headroom::ui {

struct Extent {
  double width = 0, height = 0;
};
struct Point {
  double x = 0, y = 0;
};

struct PreviewView {
  bool fits = true;  ///< follows the panel's size; zoom and middle are set by fit()
  double zoom = 1;   ///< screen pixels per image pixel
  Point middle{};    ///< of the image, in its pixels, that is in the middle of the panel
};

/// As large as fits into the panel, centred. Does nothing unless `view.fits`.
void fit(PreviewView& view, const Extent& image, const Extent& panel);

/// The zoom at which the image just fits; 1 where there is no image or no panel.
[[nodiscard]] double fitting_zoom(const Extent& image, const Extent& panel);

/// What is under `pointer` (pixels from the panel's upper left) stays under it. Zoom stays between
/// a quarter of what fits and 64.
void zoom_at(PreviewView& view, double factor, const Point& pointer, const Extent& image,
             const Extent& panel);

/// Moves the image by screen pixels; its middle stays over it.
void pan(PreviewView& view, const Point& by, const Extent& image);

[[nodiscard]] Point image_from_panel(const PreviewView& view, const Point& pointer,
                                     const Extent& panel);
[[nodiscard]] Point panel_from_image(const PreviewView& view, const Point& point,
                                     const Extent& panel);

}  // namespace headroom::ui
