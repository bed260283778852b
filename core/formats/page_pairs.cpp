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
#include "core/base/interruption.hpp"
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

class Pages {
 public:
  Pages(const std::filesystem::path& root, const std::stop_token& stop)
      : root_(root), stop_(stop) {}

  PagePairs pair(const std::vector<FilePair>& pairs) {
    for (const FilePair& each : pairs) {
      base::throw_if_stopped(stop_, "counting pages");
      add(each);
    }
    return std::move(result_);
  }

 private:
  void add(const FilePair& pair) {
    const auto pages = count_pages(root_ / pair.image);
    bool are_equal = pages.has_value();
    for (const std::filesystem::path& channel : pair.more_images)
      are_equal = compare(pair.image, pages, channel, "further channel") && are_equal;
    if (!pair.mask.empty()) are_equal = compare(pair.image, pages, pair.mask, "mask") && are_equal;
    if (!are_equal || pages == 1) {
      result_.pairs.push_back(pair);
      return;
    }
    if (*pages > kMostPages) {
      result_.findings.push_back(
          {base::Severity::error, "too-many-pages", base::display_path(pair.image),
           fmt::format(
               "its header tells of {} pages, more than {}; replace it with an intact copy, "
               "or cut it into smaller files",
               *pages, kMostPages)});
      return;
    }
    for (std::int64_t page = 0; page < *pages; ++page) {
      FilePair one = pair;
      one.page = page;
      result_.pairs.push_back(std::move(one));
    }
  }

  /// Adds a finding where the numbers differ; false where they do, or are unknown.
  bool compare(const std::filesystem::path& image, std::optional<std::int64_t> pages,
               const std::filesystem::path& other, const char* kind) {
    const auto other_pages = count_pages(root_ / other);
    if (pages && other_pages && *pages != *other_pages) {
      result_.findings.push_back(
          {base::Severity::warning, "pages-differ", base::display_path(image),
           fmt::format("it has {} pages and its {} {} has {}; only the first are used", *pages,
                       kind, base::display_path(other), *other_pages)});
    }
    return pages && pages == other_pages;
  }

  const std::filesystem::path& root_;
  const std::stop_token& stop_;
  PagePairs result_;
};

}  // namespace

PagePairs pair_pages(const std::filesystem::path& root, const std::vector<FilePair>& pairs,
                     const std::stop_token& stop) {
  return Pages(root, stop).pair(pairs);
}

}  // namespace headroom::formats
