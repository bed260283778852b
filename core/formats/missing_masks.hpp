#pragma once
// What becomes of images without a mask, and of masks without an image. Pure; any thread.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/finding.hpp"
#include "core/base/settings.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

struct SettledFiles {
  std::vector<FilePair> pairs{};  ///< by image, ascending; without a mask: background
  std::vector<std::filesystem::path> unlabelled{};  ///< images that are not used
  std::vector<base::Finding> findings{};            ///< of the choices, and each missing partner
};

/// Takes the first choice of each group. Each missing partner is a finding, with `error` of that
/// severity, and their numbers are one.
[[nodiscard]] SettledFiles settle_missing_masks(const Layout& layout, base::MissingMasks answer);

/// The label of images without a mask: the class that is called background, else that of the value
/// 0 or of black; nothing where there is none.
[[nodiscard]] std::optional<std::uint8_t> background_of(const base::ClassMapping& mapping);

}  // namespace headroom::formats
