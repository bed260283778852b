#pragma once
// Files of several pages (TIFF stacks, volumes, frames) as one sample per page. Any thread.

#include <filesystem>
#include <stop_token>
#include <vector>

#include "core/base/finding.hpp"
#include "core/formats/layout.hpp"

namespace headroom::formats {

struct PagePairs {
  std::vector<FilePair> pairs{};  ///< in the order given; pages of a file ascending
  std::vector<base::Finding> findings{};
};

/// Where image, further channels and mask have the same number of pages, above one, the pair
/// becomes one per page. Where the numbers differ, the first pages stay, with a finding. Only
/// headers are read; files that cannot be read stay as they are. A file of more than 100 000 pages
/// is left out with an error: its header is damaged, or it wants cutting. Throws Error
/// (interrupted) on stop.
[[nodiscard]] PagePairs pair_pages(const std::filesystem::path& root,
                                   const std::vector<FilePair>& pairs,
                                   const std::stop_token& stop = {});

}  // namespace headroom::formats
