#pragma once
// The dataset.json of nnU-Net (versions 1 and 2) and of the Medical Segmentation Decathlon. Pure;
// any thread.

#include <optional>
#include <string>
#include <vector>

#include "core/formats/layout.hpp"

namespace headroom::formats {

struct NnunetDescription {
  std::vector<std::string> channels{};  ///< of "channel_names" or "modality", in their order
  std::optional<MaskMeaning> labels{};  ///< nothing where labels are regions of several values
  std::string file_ending{};            ///< ".png"; empty: not said
};

/// Throws Error (usage) naming `source` when it is no JSON of this form.
[[nodiscard]] NnunetDescription parse_nnunet_description(const std::string& json,
                                                         const std::string& source);

}  // namespace headroom::formats
