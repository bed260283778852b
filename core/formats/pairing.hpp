#pragma once
// Pairs the files of images with those of masks by exact names. Pure; any thread.

#include <string>

#include "core/formats/layout.hpp"
#include "core/formats/stem_index.hpp"

namespace headroom::formats {

/// The files that belong to each other, by kind.
struct IndexedKinds {
  StemIndex images{}, masks{}, areas{};
};

/// An image's mask has its stem, with one of mask_suffixes() or without, and without the image's
/// own suffix. Images without a mask of their own whose stems differ in a channel's mark alone are
/// one sample when there is a mask of the rest of the stem: "a_ch0", "a_ch1" and the mask "a". All
/// samples of channels must have the same marks; those of digits alone count from 0 or 1.
[[nodiscard]] MaskChoice pair_files(std::string name, const IndexedKinds& kinds);

}  // namespace headroom::formats
