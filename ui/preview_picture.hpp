#pragma once
// Pictures of a validation image and of what lies over it: truth, prediction or where they differ.
// Made small on the CPU, as textures shimmer when they are shrunk, and in pieces, as a large one
// takes longer than a frame may. Values; any thread.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/run/preview.hpp"
#include "ui/texture_source.hpp"

namespace headroom::ui {

enum class PreviewLayer { truth, prediction, difference };

/// How a pixel differs from truth.
enum class Mismatch { found, missed, other_class };
inline constexpr std::size_t kMismatches = 3;
inline constexpr std::array<const char*, kMismatches> kMismatchNames = {"wrongly found", "missed",
                                                                        "other class"};
/// 0xRRGGBB.
[[nodiscard]] std::uint32_t mismatch_colour(Mismatch mismatch);

/// A picture that is made row by row.
class GrowingPicture {
 public:
  /// Makes the row of blocks whose upper left pixel is in row `top` of the source.
  using AddRow = std::function<void(std::int64_t top, Picture& picture)>;

  /// Nothing, which is complete.
  GrowingPicture() = default;
  /// `height`, `width`: of the source.
  GrowingPicture(std::int64_t height, std::int64_t width, std::int64_t reduction, AddRow add_row);

  /// Makes rows until at least `source_pixels` were read or none is left; returns how many were.
  std::int64_t grow(std::int64_t source_pixels);
  [[nodiscard]] bool is_complete() const { return next_top_ >= height_; }
  /// Null until it is complete, and where it cannot be made.
  [[nodiscard]] SharedPicture picture() const { return is_complete() ? picture_ : nullptr; }

 private:
  std::int64_t height_ = 0, width_ = 0, reduction_ = 1;
  std::int64_t next_top_ = 0;
  AddRow add_row_{};
  std::shared_ptr<Picture> picture_{};
};

/// Every `reduction` x `reduction` pixels as their mean, 1 or more. Nothing where the image has no
/// pixels or not as many as it says. The preview is shared, as it is read while the picture grows.
[[nodiscard]] GrowingPicture growing_image(const run::SharedPreview& preview,
                                           std::int64_t reduction);

/// By label, packed and opaque; 0: nothing is drawn.
using LabelColours = std::array<std::uint32_t, 256>;
/// The overlay colours of classes; nothing for the background and what is ignored.
[[nodiscard]] LabelColours label_colours(std::span<const std::string> class_names);

/// Colours where the layer has something, clear elsewhere; for difference, what is right is clear
/// too, and labels without a colour count as background. A reduced pixel is as opaque as it is
/// covered. Nothing where the labels that the layer shows are not as large as they say, or differ
/// in size.
[[nodiscard]] GrowingPicture growing_overlay(const run::SharedPreview& preview, PreviewLayer layer,
                                             const LabelColours& colours, std::int64_t reduction);

/// The largest power of two by which an image can be reduced that is drawn `zoom` times as large.
[[nodiscard]] std::int64_t reduction_for(double zoom);

}  // namespace headroom::ui
