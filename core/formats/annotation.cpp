#include "core/formats/annotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace {

/// In pixels; no raster is larger, and the rasteriser counts in 32 bits.
constexpr double kFarthest = 1e9;

}  // namespace

void EntryProblems::add(base::Severity severity, const char* code, const std::string& entry,
                        const std::string& problem, const std::string& remedy) {
  const auto same = std::ranges::find_if(
      kinds_, [&](const Kind& kind) { return kind.code == code && kind.remedy == remedy; });
  if (same == kinds_.end()) {
    kinds_.push_back({severity, code, entry, problem, remedy});
  } else {
    ++same->more;
  }
}

bool EntryProblems::has(const std::string& code) const {
  return std::ranges::find(kinds_, code, &Kind::code) != kinds_.end();
}

std::vector<base::Finding> EntryProblems::findings(const std::filesystem::path& document) const {
  const std::string file = base::display_path(document);
  std::vector<base::Finding> findings;
  for (const Kind& kind : kinds_) {
    const std::string more = kind.more > 0 ? fmt::format(" (and {} more like it)", kind.more) : "";
    findings.push_back({kind.severity, kind.code, file,
                        base::display_text(fmt::format("{}: {} {}{}; {}", file, kind.entry,
                                                       kind.problem, more, kind.remedy))});
  }
  return findings;
}

void add_polygon(Polygon polygon, Annotation& annotation, AnnotatedImage& image) {
  const auto is_near = [](const Ring& ring) {
    return std::ranges::all_of(ring, [](const PixelPosition& position) {
      return std::abs(position.x) < kFarthest && std::abs(position.y) < kFarthest;
    });
  };
  const std::size_t corners = polygon.empty() ? 0 : polygon.front().size();
  if (!std::ranges::all_of(polygon, is_near)) {
    image.problems.add(base::Severity::error, "annotation-broken", annotation.entry,
                       "has a position that is far outside any image", "correct its coordinates");
  } else if (corners < 3) {
    image.problems.add(base::Severity::warning, "annotation-without-area", annotation.entry,
                       fmt::format("has an outline of {} positions and is left out", corners),
                       "an area needs three or more");
  } else {
    annotation.polygons.push_back(std::move(polygon));
  }
}

}  // namespace headroom::formats
