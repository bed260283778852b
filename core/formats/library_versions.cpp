#include "core/formats/library_versions.hpp"

#include <gdal.h>

namespace headroom::formats {

std::map<std::string, std::string> library_versions() {
  return {{"gdal", GDALVersionInfo("RELEASE_NAME")}};
}

}  // namespace headroom::formats
