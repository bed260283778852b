#include "ui/preview_view.hpp"

#include <algorithm>

namespace headroom::ui {
namespace {

void keep_over_image(PreviewView& view, const Extent& image) {
  view.middle.x = std::clamp(view.middle.x, 0.0, image.width);
  view.middle.y = std::clamp(view.middle.y, 0.0, image.height);
}

}  // namespace

double fitting_zoom(const Extent& image, const Extent& panel) {
  if (!(image.width > 0 && image.height > 0 && panel.width > 0 && panel.height > 0)) return 1;
  return std::min(panel.width / image.width, panel.height / image.height);
}

void fit(PreviewView& view, const Extent& image, const Extent& panel) {
  if (!view.fits) return;
  view.zoom = fitting_zoom(image, panel);
  view.middle = {image.width / 2, image.height / 2};
}

void zoom_at(PreviewView& view, double factor, const Point& pointer, const Extent& image,
             const Extent& panel) {
  constexpr double kLargest = 64;
  const double fitting = fitting_zoom(image, panel);
  const Point under = image_from_panel(view, pointer, panel);
  view.fits = false;
  view.zoom = std::clamp(view.zoom * factor, fitting / 4, std::max(kLargest, fitting));
  view.middle = {under.x - (pointer.x - panel.width / 2) / view.zoom,
                 under.y - (pointer.y - panel.height / 2) / view.zoom};
  keep_over_image(view, image);
}

void pan(PreviewView& view, const Point& by, const Extent& image) {
  view.fits = false;
  view.middle = {view.middle.x - by.x / view.zoom, view.middle.y - by.y / view.zoom};
  keep_over_image(view, image);
}

Point image_from_panel(const PreviewView& view, const Point& pointer, const Extent& panel) {
  return {view.middle.x + (pointer.x - panel.width / 2) / view.zoom,
          view.middle.y + (pointer.y - panel.height / 2) / view.zoom};
}

Point panel_from_image(const PreviewView& view, const Point& point, const Extent& panel) {
  return {panel.width / 2 + (point.x - view.middle.x) * view.zoom,
          panel.height / 2 + (point.y - view.middle.y) * view.zoom};
}

}  // namespace headroom::ui
