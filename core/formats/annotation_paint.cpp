#include "core/formats/annotation_paint.hpp"

#include <cpl_string.h>
#include <fmt/format.h>
#include <gdal_alg.h>
#include <gdal_priv.h>
#include <ogr_geometry.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/mask_pixels.hpp"

namespace headroom::formats {

namespace {

[[noreturn]] void fail(const AnnotatedImage& image, const Annotation& annotation,
                       const std::string& problem, std::string remedy) {
  throw base::Error(
      base::ErrorKind::unusable_data,
      {"reading the annotations",
       fmt::format("{}: {} {}", base::display_path(image.document), annotation.entry, problem),
       std::move(remedy)});
}

/// Positions are the raster's own already.
int keep_positions(void* /*unused*/, int /*to_source*/, int count, double* /*x*/, double* /*y*/,
                   double* /*z*/, int* is_done) {
  std::fill_n(is_done, count, TRUE);
  return TRUE;
}

class Painter {
 public:
  Painter(const AnnotatedImage& image, const ImageSize& size, const PixelWindow& window)
      : image_(image), size_(size), window_(window) {
    codes_.height = window.height;
    codes_.width = window.width;
    codes_.channels = 1;
    codes_.type = base::PixelType::u16;
    codes_.pixels.resize(static_cast<std::size_t>(window.height * window.width) *
                         sizeof(std::uint16_t));
  }

  void paint(const Annotation& annotation, std::uint16_t code) {
    for (const Polygon& polygon : annotation.polygons) queue(polygon, code);
    if (annotation.runs.empty() && annotation.mask.empty()) return;
    burn_queue();
    for (const ColumnRun& run : annotation.runs) paint_run(annotation, run, code);
    if (!annotation.mask.empty()) paint_mask(annotation, code);
  }

  PaintedAnnotations finish() {
    burn_queue();
    return {std::move(codes_), overlapping_};
  }

 private:
  void queue(const Polygon& polygon, std::uint16_t code) {
    auto shape = std::make_unique<OGRPolygon>();
    const double scale_x = image_.is_relative ? static_cast<double>(size_.width) : 1.0;
    const double scale_y = image_.is_relative ? static_cast<double>(size_.height) : 1.0;
    for (const Ring& positions : polygon) {
      auto ring = std::make_unique<OGRLinearRing>();
      ring->setNumPoints(static_cast<int>(positions.size()));
      for (std::size_t i = 0; i < positions.size(); ++i) {
        ring->setPoint(static_cast<int>(i),
                       positions[i].x * scale_x - static_cast<double>(window_.left),
                       positions[i].y * scale_y - static_cast<double>(window_.top));
      }
      ring->closeRings();
      shape->addRingDirectly(ring.release());
    }
    OGREnvelope box;
    shape->getEnvelope(&box);
    const bool touches = box.MaxX >= 0 && box.MaxY >= 0 &&
                         box.MinX <= static_cast<double>(window_.width) &&
                         box.MinY <= static_cast<double>(window_.height);
    if (!touches) return;
    shapes_.push_back(std::move(shape));
    shape_codes_.push_back(code);
  }

  /// Polygons that follow each other are burnt at once: each call walks the whole raster.
  void burn_queue() {
    if (shapes_.empty() || codes_.pixels.empty()) return;
    prepare_gdal();
    const GdalMessages messages;
    const GDALDatasetUniquePtr raster = wrap_codes();
    std::vector<OGRGeometryH> handles;
    for (const auto& shape : shapes_) handles.push_back(OGRGeometry::ToHandle(shape.get()));
    const int band = 1;
    const CPLErr result = GDALRasterizeGeometries(
        GDALDataset::ToHandle(raster.get()), 1, &band, static_cast<int>(handles.size()),
        handles.data(), keep_positions, nullptr, shape_codes_.data(), nullptr, nullptr, nullptr);
    raster->FlushCache(false);
    if (result != CE_None) fail_internal(messages.text());
    shapes_.clear();
    shape_codes_.clear();
  }

  /// A raster over the memory of `codes_`.
  GDALDatasetUniquePtr wrap_codes() {
    GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
    GDALDatasetUniquePtr raster(memory->Create("", static_cast<int>(window_.width),
                                               static_cast<int>(window_.height), 0, GDT_UInt16,
                                               nullptr));
    std::array<char, 32> address{};
    CPLPrintPointer(address.data(), codes_.pixels.data(), static_cast<int>(address.size()) - 1);
    CPLStringList options;
    options.SetNameValue("DATAPOINTER", address.data());
    if (!raster || raster->AddBand(GDT_UInt16, options.List()) != CE_None)
      fail_internal("GDAL could not take the pixels");
    return raster;
  }

  void paint_run(const Annotation& annotation, const ColumnRun& run, std::uint16_t code) {
    const std::int64_t pixels = size_.height * size_.width;
    if (run.first < 0 || run.length < 0 || run.first > pixels || run.length > pixels - run.first) {
      fail(image_, annotation,
           fmt::format("has a run of {} pixels from pixel {} on, counted from 0, and the image has "
                       "{}x{} = {}",
                       run.length, run.first, size_.width, size_.height, pixels),
           "correct the run lengths, or give the image that they were made for");
    }
    std::int64_t at = run.first;
    const std::int64_t end = run.first + run.length;
    while (at < end) {
      const std::int64_t column = at / size_.height;
      const std::int64_t first_row = at % size_.height;
      const std::int64_t last_row = std::min(size_.height, first_row + end - at);
      for (std::int64_t row = first_row; row < last_row; ++row) cover(row, column, code);
      at += last_row - first_row;
    }
  }

  void paint_mask(const Annotation& annotation, std::uint16_t code) {
    const MaskPixels mask = read_mask_pixels(annotation.mask);
    if (mask.image.height != size_.height || mask.image.width != size_.width) {
      fail(image_, annotation,
           fmt::format("has {}x{} pixels, its image {}x{}", mask.image.width, mask.image.height,
                       size_.width, size_.height),
           "give a mask of the image's size");
    }
    visit_runs(mask, [&](std::int64_t value, std::int64_t first, std::int64_t count) {
      const bool is_black = mask.coding == MaskCoding::palette && value >= 0 &&
                                    value < static_cast<std::int64_t>(mask.palette.size())
                                ? mask.palette[static_cast<std::size_t>(value)] == 0
                                : value == 0;
      if (is_black || value == kMissingCode) return;
      for (std::int64_t i = first; i < first + count; ++i)
        cover(i / size_.width, i % size_.width, code);
    });
  }

  void cover(std::int64_t row, std::int64_t column, std::uint16_t code) {
    row -= window_.top;
    column -= window_.left;
    if (row < 0 || row >= window_.height || column < 0 || column >= window_.width) return;
    auto& pixel =
        reinterpret_cast<std::uint16_t*>(codes_.pixels.data())[row * window_.width + column];
    overlapping_ += pixel != 0 ? 1 : 0;
    pixel = code;
  }

  [[noreturn]] void fail_internal(const std::string& detail) const {
    throw base::Error(base::ErrorKind::internal,
                      {"painting annotations", base::display_path(image_.document),
                       "report this as a fault of the program", detail});
  }

  const AnnotatedImage& image_;
  const ImageSize size_;
  const PixelWindow window_;
  base::Image codes_;
  std::int64_t overlapping_ = 0;
  std::vector<std::unique_ptr<OGRGeometry>> shapes_;
  std::vector<double> shape_codes_;
};

}  // namespace

PaintedAnnotations paint_annotations(const AnnotatedImage& image, const CodeOfAnnotation& code_of,
                                     const ImageSize& size, const PixelWindow& window) {
  Painter painter(image, size, window);
  for (const Annotation& annotation : image.annotations)
    painter.paint(annotation, code_of(annotation));
  return painter.finish();
}

}  // namespace headroom::formats
