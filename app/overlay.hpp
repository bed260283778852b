#pragma once
// Pictures for people: an image of any depth as 8-bit RGB, classes drawn over it, and the previews
// of a run. Any one thread.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/image.hpp"
#include "core/run/preview.hpp"
#include "core/train/training_session.hpp"

namespace headroom::app {

using Colours = std::vector<std::uint32_t>;  ///< 0xRRGGBB by class

/// u8, 3 channels: the first three bands, or the first one as grey. Deeper values are stretched
/// band by band, so that the 1st and 99th percentile become black and white.
[[nodiscard]] base::Image displayable(const base::Image& image);

/// `rgb` (u8, 3 channels) with each labelled pixel half way to its class's colour. Ignored pixels
/// stay as they are.
[[nodiscard]] base::Image draw_classes(base::Image rgb, const base::LabelImage& labels,
                                       const Colours& colours);

/// Made so small that no side is above `most_pixels`; each pixel is the mean of its area. `rgb` is
/// u8, 3 channels.
[[nodiscard]] base::Image reduced(base::Image rgb, std::int64_t most_pixels);
/// To the same size as an image of this size; each pixel is the one in the middle of its area.
[[nodiscard]] base::LabelImage reduced(base::LabelImage labels, std::int64_t most_pixels);

/// What becomes of the previews of a run besides their files.
enum class PreviewUse { files_only, shown };

/// Writes each preview as one PNG into a folder that it makes: image, truth and prediction side by
/// side. The colours are filled in before the first preview, one for each class.
class PreviewWriter {
 public:
  PreviewWriter(std::filesystem::path folder, std::shared_ptr<const Colours> colours,
                PreviewUse use);
  /// Null where none is shown. Throws base::Error (io).
  [[nodiscard]] run::SharedPreview operator()(const train::Preview& preview) const;

 private:
  std::filesystem::path folder_;
  std::shared_ptr<const Colours> colours_;
  PreviewUse use_;
};

}  // namespace headroom::app
