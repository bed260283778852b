#include "core/formats/page_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/raster_file.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

namespace {

constexpr std::int64_t kMostPages = 100'000;

/// Of formats whose files hold one picture no header is read.
bool may_have_pages(const std::filesystem::path& file) {
  constexpr std::array<std::string_view, 8> kSinglePage = {".png", ".jpg", ".jpeg", ".bmp",
                                                           ".jp2", ".j2k", ".webp", ".pgm"};
  const std::string extension = lower_extension(file);
  return std::ranges::find(kSinglePage, extension) == kSinglePage.end();
}

/// Nothing where the file cannot be read; the scan says why.
std::optional<std::int64_t> count_pages(const std::filesystem::path& file) {
  if (!may_have_pages(file)) return 1;
  try {
    return open_raster_file(file)->info().pages;
  } catch (const base::Error&) {
    return std::nullopt;
  }
}

}  // namespace

PagePairs pair_pages(const std::filesystem::path& root, const std::vector<FilePair>& pairs,
                     const std::stop_token& stop) {
  PagePairs result;
  for (const FilePair& pair : pairs) {
    if (stop.stop_requested()) {
      throw base::Error(base::ErrorKind::interrupted,
                        {"counting pages", "it was stopped", "start it again"});
    }
    const auto image_pages = count_pages(root / pair.image);
    const auto mask_pages = count_pages(root / pair.mask);
    if (image_pages && mask_pages && *image_pages != *mask_pages) {
      result.findings.push_back(
          {base::Severity::warning, "pages-differ", base::display_path(pair.image),
           fmt::format("it has {} pages and its mask {} has {}; only the first are used",
                       *image_pages, base::display_path(pair.mask), *mask_pages)});
    }
    if (!image_pages || image_pages == 1 || image_pages != mask_pages) {
      result.pairs.push_back(pair);
      continue;
    }
    if (*image_pages > kMostPages) {
      result.findings.push_back(
          {base::Severity::error, "too-many-pages", base::display_path(pair.image),
           fmt::format(
               "its header tells of {} pages, more than {}; replace it with an intact copy, "
               "or cut it into smaller files",
               *image_pages, kMostPages)});
      continue;
    }
    for (std::int64_t page = 0; page < *image_pages; ++page) {
      FilePair one = pair;
      one.page = page;
      result.pairs.push_back(std::move(one));
    }
  }
  return result;
}

}  // namespace headroom::formats
