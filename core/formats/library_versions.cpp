#include "core/formats/library_versions.hpp"

#include <gdal.h>

#include <opencv2/core.hpp>

namespace headroom::formats {

std::map<std::string, std::string> library_versions() {
  return {{"gdal", GDALVersionInfo("RELEASE_NAME")}, {"opencv", cv::getVersionString()}};
}

}  // namespace headroom::formats
