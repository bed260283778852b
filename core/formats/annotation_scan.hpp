#pragma once
// What the search for annotations is told. A value.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>

namespace headroom::formats {

struct AnnotationScan {
  std::filesystem::path root{};
  /// Of annotation_layout_names(), for maps also with the property that tells classes
  /// ("geojson:surface"); or "auto".
  std::string layout = "auto";
  std::int64_t threads = 2;
  std::stop_token stop{};
};

}  // namespace headroom::formats
