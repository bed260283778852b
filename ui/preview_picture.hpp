#pragma once
// Pictures of a validation image and of what lies over it: truth, prediction or where they differ.
// Made small on the CPU, as textures shimmer when they are shrunk. Pure; any thread.

#include <array>
#include <cstdint>
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

/// Every `reduction` x `reduction` pixels as their mean, 1 or more. Null where the image has no
/// pixels or not as many as it says.
[[nodiscard]] SharedPicture image_picture(const base::Image& image, std::int64_t reduction);

/// Colours where the layer has something, clear elsewhere: the background, ignored pixels, and for
/// difference what is right. A reduced pixel is as opaque as it is covered. Null where truth or
/// prediction are not as large as they say, or differ in size.
[[nodiscard]] SharedPicture overlay_picture(const run::SamplePreview& preview, PreviewLayer layer,
                                            std::span<const std::string> class_names,
                                            std::int64_t reduction);

/// The largest power of two by which an image can be reduced that is drawn `zoom` times as large.
[[nodiscard]] std::int64_t reduction_for(double zoom);

}  // namespace headroom::ui
