#include "core/formats/gdal_library.hpp"

#include <cpl_conv.h>
#include <gdal_priv.h>

#include <mutex>

namespace headroom::formats {

void prepare_gdal() {
  static std::once_flag once;
  std::call_once(once, [] {
    CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
    CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR");
    CPLSetConfigOption("GDAL_ERROR_ON_LIBJPEG_WARNING", "TRUE");
    CPLSetConfigOption("GDAL_CACHEMAX", "64");  // MiB
    GDALAllRegister();
  });
}

}  // namespace headroom::formats
