#pragma once
// Pictures for people: classes drawn over an image, and the previews of a run. Any one thread.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/image.hpp"
#include "core/run/preview.hpp"
#include "core/train/training_session.hpp"

namespace headroom::app {

using Colours = std::vector<std::uint32_t>;  ///< 0xRRGGBB by class

/// `rgb` (u8, 3 channels) with each labelled pixel half way to its class's colour. Ignored pixels
/// stay as they are.
[[nodiscard]] base::Image draw_classes(base::Image rgb, const base::LabelImage& labels,
                                       const Colours& colours);

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
